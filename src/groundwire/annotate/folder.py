"""An annotation in its folder: draw.json, items.jsonl, judgements.jsonl.

The draw is made once and kept with its texts: whoever comes later judges the same items in the same order, whatever has
become of the run. It is there when draw.json is, which is written last.

Left out: making the items.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire import durable
from groundwire.annotate.items import Item
from groundwire.errors import InputError, UsageError

DRAW, ITEMS, JUDGEMENTS = "draw.json", "items.jsonl", "judgements.jsonl"


def keep(folder: Path, asked: Mapping[str, Any], items: Sequence[Item]) -> None:
    """Write a draw, durably. `asked` is what it was drawn by, as JSON values. Raises Unavailable when it cannot be written."""
    try:
        durable.make_folder(folder)
    except OSError as error:
        raise durable.cannot("make", folder, error) from error
    lines = "".join(json.dumps(item.to_dict()) + "\n" for item in items)
    durable.write(folder / ITEMS, lines.encode("ascii"))
    durable.write(folder / DRAW, (json.dumps(dict(asked), indent=2) + "\n").encode("ascii"))


def kept(folder: Path, asked: Mapping[str, Any]) -> list[Item] | None:
    """Return the draw of a folder, None where there is none yet.

    Raises UsageError where it was drawn by something else than what `asked` says (None in `asked` is whatever it was), and
    InputError for a damaged one.
    """
    try:
        drawn = json.loads((folder / DRAW).read_bytes())
        lines = (folder / ITEMS).read_bytes().splitlines()
        items = [Item.from_dict(json.loads(line)) for line in lines]
        other = [name for name, value in asked.items() if value is not None and drawn.get(name) != value]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise durable.cannot("read", folder, error) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{folder}: the draw is damaged", "move the folder away and draw anew") from error
    if other:
        told = "; ".join(f"{name} was {drawn.get(name)!r}" for name in other)
        raise UsageError(f"{folder} holds another draw ({told})", "leave the option out to go on, or name another --to")
    return items
