"""From a name to a model that runs: find the directory, check its files, read them, compile; once a process.

Left out: pulling (`hub`), and any way to take files that differ from their manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from groundwire.errors import CorruptModel, UnknownName, UsageError
from groundwire.models import catalogue, config, hub, integrity, manifest
from groundwire.models.backend import Backend, Precision, open_backend
from groundwire.models.config import Config, Output, Side
from groundwire.models.execution import Direct, Execution, Switch
from groundwire.models.pair import PairModel
from groundwire.models.reading import Reading

if TYPE_CHECKING:
    from groundwire.models.embed import EmbedModel
    from groundwire.models.memory import ScoreMemory
    from groundwire.models.pairing import Tokenizer
    from groundwire.models.seq2seq import DuoT5, MonoT5
    from groundwire.models.sparse import SparseEncoder
    from groundwire.protocols import RelevanceScorer

_T = TypeVar("_T")
_DIRECTORY = "dir:"
_COSINE = ":cosine"
_loaded: dict[str, Any] = {}
_lock = RLock()
_execution = Switch(Direct())
"""What every model that is opened here runs on."""


def execute_by(execution: Execution) -> Execution:
    """Let every model of the process, open and to come, run on this; return what they ran on. Calls that run go on."""
    return _execution.turn(execution)


def execute_no_longer_by(execution: Execution) -> None:
    """Let models run on this no longer, but as they did before; what was set after it stays."""
    _execution.leave(execution)


def pair_model(name: str) -> PairModel:
    """Return the process's one model of this name. Raises as `groundwire.models.load`."""
    return _once(name, lambda: open_pair_model(folder_of(name)))


def judging_model(name: str) -> PairModel:
    """Return the same, and for an unknown name say only the names of models that judge."""
    try:
        return pair_model(name)
    except UnknownName as error:
        raise UnknownName("model", error.name, catalogue.names(judging=True)) from error


def scorer(spec: str) -> RelevanceScorer:
    """Return the process's one scorer of this spec: a pair model, monoT5, or an embedder by dot product or `:cosine`."""
    name = spec.removesuffix(_COSINE)
    told = config.read(folder_of(name))
    output = told.output
    if output == "vectors" or (told.vector is not None and spec != name):
        embedder: RelevanceScorer = _once(
            f"encoder {spec}", lambda: open_embedder(folder_of(name), cosine=spec != name)
        )
        return embedder
    if name != spec:
        raise UsageError(f"{name} is no embedder, so it has no cosine", f"take {name}")
    if output == "answer":
        answering: RelevanceScorer = _once(f"mono {name}", lambda: open_mono(folder_of(name)))
        return answering
    return pair_model(name)


def encoder(name: str) -> EmbedModel:
    """Return the process's one dense encoder of this name. Raises as `groundwire.models.load_encoder`."""
    return _once(f"encoder {name}", lambda: open_embedder(folder_of(name), cosine=False))


def sparse(name: str) -> SparseEncoder:
    """Return the process's one sparse encoder of this name. Raises as `groundwire.models.load_sparse`."""
    return _once(f"sparse {name}", lambda: open_sparse(folder_of(name)))


def duo(name: str) -> DuoT5:
    """Return the process's one comparing model of this name. Raises as `groundwire.models.load_duo`."""
    return _once(f"duo {name}", lambda: open_duo(folder_of(name)))


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
    _expect(told, "logits")
    if told.name == catalogue.BUILTIN:
        told = replace(told, languages=told.languages or catalogue.BUILTIN_LANGUAGES)
        precision = "auto-int8" if precision == "auto" else precision
    backend = _backend(folder, told, precision, threads)
    return PairModel(told, _tokenizer(folder, told), backend, identity=identity, memory=memory, execution=_execution)


def open_mono(folder: Path, *, precision: Precision = "auto", memory: ScoreMemory | None = None) -> MonoT5:
    """Check and open the model directory of a monoT5, anew at each call."""
    from groundwire.models.seq2seq import MonoT5

    identity = integrity.identity(folder)
    told = config.read(folder)
    _expect(told, "answer", texts=2)
    backend = _backend(folder, told, precision, None)
    tokenizer = _tokenizer(folder, told)
    return MonoT5(PairModel(told, tokenizer, backend, identity=identity, memory=memory, execution=_execution))


def open_duo(folder: Path, *, precision: Precision = "auto") -> DuoT5:
    """Check and open the model directory of a duoT5, anew at each call."""
    from groundwire.models.hftokenizer import HubTokenizer
    from groundwire.models.seq2seq import DuoT5

    identity = integrity.identity(folder)
    told = config.read(folder)
    _expect(told, "answer", texts=3)
    tokenizer = HubTokenizer.open(folder / told.tokenizer.file, told.prompt)
    backend = _backend(folder, told, precision, None)
    return DuoT5(told, tokenizer, backend, identity=identity, execution=_execution)


def open_embedder(folder: Path, *, cosine: bool, precision: Precision = "auto") -> EmbedModel:
    """Check and open the model directory of a dense encoder, anew at each call; it scores by dot product or by cosine."""
    from groundwire.models.embed import EmbedModel

    identity = integrity.identity(folder)
    told = _as_encoder(config.read(folder))
    _expect(told, "vectors")
    backend = _backend(folder, told, precision, None)
    return EmbedModel(told, _tokenizer(folder, told), backend, cosine=cosine, identity=identity, execution=_execution)


def _as_encoder(told: Config) -> Config:
    """Return a pair model that has a vector for a single text as the encoder that it is too; anything else as it is."""
    if told.vector is None:
        return told
    side = Side(max_length=told.vector.max_length)
    return replace(told, output="vectors", reading=Reading(), query=side, passage=side)


def open_sparse(folder: Path, *, precision: Precision = "auto") -> SparseEncoder:
    """Check and open the model directory of a sparse encoder, anew at each call."""
    from groundwire.models.sparse import SparseEncoder

    identity = integrity.identity(folder)
    told = config.read(folder)
    _expect(told, "terms")
    tokenizer, backend = _tokenizer(folder, told), _backend(folder, told, precision, None)
    return SparseEncoder(told, tokenizer, backend, identity=identity, execution=_execution)


_KINDS: Mapping[tuple[Output, int], tuple[str, str]] = {
    ("logits", 2): ("a model of text pairs", "take it as a judge or to rank: groundwire.models.load, load_scorer"),
    ("answer", 2): ("a reranker of single passages", "it can rank: groundwire.models.load_scorer"),
    ("answer", 3): ("a reranker that compares two passages", "it can reorder: groundwire.models.load_duo"),
    ("vectors", 2): ("an embedder: it judges no pairs", "it can rank, as `relevance` of a recipe; load_encoder"),
    ("terms", 2): ("a sparse encoder", "it can make an index: groundwire.models.load_sparse"),
}
"""What a model is, by what its file gives and how many texts go in at once, and what to do with it."""


def _expect(told: Config, output: Output, *, texts: int = 2) -> None:
    """Raise UsageError when a model is of another kind than it is asked to be."""
    found = (told.output, 3 if told.prompt is not None and "{c}" in told.prompt else 2)
    if found != (output, texts):
        is_a, hint = _KINDS.get(found, ("of an unknown kind", "pull it again with --force"))
        raise UsageError(f"{told.name} is {is_a}", hint)


def _backend(folder: Path, told: Config, precision: Precision, threads: int | None) -> Backend:
    tokens = told.reading.tokens
    vector = told.vector if told.output == "vectors" else None
    return open_backend(
        folder / integrity.MODEL,
        inputs=told.inputs,
        output=told.output if vector is None else vector.output,
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
