"""The nouns of Groundwire: frozen, slotted, keyword-only, and the only things that travel between parts.

Offsets are Unicode code points, half-open, into the text that the noun names. Probabilities and scores lie in [0, 1],
higher means more grounded. `to_dict` and `from_dict` of every noun are lossless and JSON-stable; the shorter record that
the command line and the server publish is made in `groundwire.render`.

Left out on purpose: anything that computes. A noun knows its fields and how to show itself, no more.
"""

from groundwire.types.checking import (
    LABEL_NAMES,
    MARKS,
    PLAIN_MARKS,
    Case,
    Claim,
    ClaimVerdict,
    Entailment,
    Evidence,
    Finding,
    Label,
    Premise,
    Reading,
    Source,
    Stage,
    TokenLogits,
    Trace,
    Verdict,
)
from groundwire.types.evolution import (
    Answer,
    Candidate,
    Generation,
    Mating,
    Offspring,
)
from groundwire.types.noun import (
    Noun,
)
from groundwire.types.texts import (
    Completion,
    Document,
    Hit,
    Passage,
    Ranking,
    Retrieval,
    Span,
)

__all__ = [
    "LABEL_NAMES",
    "MARKS",
    "PLAIN_MARKS",
    "Answer",
    "Candidate",
    "Case",
    "Claim",
    "ClaimVerdict",
    "Completion",
    "Document",
    "Entailment",
    "Evidence",
    "Finding",
    "Generation",
    "Hit",
    "Label",
    "Mating",
    "Noun",
    "Offspring",
    "Passage",
    "Premise",
    "Ranking",
    "Reading",
    "Retrieval",
    "Source",
    "Span",
    "Stage",
    "TokenLogits",
    "Trace",
    "Verdict",
]
