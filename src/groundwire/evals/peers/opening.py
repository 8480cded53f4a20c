"""From a spec string to a peer: `peer:NAME` or `peer:NAME(VALUE, field=VALUE)`.

Left out: the peers themselves, whose packages and models load only when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from groundwire.errors import UnknownName, UsageError
from groundwire.evals.peers.peer import Peer, Scorer
from groundwire.protocols import LLM, Checker

PREFIX = "peer:"
EXAMPLE = "peer:overlap, peer:rouge(L), peer:hhem or peer:lynx(MODEL)"

Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a peer is made of its fields, and which there are; the first one's name may be left out."""

    make: Callable[[Fields, LLM | None], Scorer]
    fields: tuple[str, ...] = ()


def names() -> list[str]:
    """Return the peers by name, with the fields that they take."""
    return [f"{PREFIX}{name}" + (f"({', '.join(kind.fields)})" * bool(kind.fields)) for name, kind in _KINDS.items()]


def is_peer(spec: str) -> bool:
    """Say whether a string asks for a peer rather than for a recipe of ours."""
    return spec.strip().startswith(PREFIX)


def open(spec: str, llm: LLM | None = None, *, threshold: float | None = None) -> Checker:  # noqa: A001
    """Open a peer. `llm` judges in `halueval` and `lynx` in place of the MODEL that they name.

    `threshold` in [0, 1] replaces the peer's own convention, 0.5. Raises UnknownName and UsageError for a spec that cannot
    be read, MissingExtra without the peer's package, MissingModel or Unavailable without its weights.
    """
    name, values = _parsed(spec)
    kind = _KINDS[name]
    scorer = kind.make(_named(spec, name, values, kind.fields), llm)
    shown = spec.strip() if llm is None else f"{spec.strip()} by {llm.name}"
    return Peer(name=shown, scorer=scorer, threshold=0.5 if threshold is None else threshold)


def _parsed(spec: str) -> tuple[str, list[str]]:
    """Return a peer's name and the values in its brackets."""
    text = spec.strip().removeprefix(PREFIX)
    name, bracket, rest = text.partition("(")
    if name not in _KINDS:
        raise UnknownName("peer", name, _KINDS)
    if bracket and not rest.endswith(")"):
        raise UsageError(f"the peer {spec!r} has no closing bracket", EXAMPLE)
    return name, [value.strip() for value in rest.removesuffix(")").split(",") if value.strip()]


def _named(spec: str, name: str, values: list[str], fields: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for n, value in enumerate(values):
        field, sign, said = (piece.strip() for piece in value.partition("="))
        if not sign:
            if n or not fields:
                raise UsageError(f"{name} takes no value {value!r} there", f"its fields: {', '.join(fields) or 'none'}")
            field, said = fields[0], value
        if field not in fields:
            raise UnknownName(f"field of {name}", field, fields)
        if field in found or not said:
            raise UsageError(f"{field} is given once, with a value, in {spec!r}", EXAMPLE)
        found[field] = said
    return found


def _choice(fields: Fields, field: str, known: Mapping[str, str], default: str) -> str:
    value = fields.get(field, default)
    if value not in known:
        raise UnknownName(field, value, known)
    return known[value]


def _overlap(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers.lexical import Overlap

    return Overlap(int(_choice(fields, "of", {"words": "1", "bigrams": "2"}, "words")))


def _rouge(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers.lexical import Rouge
    from groundwire.rouge import KINDS

    measure = _choice(fields, "measure", {m: m for m in ("precision", "recall", "f")}, "precision")
    return Rouge(_choice(fields, "kind", {k: k for k in KINDS}, "1"), measure)  # type: ignore[arg-type]


def _bm25(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers.lexical import Bm25Share

    return Bm25Share()


def _hhem(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire import models
    from groundwire.evals.peers.alone import Alone

    return Alone(models.load(fields.get("model", "hhem-2.1-open")))


def _lettucedetect(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers import detector

    return detector.opened(fields.get("model", detector.MODEL))


def _minicheck(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers import minicheck

    return minicheck.opened(fields.get("model", minicheck.MODEL), fields.get("device", "cpu"))


def _alignscore(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers import alignscore

    if "checkpoint" not in fields:
        raise UsageError("alignscore needs its checkpoint", f"peer:alignscore(PATH), with {alignscore.WEIGHTS}")
    return alignscore.opened(fields["checkpoint"], fields.get("backbone", ""), fields.get("device", "cpu"))


def _halueval(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers.judging import HaluEval

    return HaluEval(_judge("halueval", fields, llm), fields.get("task", "qa"), _fenced(fields))


def _lynx(fields: Fields, llm: LLM | None) -> Scorer:
    from groundwire.evals.peers.judging import Lynx

    return Lynx(_judge("lynx", fields, llm), _fenced(fields))


def _fenced(fields: Fields) -> bool:
    return _choice(fields, "fenced", {"yes": "yes", "no": ""}, "no") == "yes"


def _judge(name: str, fields: Fields, llm: LLM | None) -> LLM:
    from groundwire.models.asking import given

    # Its connections are closed when nothing refers to it any more: a checker has no end.
    judge = given(llm if llm is not None else fields.get("model"), ExitStack())
    if judge is None:
        raise UsageError(
            f"{name} needs an LLM", f"peer:{name}(MODEL), a model of the endpoint that the environment names"
        )
    return judge


_KINDS: Mapping[str, _Kind] = {
    "overlap": _Kind(_overlap, ("of",)),
    "rouge": _Kind(_rouge, ("kind", "measure")),
    "bm25": _Kind(_bm25),
    "hhem": _Kind(_hhem, ("model",)),
    "lettucedetect": _Kind(_lettucedetect, ("model",)),
    "minicheck": _Kind(_minicheck, ("model", "device")),
    "alignscore": _Kind(_alignscore, ("checkpoint", "backbone", "device")),
    "halueval": _Kind(_halueval, ("model", "task", "fenced")),
    "lynx": _Kind(_lynx, ("model", "fenced")),
}
"""Every peer by its name."""
