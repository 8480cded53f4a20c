import pytest

from groundwire.errors import UsageError
from groundwire.stacks import parse
from groundwire.stacks.grammar import Chain, Group, Part


def test_a_part_with_parameters_and_a_depth() -> None:
    assert parse("bm25") == Part(name="bm25")
    assert parse("bm25:1000") == Part(name="bm25", depth=1000)
    found = parse(" bm25 ( k1 = 0.82 , b=0.68 ) : 10 ")
    assert found == Part(name="bm25", parameters={"k1": "0.82", "b": "0.68"}, depth=10)


def test_rerankers_run_from_the_left() -> None:
    found = parse("bm25+mini:100+duot5")
    assert found == Chain(first=Part(name="bm25"), rerankers=(Part(name="mini", depth=100), Part(name="duot5")))


def test_pools_and_fusions_hold_stacks() -> None:
    mini = Chain(first=Part(name="bm25"), rerankers=(Part(name="mini"),))
    assert parse("(bm25+mini|ance)") == Group(parts=(mini, Part(name="ance")))
    assert parse("rrf(bm25+mini,ance,k=10)") == Part(
        name="rrf", parts=(mini, Part(name="ance")), parameters={"k": "10"}
    )
    assert parse("(bm25+mini):5") == Group(parts=(mini,), depth=5)
    assert parse("((bm25))") == Part(name="bm25")


def test_names_may_hold_colons_and_slashes() -> None:
    name = "cross-encoder:ORG/NAME@main"
    assert parse(f"bm25+{name}:50") == Chain(first=Part(name="bm25"), rerankers=(Part(name=name, depth=50),))


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("", "a name is missing at the end"),
        ("bm25+", "a name is missing at the end"),
        ("+mini", r"a name is missing before '\+'"),
        ("(bm25|)", r"a name is missing before '\)'"),
        ("(bm25|ance", "it ends before a bracket should close"),
        ("bm25(k1=0.9", "it ends before a bracket should close"),
        ("bm25)", r"nothing can follow at '\)'"),
        ("bm25|ance", r"nothing can follow at '\|ance'"),
        ("bm25(k1=1,k1=2)", "a parameter is written once"),
        ("bm25(k1=)", "a parameter is written once, as name=value"),
        ("(bm25|ance)x", r"after a bracket comes \+"),
        ("bm25:10(k1=1)", "nothing can follow"),
        ("(" * 500 + "bm25", "more than 20 brackets"),
        ("rrf(" * 500, "more than 20 brackets"),
    ],
)
def test_what_cannot_be_read_is_said(spec: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        parse(spec)
