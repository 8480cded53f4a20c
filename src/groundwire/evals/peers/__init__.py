"""Peers: other people's ways to say whether an answer is grounded, behind our role Checker, for comparisons in one run.

    peer:overlap  peer:rouge(L)  peer:bm25  peer:hhem  peer:lettucedetect  peer:minicheck  peer:alignscore(PATH)
    peer:halueval(MODEL)  peer:lynx(MODEL)

Every peer reads the answer and all contexts of a case, and gives a score in [0, 1], higher is better backed. Its threshold
is its own convention, tuned on nothing here. Left out: the comparison (`groundwire.evals`), and weights, which nothing here
fetches.
"""

from groundwire.evals.peers.opening import is_peer, names, open  # noqa: A004 - peers.open(spec) is what is said
from groundwire.evals.peers.peer import Opinion, Peer

__all__ = ["Opinion", "Peer", "is_peer", "names", "open"]
