"""The adapters of other people's packages, against fakes that have the calls which their READMEs document."""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from groundwire.errors import CorruptModel, Unavailable
from groundwire.evals import peers
from groundwire.evals.peers.alone import CUT, Alone
from groundwire.evals.peers.peer import Peer
from groundwire.testing import OverlapModel
from groundwire.types import Case, Label, Passage, Span

ANSWER = "Paris is the capital. It has 69 million people."
CASE = Case(
    id="0",
    question="What is the capital?",
    answer=ANSWER,
    contexts=(Passage(id="a", text="Paris is the capital."), Passage(id="b", text=" "), Passage(id="c", text="67 m.")),
)


def install(monkeypatch: pytest.MonkeyPatch, module: str, **members: Any) -> None:
    """Put a package that holds these into the place of the real one."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    parts = module.split(".")
    for n in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:n]), ModuleType(".".join(parts[:n])))
    for name, value in members.items():
        setattr(sys.modules[module], name, value)


class HallucinationDetector:
    def __init__(self, *, method: str, model_path: str) -> None:
        if model_path == "ORG/ABSENT":
            raise OSError("no such files, and fetching them is not allowed")
        self.said, self.calls = (method, model_path), list[str]()

    def predict(self, *, context: list[str], question: str, answer: str, output_format: str) -> list[dict[str, Any]]:
        assert (context, question) == (["Paris is the capital.", "67 m."], "What is the capital?")
        self.calls.append(output_format)
        wrong = answer.find("69 million")
        if output_format == "tokens":
            return [{"token": "Paris", "pred": 0, "prob": 0.125}, {"token": "69", "pred": 1, "prob": 0.875}][
                : 1 + (wrong > 0)
            ]
        return [{"start": wrong, "end": wrong + 10, "confidence": 0.875, "text": "69 million"}]


def test_lettucedetect_scores_by_the_worst_token_and_marks_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "lettucedetect.models.inference", HallucinationDetector=HallucinationDetector)
    checker = peers.open("peer:lettucedetect(ORG/NAME)")
    assert isinstance(checker, Peer)
    wrong = checker.check([CASE])[0]
    assert (wrong.label, wrong.score) == (Label.NOT_ENOUGH_INFO, 0.125)
    start = ANSWER.index("69")
    assert wrong.claims[0].spans == (Span(source="answer", start=start, end=start + 10),)
    right = checker.check([Case(id="1", question=CASE.question, answer="Paris.", contexts=CASE.contexts)])[0]
    assert (right.label, right.score, right.claims[0].spans) == (Label.SUPPORTED, 0.875, ())
    assert checker.scorer.detector.calls == ["tokens", "spans", "tokens"]  # type: ignore[attr-defined]
    assert right.trace is not None
    assert (right.trace.model, right.trace.stages[0].items) == ("ORG/NAME", 1)


def test_weights_that_are_not_here_are_exit_3_and_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "lettucedetect.models.inference", HallucinationDetector=HallucinationDetector)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    with pytest.raises(Unavailable, match="ORG/ABSENT"):
        peers.open("peer:lettucedetect(ORG/ABSENT)")
    assert os.environ["HF_HUB_OFFLINE"] == "1"


class MiniCheck:
    def __init__(self, *, model_name: str, device: str) -> None:
        self.said = model_name, device

    def score(
        self, *, docs: list[str], claims: list[str]
    ) -> tuple[list[int], list[float], list[str], list[list[float]]]:
        assert set(docs) == {"Paris is the capital.\n67 m."}
        scores = [0.25 if "69" in claim else 0.75 for claim in claims]
        return [int(score > 0.5) for score in scores], scores, docs, [[score] for score in scores]


def test_minicheck_judges_every_sentence_and_takes_the_weakest(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "minicheck.minicheck", MiniCheck=MiniCheck)
    checker = peers.open("peer:minicheck(roberta-large, device=cuda)")
    right = Case(id="1", answer="Paris is the capital.", contexts=CASE.contexts)
    verdicts = checker.check([CASE, right])
    assert [verdict.score for verdict in verdicts] == [0.25, 0.75]
    assert [span.of(ANSWER) for span in verdicts[0].claims[0].spans] == ["It has 69 million people."]
    assert checker.scorer.scorer.said == ("roberta-large", "cuda")  # type: ignore[attr-defined]


class AlignScore:
    def __init__(self, *, model: str, batch_size: int, device: str, ckpt_path: str, evaluation_mode: str) -> None:
        assert batch_size > 0
        self.said = model, device, Path(ckpt_path).name, evaluation_mode

    def score(self, *, contexts: list[str], claims: list[str]) -> list[float]:
        return [0.5 if context and claim else 0.0 for context, claim in zip(contexts, claims, strict=True)]


@pytest.mark.parametrize(("name", "backbone"), [("AlignScore-base.ckpt", "base"), ("AlignScore-large.ckpt", "large")])
def test_alignscore_takes_the_backbone_of_its_checkpoint(
    name: str, backbone: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, "alignscore", AlignScore=AlignScore)
    (tmp_path / name).touch()
    checker = peers.open(f"peer:alignscore({tmp_path / name})")
    assert checker.check([CASE])[0].score == 0.5
    assert checker.scorer.scorer.said == (f"roberta-{backbone}", "cpu", name, "nli_sp")  # type: ignore[attr-defined]


def test_a_model_alone_reads_one_pair_and_says_what_it_cut() -> None:
    class Short(OverlapModel):
        def truncated(self, pairs: Any) -> list[bool]:
            return [len(premise) > 30 for premise, _ in pairs]

    checker = Peer(name="peer:hhem", scorer=Alone(Short()))
    long = Case(id="1", answer="Paris capital", contexts=(*CASE.contexts, Passage(id="d", text="word " * 9)))
    first, second = checker.check([Case(id="0", answer="Paris capital", contexts=CASE.contexts), long])
    assert (first.score, first.reason, second.score, second.reason) == (1, None, 1, CUT)


@pytest.mark.parametrize("scores", [[1.5], [float("nan")], []])
def test_a_peer_that_returns_no_score_in_0_to_1_is_an_error(
    scores: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(MiniCheck):
        def score(self, *, docs: list[str], claims: list[str]) -> Any:
            return [], (scores or [0.5]) * len(claims), [], []

    install(monkeypatch, "minicheck.minicheck", MiniCheck=Broken)
    checker = peers.open("peer:minicheck")
    if not scores:
        monkeypatch.setattr(type(checker.scorer), "score", lambda *_: [])  # type: ignore[attr-defined]
    with pytest.raises(CorruptModel):
        checker.check([CASE])


def test_what_cannot_be_checked_never_reaches_a_peer() -> None:
    nothing = [
        Case(id="0", answer=" ", contexts=CASE.contexts),
        Case(id="1", answer="x", contexts=()),
        Case(id="2", answer="x", contexts=CASE.contexts, reason="the row says so"),
    ]
    verdicts = peers.open("peer:overlap").check(nothing)
    assert [verdict.label for verdict in verdicts] == [Label.NOT_CHECKABLE] * 3
    assert [verdict.reason for verdict in verdicts][2] == "the row says so"
    assert all(verdict.score is None and verdict.reason for verdict in verdicts)
