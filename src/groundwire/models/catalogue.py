"""The models that Groundwire knows by name: where each lies, what it is, and how its logits are read.

Besides the names below there are open forms, for any checkpoint of that kind on the hub: `cross-encoder:ORG/NAME`
(relevance) and `nli:ORG/NAME` (entailment), read by the checkpoint's own labels when it is pulled; `encoder:ORG/NAME` (one
vector a text, pooled as its sentence-transformers files say), `splade:ORG/NAME`, `monot5:ORG/NAME` and `duot5:ORG/NAME`.
A revision may be added to any of them: `NAME@REVISION`.

Figures are those of the models' cards and configurations. Left out: the built-in model, which is part of the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.errors import UnknownName, UsageError
from groundwire.models.config import Impact, Output, Side
from groundwire.models.reading import EntailmentReading, Reading, RelevanceReading

Kind = Literal["classifier", "hhem-t5", "seq2seq", "embedder", "ance", "sentence", "splade"]
"""What is exported: a sequence classifier's logits, HHEM-2.1's T5 head, the first word that a T5 says (true or false), the
first token's vector, the same through ANCE's head, a sentence encoder's vector, or the weights of a vocabulary's entries.
"""
OUTPUTS: Mapping[Kind, Output] = {
    "classifier": "logits",
    "hhem-t5": "logits",
    "seq2seq": "answer",
    "embedder": "vectors",
    "ance": "vectors",
    "sentence": "vectors",
    "splade": "terms",
}

HHEM_PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {a}\n\nHypothesis: {b}"
"""Card of HHEM-2.1-Open. The literal <pad> becomes token 0, is attended to, and plays the part of [CLS]."""
WORDS: Mapping[str, int] = {"true": 1176, "false": 6136}
"""What monoT5 and duoT5 answer, with the ids of these words in T5's vocabulary."""
MONO_PROMPT = "Query: {a} Document: {b} Relevant:"
"""monoT5's input (Nogueira et al. 2020, arXiv 2003.06713, section 3)."""
DUO_PROMPT = "Query: {a} Document0: {b} Document1: {c} Relevant:"
"""duoT5's input: is document 0 more relevant than document 1? (Pradeep et al. 2021, arXiv 2101.05667, section 3.4)"""
UAE_PROMPT = "Represent this sentence for searching relevant passages: "
"""Card of UAE-Large-V1: before queries, where passages are searched for; nothing else has a prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One known model. `parameters` are millions; `licence` and `reading` None: not stated, and told by its labels.

    `repo` is empty for a checkpoint that lies on no hub. `max_length` is in tokens, both texts together; None: any length.
    `tokenizer_repo` says where the tokenizer lies, when not with the weights. `query` and `passage` are an encoder's sides,
    None: as its files say; `impact` is a sparse encoder's. `languages` are those that an entailment model reads, as BCP 47
    tags; none: not stated.
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
    query: Side | None = None
    passage: Side | None = None
    impact: Impact | None = None
    languages: tuple[str, ...] = ()


BUILTIN = "mini"
"""The model inside the package: nothing to pull."""
ENGLISH = ("en",)
BUILTIN_LANGUAGES = ENGLISH
"""What the built-in model was trained on; `languages` of its config.json goes before, where it says any."""

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
        languages=ENGLISH,
    )


def _t5(name: str, parameters: float) -> Card:
    """A reranker of castorini's; their own code takes the tokenizer of t5-base for all of them."""
    mono = name.startswith("mono")
    return Card(
        name=name,
        repo=f"castorini/{name}",
        purpose="relevance of a passage to a query" if mono else "which of two passages is more relevant to a query",
        architecture="T5-base" if parameters < 1000 else "T5-3B",
        parameters=parameters,
        kind="seq2seq",
        prompt=MONO_PROMPT if mono else DUO_PROMPT,
        reading=_RELEVANCE,
        tokenizer_repo="google-t5/t5-base",
    )


_PLUS_PLUS = Impact(range=5, levels=256)
"""Impacts of SPLADE++ in its published indexes: weights up to 5 in 256 steps."""
_SPARSE_SIDES = (Side(max_length=256), Side(max_length=512))


