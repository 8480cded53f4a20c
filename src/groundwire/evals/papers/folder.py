"""A run's directory: config.json, environment.json, ledger.jsonl, metrics.json, tables.md and pictures.

The ledger grows a line at a time; every other file is whole or not there, and a later run over the same folder writes it
anew. Left out: what the files say, and the replies of an LLM (`groundwire.cache`), which lie in `replies.cache`.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from groundwire import __version__, durable
from groundwire.ledger import Ledger

LEDGER, REPLIES = "ledger.jsonl", "replies.cache"
_PACKAGES = ("numpy", "openvino", "onnxruntime", "tokenizers", "openai")
"""What may change a figure, besides Groundwire and the weights."""


class RunFolder:
    """The directory of one run, made where it is not there. Raises Unavailable when it cannot be made or written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            durable.make_folder(path)
        except OSError as error:
            raise durable.cannot("make", path, error) from error

    def ledger(self) -> Ledger:
        """Open the ledger; its errors are those of `Ledger`."""
        return Ledger(self.path / LEDGER)

    def write(self, name: str, data: Mapping[str, Any] | str | bytes) -> None:
        """Write a file: a mapping as JSON, a text as UTF-8, bytes as they are."""
        if not isinstance(data, (str, bytes)):
            data = json.dumps(data, indent=2, allow_nan=False) + "\n"
        durable.write(self.path / name, data if isinstance(data, bytes) else data.encode("utf-8", "backslashreplace"))


def environment() -> dict[str, Any]:
    """Return what a figure may depend on besides the configuration: versions and the kind of machine, no paths."""
    return {
        "groundwire": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": {name: found for name in _PACKAGES if (found := _version(name)) is not None},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
