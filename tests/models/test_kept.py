from pathlib import Path

from groundwire.cache import Cache
from groundwire.models.kept import KeptScores
from groundwire.models.memory import Scored

ONE, OTHER = b"a" * 32, b"b" * 32
SCORED = Scored(b"\0\1\2\3" * 4, True, b"\7\7")


def test_what_was_scored_is_there_for_the_next_run(tmp_path: Path) -> None:
    with Cache(tmp_path / "scores.db") as cache:
        first = KeptScores(cache, "sha bf16")
        assert first.find([ONE]) == [None]
        first.put([(ONE, SCORED), (OTHER, Scored(b"\1\1\1\1", False))])
        assert first.find([ONE]) == [SCORED]
        assert (first.fresh, first.reused) == (2, 0)
    with Cache(tmp_path / "scores.db") as cache:
        later = KeptScores(cache, "sha bf16")
        assert later.find([b"c" * 32, OTHER, ONE]) == [None, Scored(b"\1\1\1\1", False), SCORED]
        assert (later.fresh, later.reused) == (0, 2)
        later.mark()
        later.find([ONE])
        assert (later.fresh, later.reused) == (0, 1)


def test_models_share_a_file_and_no_score(tmp_path: Path) -> None:
    with Cache(tmp_path / "scores.db") as cache:
        KeptScores(cache, "one").put([(ONE, SCORED)])
        assert KeptScores(cache, "other").find([ONE]) == [None]


def test_a_small_memory_falls_back_on_the_disk(tmp_path: Path) -> None:
    with Cache(tmp_path / "scores.db") as cache:
        kept = KeptScores(cache, "m", max_bytes=0)
        kept.put([(ONE, SCORED)])
        assert len(kept) == 0
        assert kept.find([ONE]) == [SCORED]
