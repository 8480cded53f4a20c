"""Which loops a process uses: numpy's at first, compiled ones when it asks much, and numpy's for good where numba fails."""

import sys
import threading
from collections.abc import Callable
from types import ModuleType

import pytest

from groundwire.errors import MissingExtra, Unavailable, UnknownName
from groundwire.index import LocalIndex, kernels


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process choose, as one that has just begun; a hundredth of a second of numpy is enough for it."""
    monkeypatch.setattr(kernels, "_loops", kernels._Loops())
    monkeypatch.setattr(kernels, "AFTER", 0.01)


def waited() -> None:
    for thread in threading.enumerate():
        if thread.name == "groundwire-loops":
            thread.join()


@pytest.mark.skipif(not kernels.installed(), reason="numba is not here")
def test_the_loops_are_made_ready_after_some_time(
    fresh: None, made: Callable[..., LocalIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = made({"a": "cat dog", "b": "dog"}).bm25()
    monkeypatch.setattr(kernels, "AFTER", 60)
    first = retriever.rank(["cat dog"] * 20, 2)
    assert not any(thread.name == "groundwire-loops" for thread in threading.enumerate())
    monkeypatch.setattr(kernels, "AFTER", 0)
    retriever.rank(["cat dog"], 2)
    waited()
    assert kernels.loops() is not None
    assert retriever.rank(["cat dog"], 2) == first[:1]
    assert kernels.described().startswith("compiled (numba ")


def test_numba_that_fails_leaves_numpy(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "installed", lambda: True)
    monkeypatch.setitem(sys.modules, "groundwire.index.compiled", None)
    kernels.spent(1)
    waited()
    assert kernels.loops() is None
    assert "numba is of no use here: ModuleNotFoundError" in kernels.described()


def test_without_numba_numpy_is_named(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "installed", lambda: False)
    kernels.spent(1)
    assert kernels.loops() is None
    assert not any(thread.name == "groundwire-loops" for thread in threading.enumerate())
    assert kernels.described() == "numpy"


def test_the_choice_can_be_made(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels.use("numpy")
    assert kernels.described() == "numpy"
    with pytest.raises(UnknownName):
        kernels.use("fast")
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtra, match="fast"):
        kernels.use("compiled")


def test_loops_that_were_asked_for_and_fail_are_an_error(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", ModuleType("numba"))
    monkeypatch.setitem(sys.modules, "groundwire.index.compiled", None)
    with pytest.raises(Unavailable, match="compiled"):
        kernels.use("compiled")


def test_info_names_the_loops(made: Callable[..., LocalIndex]) -> None:
    assert made({"a": "cat"}).info().loops == "numpy"
