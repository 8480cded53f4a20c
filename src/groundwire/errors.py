"""The errors of Groundwire: a small tree, each with a cause and a hint.

    GroundwireError
    ├── UsageError          exit 2: the caller can mend it (bad input, unknown name, wrong file)
    │   ├── InputError      a value, row or file does not have the shape that was asked for
    │   └── UnknownName     a recipe, model or part that does not exist; says which names are near
    └── Unavailable         exit 3: something that should be there is not
        ├── MissingExtra    an optional dependency is not installed; names the extra
        ├── MissingModel    a known model is not on this machine; names the pull command
        ├── CorruptModel    a model's files do not match their manifest
        ├── MissingIndex    there is no index in this folder; names the command that makes one
        ├── CorruptIndex    a file of an index is missing or damaged; names the file
        ├── NetworkError    a hub or an endpoint could not be reached
        ├── Busy            there is more work waiting than is accepted; says when to come again
        ├── Expired         the time that the work was given is over
        └── Cancelled       whoever asked for the work no longer wants it

Nothing here prints: doors (the command line, the server) turn `str(error)` into their one line.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class GroundwireError(Exception):
    """Base of every error that Groundwire raises on purpose.

    `message` says what is wrong, `hint` what to do about it (may be empty), `exit_code` is what the command line returns.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} (hint: {self.hint})" if self.hint else self.message


class UsageError(GroundwireError):
    """The request itself is wrong."""

    exit_code = 2


class InputError(UsageError):
    """A value, a row or a file is not what the contract asks for."""


class UnknownName(UsageError):
    """No part of this kind has this name."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(name, names, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names)}"
        super().__init__(f"unknown {kind} {name!r}", hint)
        self.name = name


class Unavailable(GroundwireError):
    """Something that the request needs is not on this machine or cannot be reached."""

    exit_code = 3


class NotOpen(Unavailable):
    """It is being started or ended: a matter of a moment, and no failure."""


class MissingExtra(Unavailable):
    """An optional dependency is not installed. `install` is the command that brings what no extra of ours brings."""

    def __init__(self, package: str, extra: str = "", *, install: str = "") -> None:
        super().__init__(f"{package} is not installed", install or f"pip install 'groundwire[{extra}]'")
        self.extra = extra


class MissingModel(Unavailable):
    """A known model whose files are not here; nothing is ever downloaded but by `models pull`."""

    def __init__(self, name: str) -> None:
        super().__init__(f"model {name!r} is not on this machine", f"groundwire models pull {name}")
        self.name = name


class CorruptModel(Unavailable):
    """A model's files differ from their sha256 manifest, so they are not loaded."""


class MissingIndex(Unavailable):
    """There is no index in this folder or at this address; `taken`: something else is there, and none can be made."""

    def __init__(self, folder: str, reason: str = "there is no such folder", *, taken: bool = False) -> None:
        hint = "name another place for the index" if taken else f"groundwire index add CORPUS --to {folder}"
        super().__init__(f"{folder} holds no index: {reason}", hint)
        self.taken = taken


class CorruptIndex(Unavailable):
    """A file of an index is missing, cut or damaged, so nothing of it is used."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} is damaged: {reason}", "put back a copy of the folder, or build the index again")
        self.path = path


class NetworkError(Unavailable):
    """A hub or an endpoint could not be reached, or reaching it was forbidden (`--offline`)."""


class Busy(Unavailable):
    """More work is waiting than is accepted. `retry_after` is in how many whole seconds, at least 1, to come again."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message, f"ask again in {retry_after} s")
        self.retry_after = retry_after


class Expired(Unavailable):
    """The deadline of the work passed before it was done, while it waited or while it ran."""


class Cancelled(Unavailable):
    """Whoever asked for the work no longer wants it, or what does it is closing."""