def _splade(name: str, repo: str, impact: Impact, *, architecture: str, parameters: float) -> Card:
    return Card(
        name=name,
        repo=repo,
        purpose="terms of a text with their weights, learned sparse retrieval",
        architecture=architecture,
        parameters=parameters,
        licence="CC BY-NC-SA 4.0",
        kind="splade",
        reading=Reading(),
        query=_SPARSE_SIDES[0],
        passage=_SPARSE_SIDES[1],
        impact=impact,
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
            languages=ENGLISH,
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
            languages=ENGLISH,
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
            languages=ENGLISH,
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
            query=Side(prefix=UAE_PROMPT),
        ),
        Card(
            name="ance-msmarco-passage",
            repo="castorini/ance-msmarco-passage",
            purpose="vectors of passages and queries, compared by inner product",
            architecture="RoBERTa-base with a linear layer and a layer norm",
            parameters=125,
            kind="ance",
            reading=Reading(),
            tokenizer_repo="FacebookAI/roberta-base",
            query=Side(max_length=64, lowercase=True),
            passage=Side(max_length=256),
        ),
        Card(
            name="all-minilm-l6-v2",
            repo="sentence-transformers/all-MiniLM-L6-v2",
            purpose="vectors of texts",
            architecture="MiniLM-L6",
            parameters=22.7,
            licence="Apache-2.0",
            kind="sentence",
            reading=Reading(),
        ),
        *(
            _splade(f"splade-{name}", f"naver/splade-{name}", _PLUS_PLUS, architecture="BERT-base MLM", parameters=110)
            for name in ("cocondenser-ensembledistil", "cocondenser-selfdistil")
        ),
        # Its checkpoint is only on its makers' own site.
        _splade("distilsplade-max", "", Impact(range=1, levels=100), architecture="DistilBERT MLM", parameters=67),
        _t5("monot5-base-msmarco-10k", 223),
        _t5("monot5-base-msmarco", 223),
        _t5("monot5-3b-msmarco", 2850),
        _t5("duot5-base-msmarco", 223),
        _t5("duot5-3b-msmarco", 2850),
    )
}
"""Every card by its name."""


def _any(form: str, like: Card) -> Card:
    """What any checkpoint of a form shares with one of that form."""
    return replace(
        like, name=form, repo="", architecture="any of its kind", parameters=None, licence=None, tokenizer_repo=None
    )


_OPEN_FORMS: Mapping[str, Card] = {
    card.name: card
    for card in (
        Card(name="cross-encoder", repo="", purpose="relevance of a passage to a query"),
        Card(name="nli", repo="", purpose="entailment of a claim by a source"),
        _any("encoder", CARDS["all-minilm-l6-v2"]),
        _any("splade", CARDS["splade-cocondenser-ensembledistil"]),
        _any("monot5", CARDS["monot5-base-msmarco"]),
        _any("duot5", CARDS["duot5-base-msmarco"]),
    )
}
"""What is known of any checkpoint of a form; the rest it says itself."""


def names(*, judging: bool = False) -> list[str]:
    """Return every name that `find` knows and the built-in one's, open forms as `nli:ORG/NAME`; `judging`: of those that may
    read entailment."""
    cards = (card for card in CARDS.values() if not judging or (card.reading is not None and card.reading.entailment))
    forms = ("nli",) if judging else _OPEN_FORMS
    return [BUILTIN, *(card.name for card in cards), *(f"{form}:ORG/NAME" for form in forms)]


def find(name: str) -> Card:
    """Return the card of a name, or of an open form such as `nli:ORG/NAME`; `@REVISION` may follow any of them.

    Raises UnknownName with the names that are near, UsageError for an open form without ORG/NAME.
    """
    base, at, revision = name.partition("@")
    card = _open_card(base) if base.partition(":")[0] in _OPEN_FORMS else CARDS.get(base)
    if card is None:
        raise UnknownName("model", base, names())
    if at and not (revision and revision[0].isalnum() and revision.isascii() and revision.isprintable()):
        raise UsageError(f"no revision after @ in {name!r}", "NAME@REVISION, a branch, a tag or a commit of the hub")
    return replace(card, name=name, revision=revision) if at else card


def _open_card(name: str) -> Card:
    form, _, repo = name.partition(":")
    parts = repo.split("/")
    if len(parts) != 2 or not all(_is_repo_part(part) for part in parts):
        raise UsageError(f"{name!r} names no repository of the hub", f"{form}:ORG/NAME")
    return replace(_OPEN_FORMS[form], name=name, repo=repo)


def _is_repo_part(part: str) -> bool:
    return part.isascii() and part.replace("-", "").replace("_", "").replace(".", "").isalnum() and part[0] != "."
