"""Collections that are not what they should be: another program's, a newer version's, damaged ones."""

from contextlib import closing
from typing import Any

import pytest

from groundwire.errors import InputError, MissingIndex, Unavailable, UsageError
from groundwire.index import MilvusIndex, open_index
from groundwire.index.milvus import layout
from groundwire.index.milvus.layout import Card
from groundwire.types import Passage


@pytest.fixture
def client(server: Any) -> Any:
    """What another program would use."""
    from pymilvus import MilvusClient

    with closing(MilvusClient(uri=server.url)) as made:
        yield made


def theirs(client: Any, name: str, card: str | None = None) -> None:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False)
    schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=32)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=4)
    client.create_collection(name, schema=schema, properties={} if card is None else {layout.CARD: card})


@pytest.mark.parametrize("card", [None, "{}", "[1]", "no JSON", '{"kind": "other"}'])
def test_a_collection_of_another_program_stays_as_it_is(server: Any, client: Any, card: str | None) -> None:
    theirs(client, "theirs", card)
    try:
        with pytest.raises(MissingIndex, match="another program"):
            open_index(f"milvus:{server.url}/theirs")
        with pytest.raises(UsageError, match="already"):
            MilvusIndex.create(f"milvus:{server.url}/theirs")
        assert len(client.describe_collection("theirs")["fields"]) == 2
    finally:
        client.drop_collection("theirs")


def test_a_card_without_its_fields_is_said(server: Any, client: Any) -> None:
    theirs(client, "bare", Card(analyzer="english").dump())
    with pytest.raises(Unavailable, match="has no field 'bm25'"):
        open_index(f"milvus:{server.url}/bare")


def test_a_newer_version_is_said(server: Any, client: Any) -> None:
    theirs(client, "newer", Card(analyzer="english").dump().replace('"schema": 1', '"schema": 2'))
    with pytest.raises(Unavailable, match="newer version"):
        open_index(f"milvus:{server.url}/newer")


def test_a_changed_passage_is_found_by_check(server: Any, client: Any) -> None:
    with closing(MilvusIndex.create(f"milvus:{server.url}/changed")) as index:
        index.add([Passage(id=str(n), text=f"number {n}") for n in range(3)])
        assert index.check() == []
        row = layout.row(Passage(id="1", text="number 1"), ["number", "1"])
        client.upsert("changed", [row | {"passage": row["passage"].replace("number 1", "number 9")}])
        client.upsert("changed", [row | {"key": "0" * 32, "passage": "{"}])
        assert len(index.check()) == 2


def test_parameters_that_the_index_lost_are_found(server: Any, client: Any) -> None:
    with closing(MilvusIndex.create(f"milvus:{server.url}/lost", k1=1.2, b=0.75)) as index:
        client.release_collection("lost")
        client.drop_index("lost", "bm25")
        assert any("'bm25' has no index" in problem for problem in index.check())
        other = client.prepare_index_params()
        other.add_index("bm25", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        client.create_index("lost", other)
        assert ["bm25_k1" in problem for problem in index.check()] == [True]


@pytest.mark.parametrize(("k1", "b"), [(0, 0.4), (-1, 0.4), (3.5, 0.4), (float("nan"), 0.4), (0.9, 1.1), (0.9, -0.1)])
def test_parameters_that_milvus_has_not_are_refused(spec: str, k1: float, b: float) -> None:
    with pytest.raises(InputError, match="no BM25"):
        MilvusIndex.create(spec, k1=k1, b=b)
    with pytest.raises(MissingIndex):
        open_index(spec)
