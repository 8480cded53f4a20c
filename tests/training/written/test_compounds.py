"""Two claims of one document in one sentence."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from groundwire.training.compounds import DOUBLED
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, Marked
from groundwire.training.written.claims import written
from groundwire.training.written.compounds import joined
from groundwire.training.written.documents import Document, Said, read_documents

TEXT = """== news | a footbridge
. The council voted 7 to 4 to replace the bridge.
. Work on it begins in May.
. It was closed when a lorry struck one of the piers.
+ 1 | The council wants a new bridge.
+ 3 | A lorry hit the bridge.
! 2 | Work begins in {June}.
? 2 | Work {takes a year}.
+ 1 @ How did they vote? | 7 to 4.
"""


@pytest.fixture
def bridge(tmp_path: Path) -> Document:
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    [document] = read_documents(tmp_path / "x.txt")
    return document


def made(document: Document, n: int) -> list[Said]:
    """What the nth claim becomes with others, many times over."""
    found = (joined(document, document.said[n], Random(seed)) for seed in range(200))
    return [said for said in found if said is not None]


def test_both_are_said_with_what_decides_them(bridge: Document) -> None:
    found = made(bridge, 0)
    texts = {said.text.text for said in found}
    assert "The council wants a new bridge, and a lorry hit the bridge." in texts
    assert "A lorry hit the bridge; the council wants a new bridge." in texts
    assert all(said.at == (0, 2) for said in found if said.label == SUPPORTS)
    assert {said.label for said in found} == {SUPPORTS, REFUTES, NEI}


def test_the_wrong_words_of_either_are_marked(bridge: Document) -> None:
    for said in made(bridge, 2):
        words = {said.text.text[start:end] for start, end in said.text.spans}
        assert words == ({"June", "takes a year"} if "year" in said.text.text else {"June"})
    unmarked = Said(label=REFUTES, at=(1,), question=None, text=Marked("Work begins in June."))
    document = Document(register="x", topic="y", sentences=bridge.sentences, said=(unmarked, bridge.said[0]))
    for said in made(document, 0):
        assert [said.text.text[start:end].lower() for start, end in said.text.spans] == ["work begins in june"]


def test_answers_to_questions_and_long_claims_stay_alone(bridge: Document) -> None:
    assert made(bridge, 4) == []
    assert all("7 to 4" not in said.text.text for n in range(4) for said in made(bridge, n))
    long = Said(label=SUPPORTS, at=(0,), question=None, text=Marked("A " + "very " * 30 + "long claim."))
    assert (
        joined(Document(register="x", topic="y", sentences=("A.",), said=(long, bridge.said[0])), long, Random(1))
        is None
    )


def test_half_right_and_right_ones_are_both_common_among_the_samples(bridge: Document) -> None:
    stream = written([bridge], Random(4))
    found = [sample for sample in (next(stream) for _ in range(2000)) if sample.operator == DOUBLED]
    assert 200 < len(found) < 700
    right = sum(sample.label == SUPPORTS for sample in found) / len(found)
    assert 0.25 < right < 0.6
    assert all((sample.spans == ()) == (sample.label == SUPPORTS) for sample in found)
    assert all("lorry" in s.evidence for s in found if "lorry" in s.claim.lower())
