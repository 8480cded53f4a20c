"""The models on this machine: resolve, pull, verify, list. Nothing but `pull` ever opens a socket.

A model directory lies at models/NAME in the folder of `_env` (the name percent-encoded, so that one folder is one name)
and counts once its manifest is there. Left out: talking to the hub (`checkpoints`), the conversion (`export`), loading.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from groundwire import _env
from groundwire.errors import CorruptModel, MissingModel, Unavailable, UsageError
from groundwire.models import catalogue, manifest
from groundwire.models.agreement import Agreement
from groundwire.models.checkpoints import Hub, HuggingFaceHub, module_files, tokenizer_files, weight_files
from groundwire.models.export import Precision, check, export

BUILTIN_FOLDER = Path(__file__).resolve().parent / "builtin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A model directory on this machine. `size` is in bytes."""

    name: str
    path: Path
    revision: str
    precision: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """What a pull did. `agreement` is None when the model was there already."""

    name: str
    path: Path
    revision: str
    precision: str
    agreement: Agreement | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What a verification found: one line a file that differs from the manifest; empty when none does."""

    name: str
    path: Path
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """True when every file is as it was written."""
        return not self.problems


def folder_of(name: str) -> Path:
    """Return where the directory of a known model lies or would lie. Raises UnknownName and UsageError."""
    if name == catalogue.BUILTIN:
        return BUILTIN_FOLDER
    return _env.models_folder() / quote(catalogue.find(name).name, safe="")


def resolve(name: str) -> Path:
    """Return the directory of an installed model; its files are not checked here.

    Raises UnknownName for a name that no model has, MissingModel for one that was not pulled, CorruptModel for a
    package without its built-in model.
    """
    folder = folder_of(name)
    if (folder / manifest.FILE).is_file():
        return folder
    if name == catalogue.BUILTIN:
        raise CorruptModel("the built-in model is not in the package", "install groundwire again")
    raise MissingModel(name)


def installed() -> list[Installed]:
    """Return the built-in model and every pulled one, by name; directories without a manifest are not there."""
    root = _env.models_folder()
    pulled = sorted(root.iterdir()) if root.is_dir() else []
    folders = [
        (catalogue.BUILTIN, BUILTIN_FOLDER),
        *((unquote(p.name), p) for p in pulled if not p.name.startswith(".")),
    ]
    return [_installed(name, folder) for name, folder in folders if (folder / manifest.FILE).is_file()]


def verify(name: str) -> Verified:
    """Compare every file of an installed model with its manifest. Raises UnknownName and MissingModel."""
    folder = resolve(name)
    return Verified(name=name, path=folder, problems=tuple(manifest.problems(folder)))


def pull(
    name: str,
    *,
    precision: Precision = "fp32",
    offline: bool = False,
    force: bool = False,
    hub: Hub | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Pulled:
    """Fetch a model's checkpoint, export it and install its directory; a broken pull leaves nothing that counts.

    The revision is pinned to a commit and recorded. Without `force`, a model that is here in this precision is left
    alone. `offline` (or GROUNDWIRE_OFFLINE) reads the hub's local download cache and opens no socket; `hub` is asked
    in the hub's place. Raises UnknownName, UsageError, NetworkError, Unavailable (no safetensors), and what `export`
    raises.
    """
    if name == catalogue.BUILTIN:
        raise UsageError(f"{name!r} is built in", "there is nothing to pull")
    card, target = catalogue.find(name), folder_of(name)
    if (target / manifest.FILE).is_file() and not force:
        there = _installed(name, target)
        if there.precision != precision:
            raise UsageError(f"{name!r} is here in {there.precision}", f"--force replaces it by {precision}")
        return Pulled(name=name, path=target, revision=there.revision, precision=precision, agreement=None)
    check(precision)
    if hub is None:
        if not card.repo:
            raise Unavailable(
                f"{name} is on no hub", f"groundwire models pull {name} --checkpoint DIR, as its makers have it"
            )
        hub = HuggingFaceHub(offline=offline or _env.offline(), token=_env.hub_token())
    progress(f"looking up {card.repo or name}")
    listing = hub.files(card.repo, card.revision)
    wanted = [*weight_files(card.repo or name, listing.names), *tokenizer_files(listing.names)]
    wanted += module_files(listing.names) if card.kind == "sentence" else []
    progress(f"fetching {card.repo or name} at {listing.commit}")
    checkpoint = hub.fetch(card.repo, listing.commit, wanted)
    tokenizer = checkpoint if card.tokenizer_repo is None else _fetch_tokenizer(hub, card.tokenizer_repo)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".pull-", dir=target.parent, ignore_cleanup_errors=True) as temporary:
        made = Path(temporary) / target.name
        made.mkdir()
        agreement = export(checkpoint, tokenizer, card, made, precision=precision, progress=progress)
        manifest.write(made, _facts(card, listing.commit, precision, agreement))
        _flush(made)
        _put_in_place(made, target)
    return Pulled(name=name, path=target, revision=listing.commit, precision=precision, agreement=agreement)


def _fetch_tokenizer(hub: Hub, repo: str) -> Path:
    listing = hub.files(repo, "main")
    return hub.fetch(repo, listing.commit, tokenizer_files(listing.names))


def _installed(name: str, folder: Path) -> Installed:
    try:
        told = manifest.read(folder)
    except CorruptModel:
        return Installed(name=name, path=folder, revision="", precision="unreadable", size=0)
    return Installed(
        name=name,
        path=folder,
        revision=str(told.get("revision", "")),
        precision=str(told.get("precision", "")),
        size=sum(int(entry.get("size", 0)) for entry in told["files"].values()),
    )


def _facts(card: catalogue.Card, commit: str, precision: Precision, agreement: Agreement) -> dict[str, Any]:
    return {
        "name": card.name,
        "repo": card.repo,
        "revision": commit,
        "licence": card.licence,
        "precision": precision,
        "agreement": agreement.to_dict(),
        "made_with": {package: _version(package) for package in ("groundwire", "torch", "transformers", "onnx")},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _flush(folder: Path) -> None:
    """Bring every file, and on POSIX the folder, to the disk before the rename makes them count."""
    folders = [folder] if os.name == "posix" else []
    for path, mode in [*((file, os.O_RDWR) for file in folder.iterdir()), *((each, os.O_RDONLY) for each in folders)]:
        descriptor = os.open(path, mode)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _put_in_place(made: Path, target: Path) -> None:
    """Rename the finished directory to its place; what was there goes away only after that."""
    if target.exists():
        old = made.parent / "replaced"
        target.rename(old)
        made.rename(target)
        shutil.rmtree(old)
    else:
        made.rename(target)
