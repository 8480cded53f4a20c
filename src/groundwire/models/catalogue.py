"""The models that Groundwire knows by name: where each lies, what it is, and how its logits are read.

Besides the names below there are two open forms, for any checkpoint of that kind on the hub:
`cross-encoder:ORG/NAME` (relevance) and `nli:ORG/NAME` (entailment); how those are read comes from the checkpoint's own
labels when it is pulled. A revision may be added to any of them: `NAME@REVISION`.

Figures are those of the models' cards and configurations. Left out: the built-in model, which is part of the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.errors import UnknownName, UsageError
from groundwire.models.reading import EntailmentReading, Reading, RelevanceReading

Kind = Literal["classifier", "hhem-t5", "embedder"]
"""What is exported: a sequence classifier's logits, HHEM-2.1's T5 head, or the first token's vector."""

HHEM_PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {a}\n\nHypothesis: {b}"
"""Card of HHEM-2.1-Open. The literal <pad> becomes token 0, is attended to, and plays the part of [CLS]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One known model. `parameters` are millions; `licence` and `reading` None: not stated, and told by its labels.

    `max_length` is in tokens, both texts together; None: any length. `tokenizer_repo` says where the tokenizer lies,
    when not with the weights.
    """

    name: str
    repo: str
    purpose: str
    revision: str = "main"
    architecture: str = "any sequence classifier"
    parameters: float | None = None
    licence: str | None = None
    max_length: int | None = 512
    kind: Kind = "classifier"
    prompt: str | None = None
    reading: Reading | None = None
    tokenizer_repo: str | None = None


BUILTIN = "mini"
"""The model inside the package: nothing to pull."""

_HHEM = "vectara/hallucination_evaluation_model"
_RELEVANCE = Reading(relevance=RelevanceReading(column=0))
_VITAMINC = Reading(entailment=EntailmentReading(activation="softmax", supports=0, refutes=1, neutral=2))


def _mxbai(size: str, parameters: float) -> Card:
    return Card(
        name=f"mxbai-rerank-{size}-v1",
        repo=f"mixedbread-ai/mxbai-rerank-{size}-v1",
        purpose="relevance of a passage to a query" + (", the ranker of Provenance" if size == "base" else ""),
        architecture="DeBERTa-v3",
        parameters=parameters,
        licence="Apache-2.0",
        # The raw logit: the softmax over sources needs its range, which a sigmoid would squeeze.
        reading=_RELEVANCE,
    )


def _vitaminc(size: str, data: str, parameters: float) -> Card:
    return Card(
        name=f"albert-{size}-{data}",
        repo=f"tals/albert-{size}-{data}",
        purpose="entailment of a claim by evidence, trained on contrastive Wikipedia revisions",
        architecture=f"ALBERT-{size} v2",
        parameters=parameters,
        reading=_VITAMINC,
    )


CARDS: Mapping[str, Card] = {
    card.name: card
    for card in (
        _mxbai("xsmall", 71),
        _mxbai("base", 184),
        _mxbai("large", 435),
        Card(
            name="hhem-1.0",
            repo=_HHEM,
            revision="hhem-1.0-open",
            purpose="entailment of a claim by a source, the probable fact checker of Provenance",
            architecture="DeBERTa-v3-base",
            parameters=184,
            licence="Apache-2.0",
            reading=Reading(entailment=EntailmentReading(activation="sigmoid", supports=0)),
        ),
        Card(
            name="hhem-2.1-open",
            repo=_HHEM,
            purpose="entailment of a claim by a source of any length",
            architecture="flan-t5-base encoder with a token classifier",
            parameters=110,
            licence="Apache-2.0",
            max_length=None,
            kind="hhem-t5",
            prompt=HHEM_PROMPT,
            # Label 0 is "hallucinated": neutral and contradicted together, so nothing here refutes.
            reading=Reading(entailment=EntailmentReading(activation="softmax", supports=1)),
            tokenizer_repo="google/flan-t5-base",
        ),
        _vitaminc("base", "vitaminc", 11.7),
        _vitaminc("base", "vitaminc-fever", 11.7),
        _vitaminc("xlarge", "vitaminc", 58.7),
        _vitaminc("xlarge", "vitaminc-fever", 58.7),
        Card(
            name="monoelectra",
            repo="crystina-z/monoELECTRA_LCE_nneg31",
            purpose="relevance of a passage to a query, the judge of GAuGE",
            architecture="ELECTRA-base discriminator",
            parameters=109,
            reading=Reading(relevance=RelevanceReading(column=1)),
            tokenizer_repo="google/electra-base-discriminator",
        ),
        Card(
            name="deberta-v2-xxlarge-mnli",
            repo="microsoft/deberta-v2-xxlarge-mnli",
            purpose="entailment of a claim by a source, the fact checker of Provenance's preliminary system",
            architecture="DeBERTa-v2-xxlarge",
            parameters=1500,
            licence="MIT",
            reading=Reading(entailment=EntailmentReading(activation="softmax", supports=2, refutes=0, neutral=1)),
        ),
        Card(
            name="uae-large-v1",
            repo="WhereIsAI/UAE-Large-V1",
            purpose="vectors of sentences, the ranker of Provenance's preliminary system",
            architecture="BERT-large",
            parameters=335,
            licence="MIT",
            kind="embedder",
            reading=Reading(),
        ),
    )
}
"""Every card by its name."""

_OPEN_FORMS: Mapping[str, str] = {
    "cross-encoder": "relevance of a passage to a query",
    "nli": "entailment of a claim by a source",
}


def find(name: str) -> Card:
    """Return the card of a name, or of `cross-encoder:ORG/NAME` or `nli:ORG/NAME`; `@REVISION` may follow any of them.

    Raises UnknownName with the names that are near, UsageError for an open form without ORG/NAME.
    """
    base, at, revision = name.partition("@")
    card = _open_card(base) if base.partition(":")[0] in _OPEN_FORMS else CARDS.get(base)
    if card is None:
        raise UnknownName("model", base, [BUILTIN, *CARDS, *(f"{form}:ORG/NAME" for form in _OPEN_FORMS)])
    if at and not (revision and revision[0].isalnum() and revision.isascii() and revision.isprintable()):
        raise UsageError(f"no revision after @ in {name!r}", "NAME@REVISION, a branch, a tag or a commit of the hub")
    return replace(card, name=name, revision=revision) if at else card


def _open_card(name: str) -> Card:
    form, _, repo = name.partition(":")
    parts = repo.split("/")
    if len(parts) != 2 or not all(_is_repo_part(part) for part in parts):
        raise UsageError(f"{name!r} names no repository of the hub", f"{form}:ORG/NAME")
    return Card(name=name, repo=repo, purpose=_OPEN_FORMS[form])


def _is_repo_part(part: str) -> bool:
    return part.isascii() and part.replace("-", "").replace("_", "").replace(".", "").isalnum() and part[0] != "."
