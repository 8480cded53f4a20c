"""manifest.json: the sha256 and size of every file of a model directory, and where the model came from.

It is written last, so a directory without one was never finished. Left out: checking before a model is loaded, which is
the loader's part; what is here writes manifests and reports on them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundwire.errors import CorruptModel

FILE = "manifest.json"
SCHEMA = 1


def write(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the manifest of the files in `folder` (a flat directory), after `facts` such as name and revision."""
    files = {
        path.name: {"sha256": digest(path), "size": path.stat().st_size}
        for path in sorted(folder.iterdir())
        if path.name != FILE
    }
    text = json.dumps({"schema": SCHEMA, **facts, "files": files}, indent=2, ensure_ascii=False)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")


def read(folder: Path) -> dict[str, Any]:
    """Return a model directory's manifest. Raises CorruptModel when it is absent, unreadable or of another schema."""
    try:
        manifest: dict[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorruptModel(f"{folder.name}: {FILE} cannot be read", "pull the model again with --force") from error
    if not _is_manifest(manifest):
        raise CorruptModel(f"{folder.name}: {FILE} is not of schema {SCHEMA}", "pull the model again with --force")
    return manifest


def problems(folder: Path) -> list[str]:
    """Return what differs between a model directory and its manifest, one line a file; empty when nothing does."""
    try:
        files = read(folder)["files"]
    except CorruptModel as error:
        return [error.message]
    present = {path.name for path in folder.iterdir()} - {FILE}
    found = [f"{name}: missing" for name in sorted(files.keys() - present)]
    found += [f"{name}: not in the manifest" for name in sorted(present - files.keys())]
    for name in sorted(files.keys() & present):
        entry, path = files[name], folder / name
        if not path.is_file() or path.stat().st_size != entry.get("size"):
            found.append(f"{name}: its size is not the manifest's")
        elif digest(path) != entry.get("sha256"):
            found.append(f"{name}: its sha256 is not the manifest's")
    return found


def digest(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal; it is read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_manifest(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("schema") == SCHEMA
        and isinstance(value.get("files"), dict)
        and all(isinstance(entry, dict) for entry in value["files"].values())
    )
