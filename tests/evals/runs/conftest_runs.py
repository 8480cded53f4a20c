"""A checker that reads its score off the answer, and rows for it."""

from collections.abc import Sequence

from groundwire.evals.runs import Config, Data
from groundwire.types import Case, Label, Passage, Stage, Trace, Verdict


class Known:
    """The score is the answer; an answer that is no number cannot be checked. `checked` are the ids that it was asked."""

    threshold = 0.5

    def __init__(self, name: str = "known", shift: float = 0.0) -> None:
        self.name, self.shift = name, shift
        self.checked: list[str] = []

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        self.checked += [case.id for case in cases]
        stages = (Stage(name="entail", items=len(cases), seconds=0.1),)
        return [self._verdict(case, Trace(recipe=self.name, model="fake", stages=stages)) for case in cases]

    def _verdict(self, case: Case, trace: Trace) -> Verdict:
        try:
            score = min(max(float(case.answer) + self.shift, 0.0), 1.0)
        except ValueError:
            return Verdict(
                case=case, label=Label.NOT_CHECKABLE, score=None, threshold=0.5, reason="no number", trace=trace
            )
        label = Label.SUPPORTED if score >= 0.5 else Label.NOT_ENOUGH_INFO
        return Verdict(case=case, label=label, score=score, threshold=0.5, trace=trace)


def case(n: int, answer: object, label: Label | None, **more: object) -> Case:
    return Case(id=f"r{n}", answer=str(answer), contexts=(Passage(id="0", text=f"text {n}"),), label=label, **more)  # type: ignore[arg-type]


YES, NO = Label.SUPPORTED, Label.NOT_ENOUGH_INFO
SETS: dict[str, list[Case]] = {
    "test": [
        case(0, 0.9, YES, slice="a"),
        case(1, 0.4, YES, slice="a"),
        case(2, 0.45, Label.CONTRADICTED, slice="a"),
        case(3, 0.1, NO, slice="b", group="g"),
        case(4, 0.8, YES, slice="b", group="g"),
        case(5, "?", NO, slice="b"),
    ],
    "dev": [case(10, 0.3, YES), case(11, 0.2, NO), case(12, 0.25, NO), case(13, 0.7, YES)],
    "one": [case(20, 0.3, YES), case(21, 0.9, YES)],
    "none": [],
}


def config(*names: str, checkers: tuple[str, ...] = ("known",), **more: object) -> Config:
    data = tuple(Data(name=name) for name in names)
    return Config(data=data, checkers=checkers, resamples=100, **more)  # type: ignore[arg-type]
