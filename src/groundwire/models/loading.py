"""From a name to a model that runs: find the directory, check its files, read them, compile; once a process.

Left out: pulling (`hub`), and any way to take files that differ from their manifest.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from groundwire.errors import CorruptModel, UsageError
from groundwire.models import catalogue, config, hub, integrity, manifest
from groundwire.models.backend import Backend, Precision, open_backend
from groundwire.models.config import Config
from groundwire.models.pair import PairModel

if TYPE_CHECKING:
    from groundwire.models.embed import EmbedModel
    from groundwire.models.memory import ScoreMemory
    from groundwire.models.pairing import Tokenizer
    from groundwire.protocols import RelevanceScorer

_T = TypeVar("_T")
_DIRECTORY = "dir:"
_COSINE = ":cosine"
_loaded: dict[str, Any] = {}
_lock = RLock()


def pair_model(name: str) -> PairModel:
    """Return the process's one model of this name. Raises as `groundwire.models.load`."""
    return _once(name, lambda: open_pair_model(folder_of(name)))


def scorer(spec: str) -> RelevanceScorer:
    """Return the process's one scorer of this spec: a pair model, or an embedder by dot product or `:cosine`."""
    name = spec.removesuffix(_COSINE)
    if config.read(folder_of(name)).output == "vectors":
        embedder: RelevanceScorer = _once(spec, lambda: open_embedder(folder_of(name), cosine=spec != name))
        return embedder
    if name != spec:
        raise UsageError(f"{name} is no embedder, so it has no cosine", f"take {name}")
    return pair_model(name)


def folder_of(name: str) -> Path:
    """Return the model directory of a name, or the PATH of `dir:PATH`. Raises UnknownName, MissingModel, CorruptModel."""
    if not name.startswith(_DIRECTORY):
        return hub.resolve(name)
    folder = Path(name.removeprefix(_DIRECTORY)).expanduser()
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "dir:PATH takes a model directory")
    if not (folder / manifest.FILE).is_file():
        raise CorruptModel(f"{folder} has no {manifest.FILE}", "dir:PATH takes a directory that `models pull` wrote")
    return folder


def open_pair_model(
    folder: Path,
    *,
    precision: Precision = "auto",
    threads: int | None = None,
    memory: ScoreMemory | None = None,
) -> PairModel:
    """Check and open a model directory, anew at each call. `threads` and `precision` are those of `backend`.

    "auto" lets the built-in model, on which that was measured, compute in int8 where the CPU has no bf16.
    """
    identity = integrity.identity(folder)
    told = config.read(folder)
    if told.output == "vectors":
        raise UsageError(f"{told.name} is an embedder: it judges no pairs", "it can rank, as `relevance` of a recipe")
    if precision == "auto" and told.name == catalogue.BUILTIN:
        precision = "auto-int8"
    backend = _backend(folder, told, precision, threads)
    return PairModel(told, _tokenizer(folder, told), backend, identity=identity, memory=memory)


def open_embedder(folder: Path, *, cosine: bool, precision: Precision = "auto") -> EmbedModel:
    """Check and open the model directory of an embedder, anew at each call; it scores by dot product or by cosine."""
    from groundwire.models.embed import EmbedModel

    integrity.identity(folder)
    told = config.read(folder)
    return EmbedModel(told, _tokenizer(folder, told), _backend(folder, told, precision, None), cosine=cosine)


def _backend(folder: Path, told: Config, precision: Precision, threads: int | None) -> Backend:
    tokens = told.reading.tokens
    return open_backend(
        folder / integrity.MODEL,
        inputs=told.inputs,
        output=told.output,
        tokens=None if tokens is None else tokens.output,
        precision=precision,
        threads=threads,
    )


def _tokenizer(folder: Path, told: Config) -> Tokenizer:
    path = folder / told.tokenizer.file
    if told.tokenizer.kind == "wordpiece":
        from groundwire.models.wordpiece import WordPiece

        return WordPiece.open(path, lowercase=told.tokenizer.lowercase)
    from groundwire.models.hftokenizer import HubTokenizer

    return HubTokenizer.open(path, told.prompt)


def _once(name: str, make: Callable[[], _T]) -> _T:
    """Make a model the first time that its name is asked for; others wait, so that it is compiled once."""
    with _lock:
        if name not in _loaded:
            _loaded[name] = make()
        made: _T = _loaded[name]
        return made
