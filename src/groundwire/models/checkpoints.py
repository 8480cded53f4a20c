"""Where checkpoints come from: the hub, or a folder standing in for it. Safetensors only; a pickle is never fetched.

Left out: what is made of a checkpoint (`export`) and where that is kept (`hub`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from groundwire._optional import require
from groundwire.errors import InputError, NetworkError, Unavailable

TOKENIZER_FILES = frozenset(
    {
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "added_tokens.json",
        "vocab.txt",
        "vocab.json",
        "merges.txt",
        "spm.model",
        "spiece.model",
        "sentencepiece.bpe.model",
    }
)
_WEIGHTS = "model.safetensors"
_INDEX = "model.safetensors.index.json"
_MODULE = re.compile(
    r"modules\.json|config_sentence_transformers\.json|sentence_[\w-]+_config\.json"
    r"|\d+_\w+/(?:config\.json|model\.safetensors)"
)
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a repository at one commit."""

    commit: str
    names: tuple[str, ...]


class Hub(Protocol):
    """What is asked of a hub."""

    def files(self, repo: str, revision: str) -> Listing:
        """Resolve a branch, tag or commit to a commit, and list its files. Raises NetworkError or Unavailable."""
        ...

    def fetch(self, repo: str, commit: str, names: Sequence[str]) -> Path:
        """Bring these files to a local folder and return it. Raises NetworkError or Unavailable."""
        ...


@dataclass(frozen=True, slots=True)
class FolderHub:
    """A checkpoint folder on this machine in the hub's place; every repository is this one folder."""

    folder: Path

    def files(self, repo: str, revision: str) -> Listing:
        """List the folder; it has no commits, so its commit is "local"."""
        if not self.folder.is_dir():
            raise InputError(f"{self.folder} is not a folder", "--checkpoint takes a folder with model.safetensors")
        return Listing("local", _names(self.folder))

    def fetch(self, repo: str, commit: str, names: Sequence[str]) -> Path:
        """Return the folder."""
        return self.folder


@dataclass(frozen=True, slots=True)
class HuggingFaceHub:
    """The Hugging Face hub through its own client and download cache. `offline`: that cache alone, never a socket.

    `kind` is what its repositories hold.
    """

    offline: bool = False
    token: str | None = None
    kind: Literal["model", "dataset"] = "model"

    def files(self, repo: str, revision: str) -> Listing:
        """Ask the hub (offline: its cache) for a commit and its files."""
        client = require("huggingface_hub", "hub")
        with _our_errors(repo, revision):
            if not self.offline:
                hub = client.HfApi(token=self.token)
                info = (hub.dataset_info if self.kind == "dataset" else hub.model_info)(repo, revision=revision)
                return Listing(info.sha, tuple(sibling.rfilename for sibling in info.siblings))
            folder = Path(client.snapshot_download(repo, revision=revision, repo_type=self.kind, local_files_only=True))
            return Listing(folder.name, _names(folder))

    def fetch(self, repo: str, commit: str, names: Sequence[str]) -> Path:
        """Download these files of a commit into the client's cache (a broken download is taken up again)."""
        client = require("huggingface_hub", "hub")
        with _our_errors(repo, commit):
            folder = client.snapshot_download(
                repo,
                revision=commit,
                repo_type=self.kind,
                allow_patterns=list(names),
                token=self.token,
                local_files_only=self.offline,
            )
            return Path(folder)


def weight_files(repo: str, names: Iterable[str]) -> list[str]:
    """Choose config.json and the safetensors weights among a repository's files.

    Raises Unavailable when there are none; pickles are named in the error and never fetched.
    """
    present = set(names)
    shards = sorted(name for name in present if name.startswith("model-") and name.endswith(".safetensors"))
    chosen = [_WEIGHTS] if _WEIGHTS in present else [_INDEX, *shards] if _INDEX in present and shards else []
    if chosen and "config.json" in present:
        return ["config.json", *chosen]
    pickles = sorted(name for name in present if name.endswith(_PICKLES))
    if pickles and not chosen:
        raise Unavailable(
            f"{repo} has its weights only as {pickles[0]}, a pickle, which is never loaded",
            "huggingface.co/spaces/safetensors/convert opens a pull request with safetensors: pull NAME@refs/pr/N; "
            "or convert them yourself: models pull NAME --checkpoint DIR",
        )
    raise Unavailable(f"{repo} has no {'config.json' if chosen else _WEIGHTS}, so it is no checkpoint of ours")


def tokenizer_files(names: Iterable[str]) -> list[str]:
    """Choose the files of a tokenizer among a repository's files."""
    return sorted(TOKENIZER_FILES.intersection(names))


def module_files(names: Iterable[str]) -> list[str]:
    """Choose what a sentence encoder's repository says of itself: its list of modules, and each module's own folder."""
    return sorted(name for name in names if _MODULE.fullmatch(name))


def _names(folder: Path) -> tuple[str, ...]:
    """Name the files of a folder and of the folders in it, as the hub does."""
    found = [*folder.iterdir(), *folder.glob("*/*")]
    return tuple(sorted(path.relative_to(folder).as_posix() for path in found if not path.is_dir()))


@contextmanager
def _our_errors(repo: str, revision: str) -> Iterator[None]:
    """Turn the errors of the hub's client into ours, in one line."""
    try:
        yield
    except Exception as error:
        translated = _translated(error, f"{repo} at revision {revision}")
        if translated is None:
            raise
        raise translated from error


def _translated(error: Exception, where: str) -> Unavailable | None:
    errors: Any = require("huggingface_hub.errors", "hub")
    if isinstance(error, errors.GatedRepoError):
        return Unavailable(
            f"{where} is gated", "accept its terms on the hub, then set HF_TOKEN to a token that may read it"
        )
    if isinstance(error, (errors.RepositoryNotFoundError, errors.RevisionNotFoundError)):
        return Unavailable(f"the hub shows no {where}", "check the name; a private one needs HF_TOKEN")
    if isinstance(error, errors.LocalEntryNotFoundError):
        return NetworkError(
            f"{where} is not in the hub's local cache, and the hub was not reached",
            "pull it without --offline where there is a network, or take a folder: --checkpoint DIR",
        )
    # The hub's errors are OSErrors; those of the HTTP library beneath are known by where they are defined.
    if isinstance(error, OSError) or type(error).__module__.startswith("http"):
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        return NetworkError(
            f"the hub could not be reached for {where}: {reason}",
            "--offline takes what was downloaded before, --checkpoint DIR a folder",
        )
    return None
