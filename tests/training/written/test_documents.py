"""Written documents: what their form means, and what is none of it."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.text import content_terms
from groundwire.training.metrics import auc
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS
from groundwire.training.written.documents import load_documents, read_documents, rows_of, unbraced

BRIDGE = """== news | a footbridge
. The council voted 7 to 4 to replace it.
. Work begins in May.
+ 1,2 | The council wants a new bridge, with work from May.
! 1 | The council voted {7 to 5} for {a tunnel}.
? 2 @ When does it begin? | In May, {on a Monday}.

== note | a shop
. It opens at nine.
+ 1 | It opens at 9.
"""


def written_to(folder: Path, text: str) -> Path:
    """A file of documents."""
    path = folder / "news-01.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_documents_with_their_claims(tmp_path: Path) -> None:
    bridge, shop = read_documents(written_to(tmp_path, BRIDGE))
    assert (bridge.register, bridge.topic, len(bridge.sentences)) == ("news", "a footbridge", 2)
    assert [said.label for said in bridge.said] == [SUPPORTS, REFUTES, NEI]
    assert bridge.said[0].at == (0, 1)
    assert bridge.said[2].question == "When does it begin?"
    assert shop.said[0].text.text == "It opens at 9."


def test_a_claim_may_be_unbacked_without_more_and_then_has_two_labels_and_not_three(tmp_path: Path) -> None:
    [shop] = read_documents(
        written_to(tmp_path, "== note | a shop\n. It opens at nine.\n+ 1 | At nine.\n- 1 | It {closes} at nine.\n")
    )
    assert [said.label for said in shop.said] == [SUPPORTS, NOT_SUPPORTED]
    assert [(row["label"], row["label3"]) for row in rows_of(shop)] == [(1, "supports"), (0, None)]


def test_braces_mark_what_is_not_backed(tmp_path: Path) -> None:
    bridge, _ = read_documents(written_to(tmp_path, BRIDGE))
    text = bridge.said[1].text
    assert text.text == "The council voted 7 to 5 for a tunnel."
    assert [text.text[start:end] for start, end in text.spans] == ["7 to 5", "a tunnel"]
    assert unbraced("none").spans == ()


@pytest.mark.parametrize(
    "line",
    [
        "+ 3 | Sentence three is not there.",
        "+ 0 | Nor is sentence zero.",
        "+ 1 | It {opens} at nine.",
        "! 1 | It opens at ten.",
        "- 1 | It opens at ten.",
        "! 1 | It opens {at {ten}}.",
        "* 1 | It opens.",
        "+ | It opens.",
        "It opens.",
    ],
)
def test_a_line_that_is_no_claim_is_named(tmp_path: Path, line: str) -> None:
    path = written_to(tmp_path, f"== note | a shop\n. It opens at nine.\n{line}\n")
    with pytest.raises(InputError, match=r"claim|sentence|braces"):
        list(read_documents(path))


@pytest.mark.parametrize(
    "text", ["== note\n. It opens.\n+ 1 | Yes.\n", "== note | x\n+ 1 | Yes.\n", "== note | x\n. No claims.\n"]
)
def test_a_document_needs_a_topic_sentences_and_claims(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        list(read_documents(written_to(tmp_path, text)))


def test_the_texts_of_the_package_are_sound() -> None:
    documents = load_documents()
    labels = [said.label for document in documents for said in document.said]
    assert len(documents) >= 800
    assert min(labels.count(label) for label in (SUPPORTS, REFUTES, NEI)) > len(labels) / 6
    assert len({(document.register, document.topic, document.sentences[0]) for document in documents}) == len(documents)


def test_words_in_common_do_not_give_the_label_away() -> None:
    shares: dict[str, list[float]] = defaultdict(list)
    backed: dict[str, list[bool]] = defaultdict(list)
    for document in load_documents():
        told = set(content_terms(" ".join(document.sentences)))
        for said in document.said:
            own = set(content_terms(said.text.text))
            for group in ("all", document.register):
                shares[group].append(len(own & told) / max(1, len(own)))
                backed[group].append(said.label == SUPPORTS)
    found = {group: auc(shares[group], backed[group]) or 0.0 for group in shares}
    assert 0.45 < found.pop("all") < 0.6
    assert {group: value for group, value in found.items() if not 0.25 < value < 0.75} == {}


def test_what_a_turned_document_backs_its_twin_denies() -> None:
    """Neither a claim alone nor a document's manner of speaking tells anything there."""
    labels: dict[tuple[str, str], list[int]] = defaultdict(list)
    for document in load_documents():
        if document.register in ("turned", "overturned"):
            item = document.topic.rpartition(" (")[0]
            for said in document.said:
                labels[f"{document.register}/{item}", said.text.text].append(said.label)
    assert len(labels) > 8000
    assert all(sorted(found) == sorted((SUPPORTS, REFUTES) * (len(found) // 2)) for found in labels.values())
