"""Files in the forms that data sets are published in, with rows that we made up."""

import csv
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Write rows as the end of the file's name says: .jsonl, .json, .csv or .tsv, with .gz packed."""

    def write(name: str, rows: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = _text(name.removesuffix(".gz"), rows).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


def _text(name: str, rows: Any) -> str:
    if isinstance(rows, str):
        return rows
    if name.endswith(".jsonl"):
        return "".join(json.dumps(row) + "\n" for row in rows)
    return json.dumps(rows) if name.endswith(".json") else _table(rows, "\t" if name.endswith(".tsv") else ",")


def _table(rows: Sequence[dict[str, object]], delimiter: str) -> str:
    from io import StringIO

    out = StringIO()
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    lines = csv.DictWriter(
        out, list(rows[0]), delimiter=delimiter, quoting=quoting, quotechar=None if delimiter == "\t" else '"'
    )
    lines.writeheader()
    lines.writerows(rows)
    return out.getvalue()
