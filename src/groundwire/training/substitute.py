"""One content word becomes another that fits its place and says something else: rented for bought, nurse for doctor.

Same contract as `corrupt`: a pure operator that gives an Edit or None, here where the pool lends a vocabulary. The label
is NOT_SUPPORTED: whether the evidence refutes the new wording or only does not back it is not known. Leaves out: words
with a listed counterpart (`corrupt.opposite`), names and numbers.
"""

from __future__ import annotations

from random import Random

from groundwire.training.corrupt import Edit, Pool, swap
from groundwire.training.sample import NOT_SUPPORTED
from groundwire.training.vocabulary import END, START, TOKEN, content

LENT_SHARE = 0.8
"""How often a word of the same passage is tried first: absence from the evidence alone must not give the edit away.

One fits in less than a third of the cases: about every fourth or fifth edit takes one."""
NEAREST = 10
"""Of the fitting neighbours, only the nearest are drawn from."""


def word(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One content word becomes another of its class that real prose has in such a place."""
    if pool.words is None:
        return None
    tokens = list(TOKEN.finditer(text))
    own = [match.group() for match in tokens]
    spots = [i for i, token in enumerate(own) if content(token) and own.count(token) == 1]
    rng.shuffle(spots)
    lent = sorted({token for token in TOKEN.findall(passage) if content(token)} - set(own))
    lend_first = rng.random() < LENT_SHARE
    for lend in (True, False) if lend_first else (False,):
        for at in spots:
            old, (start, end) = own[at], tokens[at].span()
            found = pool.words.lent(old, lent) if lend else pool.words.near.get(old, ())
            near = [other for other in found if other not in own]
            left = own[at - 1] if at else START
            right = own[at + 1] if at + 1 < len(own) else END
            fitting = pool.words.fits(old, near, left, right)[:NEAREST]
            if fitting:
                return swap(text, start, end, rng.choice(fitting), "word", NOT_SUPPORTED)
    return None
