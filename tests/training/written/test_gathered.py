"""What the checker gathers of a document for a claim."""

from pathlib import Path

from groundwire.training.written.documents import Document, read_documents
from groundwire.training.written.gathered import gathered

FILLER = "".join(
    f". The orchestra rehearsed a quiet movement in hall {n} while rain fell on every roof nearby.\n" for n in range(9)
)
TEXT = f"""== news | a footbridge
. The council voted to replace the old footbridge.
{FILLER}. Dana Whitlock, who chairs the committee, expects work to begin in May.
+ 1,11 | The council voted for a new footbridge, and Dana Whitlock expects work from May.
"""


def document(folder: Path) -> Document:
    (folder / "x.txt").write_text(TEXT, encoding="utf-8")
    return next(read_documents(folder / "x.txt"))


def test_sentences_from_both_ends_come_together(tmp_path: Path) -> None:
    told = document(tmp_path)
    found = gathered(told, told.said[0].text.text)
    assert {0, 10} <= set(found)
    assert len(found) <= 4


def test_nothing_shared_gathers_nothing(tmp_path: Path) -> None:
    assert gathered(document(tmp_path), "Zebras graze.") == []
