"""Samples of written documents."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS
from groundwire.training.written import claims
from groundwire.training.written.claims import MOST, written
from groundwire.training.written.documents import Document, read_documents

TEXT = """== news | a footbridge
. The council voted 7 to 4 to replace the bridge.
. Work on it begins in May, said Dana Whitlock of the transport committee, who had long asked for it.
. It was closed in the year before last, when a lorry struck one of the two piers and left the deck hanging.
. Three of those who voted against the plan had asked for repairs, which engineers put at half of the price.
. The mayor was not there.
+ 1 | There were seven votes for a new bridge.
! 3 | The bridge was closed when {a flood} hit it.
? 2 | Work begins in May and {takes a year}.
! 1 @ How did they vote? | {6 to 4}.
== note | a shop
. It opens at nine.
+ 1 | The shop is open from nine.
! 1 | The shop is open from {ten}.
"""


def documents(folder: Path) -> list[Document]:
    """Two documents."""
    path = folder / "x.txt"
    path.write_text(TEXT, encoding="utf-8")
    return list(read_documents(path))


def test_a_round_holds_every_claim_once_with_its_label(tmp_path: Path) -> None:
    found = [s for s in islice(written(documents(tmp_path), Random(1)), 400) if not s.operator]
    counts = Counter(s.label for s in found)
    assert set(counts) == {SUPPORTS, REFUTES, NEI}
    assert abs(counts[REFUTES] / len(found) - 3 / 6) < 0.02
    assert {s.source for s in found} == {"written"}


def test_what_decides_is_in_the_evidence_and_else_taken_out(tmp_path: Path) -> None:
    for sample in islice(written(documents(tmp_path), Random(2)), 400):
        if "flood" in sample.claim:
            assert ("lorry" in sample.evidence) == (sample.operator != "missing")
            assert sample.label == (NOT_SUPPORTED if sample.operator == "missing" else REFUTES)


def test_a_wide_claim_comes_once_more_beside_a_part_of_what_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    path.write_text(TEXT.replace("+ 1 | There were", "+ 1,2,3 | After the crash there were"), encoding="utf-8")
    monkeypatch.setattr(claims, "WINDOWS", (25,))
    [bridge, _] = read_documents(path)
    lines = {place: bridge.sentences[place] for place in range(3)}
    found = [s for s in islice(written([bridge], Random(2)), 600) if "crash" in s.claim.lower() and not s.spans]
    parts = [s for s in found if s.operator == "missing" and any(line in s.evidence for line in lines.values())]
    assert parts
    assert all(s.label == NOT_SUPPORTED and s.spans is None for s in parts)
    assert not any(all(line in s.evidence for line in lines.values()) for s in parts)


def test_evidence_is_alone_a_window_or_the_whole_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "ASIDE", 0.0)
    bridge = documents(tmp_path)[:1]
    whole = " ".join(bridge[0].sentences)
    evidence = {s.evidence for s in islice(written(bridge, Random(3)), 400) if "seven votes" in s.claim.lower()}
    assert bridge[0].sentences[0] in evidence
    assert whole in evidence
    monkeypatch.setattr(claims, "MISSING", 0.0)
    monkeypatch.setattr(claims, "WINDOWS", (30,))
    found = {s.evidence for s in islice(written(bridge, Random(3)), 400) if "seven votes" in s.claim.lower()}
    windows = {text for text in found if text in whole and text not in (whole, bridge[0].sentences[0])}
    assert windows
    assert all(text.startswith("The council") and len(text.split()) <= 30 for text in windows)


def test_no_length_is_only_of_evidence_that_lacks_what_decides(tmp_path: Path) -> None:
    told = "\n".join(
        f". On day {n} the ship called at a port, took on water, and nobody at all went ashore." for n in range(60)
    )
    path = tmp_path / "long.txt"
    path.write_text(f"== log | a ship\n{told}\n+ 30 | It called at a port on day 29.\n", encoding="utf-8")
    lengths: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for sample in islice(written(list(read_documents(path)), Random(7)), 2000):
        lengths[bool(sample.operator)][len(sample.evidence.split()) // 50] += 1
    whole, missing = lengths[False], lengths[True]
    assert set(missing) <= set(whole)
    assert missing[4] / missing.total() < 2 * whole[4] / whole.total()


def test_of_a_long_document_no_more_is_read_than_a_pair_holds(tmp_path: Path) -> None:
    sentences = "\n".join(
        f". On day {n} the ship called at the port of {n} lamps, and nobody went ashore." for n in range(60)
    )
    path = tmp_path / "long.txt"
    path.write_text(f"== log | a ship\n{sentences}\n+ 2,50 | It called at ports 1 and 49.\n", encoding="utf-8")
    found = list(islice(written(list(read_documents(path)), Random(6)), 200))
    lengths = [len(sample.evidence.split()) for sample in found]
    assert MOST - 20 < max(lengths) <= MOST + 20  # one sentence of another document may stand beside it
    for sample in found:
        assert ("port of 1 lamps" in sample.evidence and "port of 49 lamps" in sample.evidence) == (not sample.operator)


def test_spans_follow_the_words_into_the_claim_prompt(tmp_path: Path) -> None:
    seen = set()
    for sample in islice(written(documents(tmp_path), Random(4)), 400):
        for start, end in sample.spans or ():
            seen.add(sample.claim[start:end].lower())
        assert (sample.spans == ()) == (sample.label == SUPPORTS)
    assert {"a flood", "takes a year", "6 to 4", "ten"} <= seen


def test_the_same_seed_gives_the_same_samples(tmp_path: Path) -> None:
    found = documents(tmp_path)
    first, second = (list(islice(written(found, Random(5)), 60)) for _ in range(2))
    assert first == second


def test_without_documents_there_are_no_samples() -> None:
    assert list(written([], Random(1))) == []


def test_a_gathered_premise_keeps_the_label_only_where_it_holds_what_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "GATHERED", 1.0)
    monkeypatch.setattr(claims, "gathered", lambda document, claim: [0])
    monkeypatch.setattr(claims, "RESPELLED", 0.0)
    missing = 0
    for sample in islice(written(documents(tmp_path)[:1], Random(4)), 300):
        if "seven" in sample.claim.lower():
            assert sample.label == SUPPORTS
            assert sample.evidence == "The council voted 7 to 4 to replace the bridge."
        elif "flood" in sample.claim and sample.operator:
            assert sample.label == NOT_SUPPORTED
            assert sample.relevance == -1
            missing += 1
    assert missing > 20
