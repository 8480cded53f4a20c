"""What comes over MCP is held to the limits that HTTP has, and refused by the same field in the same words."""

from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.server.errors import ApiError
from groundwire.server.mcp.asked import Reader
from groundwire.server.mcp.described import tools
from groundwire.server.own import models
from groundwire.server.settings import Limits

LIMITS = Limits()
MOST = [
    ["a"] * models.MOST_CONTEXTS,
    [{"text": "a", "id": "i" * models.ID_CHARS}],
    [{"text": "a", "title": "t" * 200_000}],
    ["a" * 200_000],
]
MORE = [
    ["a"] * (models.MOST_CONTEXTS + 1),
    [{"text": "a"}, {"text": "a", "id": "i" * (models.ID_CHARS + 1)}],
    [{"text": "a", "title": "t" * 200_001}],
    ["a", "a" * 200_001],
]


@pytest.mark.contract("text")
@pytest.mark.parametrize("tool", ["case", "search"])
@pytest.mark.parametrize("contexts", MORE)
def test_contexts_are_counted_and_measured_as_over_http(tool: str, contexts: list[Any]) -> None:
    read = getattr(Reader(limits=LIMITS, indexes=()), tool)
    with pytest.raises(InputError) as refused:
        read({"answer" if tool == "case" else "query": "a", "contexts": contexts})
    with pytest.raises(ApiError) as http:
        models.Reader(LIMITS, truncate=False).one({"answer": "a", "contexts": contexts})
    assert http.value.status == 422
    said, param = refused.value.message, http.value.param or ""
    assert said in (f"{param}: {http.value.message}", f"{param} has 200001 characters, and a text may have 200000")


@pytest.mark.parametrize("contexts", MOST)
def test_what_http_takes_is_taken(contexts: list[Any]) -> None:
    asked = {"answer": "a", "contexts": contexts}
    assert Reader(limits=LIMITS, indexes=()).case(asked) == models.Reader(LIMITS, truncate=False).one(asked).case


def test_the_limits_stand_in_what_an_assistant_is_told() -> None:
    for tool in tools((), LIMITS):
        contexts = tool.input_schema["properties"]["contexts"]
        assert contexts["maxItems"] == models.MOST_CONTEXTS
        passage = contexts["items"]["anyOf"][1]["properties"]
        assert [passage[name]["maxLength"] for name in ("text", "title", "id")] == [200_000, 200_000, 256]
