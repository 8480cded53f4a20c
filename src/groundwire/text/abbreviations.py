"""What a full stop may end besides a sentence: abbreviations, and the words that show a new sentence all the same.

English, without the final stop. Left out: other languages' abbreviations (an initial or a dotted run such as `z.B.` is
known by its shape), and `etc.`, which ends a sentence whenever a capital follows.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = _words(
    """
    Adm Amb Attn Brig Capt Cdr Cmdr Cmdt Col Cpl Det Dr Drs Fr Gen Gov Hon Insp Lt Maj Messrs Mlle Mme Mr Mrs Ms
    Mx Pres Prof Pvt Rep Reps Rev Rt Sen Sens Sgt Supt
    """
)
"""Written so, with their capital: a name follows, never a new sentence."""

NEVER_LAST = _words("approx ca cf e.g eg i.e ie incl spp v viz vs")
"""An example, a number or the other side follows."""

BEFORE_NUMBER = _words(
    """
    apr art aug bk ch chap cl cols dec eq eqs ex feb fig figs fol jan jul jun ll mar mon no nos nov nr oct p para
    paras pg pp pt refs reg regs rul sched sec sect sep sept ser sig suppl tab thm thu thur thurs treas tue tues vol vols wed
    """
)
"""No end before a number, a Roman numeral or a single capital ("No. 5", "Fig. A"); else these are plain words."""

WORDS_TOO = _words("art no reg rul")
"""Those of them that are words as well: digits have to follow, or they are written with a capital ("Art. IV")."""

OFTEN_LAST = _words(
    """
    al assn ave bldg blvd bros co corp dept dist div ed eds esq est ext ft gmbh govt hwy inc intl jr llc ltd mfg
    mt mts natl op plc pty rd sr st ste subst supp univ
    """
)
"""These end a sentence only where the next word is one that begins sentences."""

STARTERS = _words(
    """
    a about according additionally after all also although an and another are as at because before both but by can
    could did do does during each even every few finally first for from furthermore had has have he her here his
    how however i if in indeed instead is it its last later many meanwhile more moreover most much my nearly
    neither nevertheless next no none nor not now of on once one only or other our over overall perhaps several
    she similarly since so some soon still such that the their then there therefore these they this those though
    three through thus to today together two under unlike until was we were what when where whereas whether which
    while who why with without would yes yet you your
    """
)
"""Words that, with a capital, begin a sentence more often than they stand in a name."""

SHORTENED = (
    frozenset(title.lower() for title in TITLES)
    | NEVER_LAST
    | BEFORE_NUMBER
    | OFTEN_LAST
    | _words("avg max min resp temp tel tzw")
)
"""Everything that is written shortened, in small letters."""
