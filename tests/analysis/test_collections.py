"""Token for token what an independent program makes of whole collections, and its counts."""

import gzip
import importlib.util
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from groundwire.analysis import analyzer


@pytest.fixture(scope="module")
def analyse(shared_data: Path) -> Callable[[str], list[str]]:
    file = shared_data.parent / "oracles" / "lucene_bm25_oracle.py"
    if not file.is_file():
        pytest.skip("the oracle is not here")
    spec = importlib.util.spec_from_file_location("lucene_bm25_oracle", file)
    assert spec is not None
    assert spec.loader is not None
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    oracle.porter = cache(oracle.porter)
    return oracle.analyze  # type: ignore[no-any-return]


@pytest.mark.parametrize(("name", "terms", "tokens"), [("cacm", 6110, 113_867), ("vaswani", 7963, 306_495)])
def test_every_token_is_the_same(
    name: str, terms: int, tokens: int, shared_data: Path, analyse: Callable[[str], list[str]]
) -> None:
    file = shared_data / "ir" / name / "corpus.jsonl.gz"
    if not file.is_file():
        pytest.skip(f"{name} is not here")
    chain = analyzer("english")
    known: set[str] = set()
    count = 0
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            text = f"{row.get('title', '')} {row['text']}".strip()
            found = chain.terms(text)
            if text.isascii():
                assert found == analyse(text)
            known.update(found)
            count += len(found)
    assert (len(known), count) == (terms, tokens)
