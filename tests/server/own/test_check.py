import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.api import Checker
from groundwire.cases import read_case
from groundwire.render import record
from groundwire.server import replies
from groundwire.server.errors import busy
from groundwire.server.own import body
from groundwire.server.settings import Limits

CASE = {
    "question": "Who wrote Emma?",
    "answer": "Jane Austen wrote Emma. It has ten sequels.",
    "contexts": ["Emma is a novel by Jane Austen, published in 1815."],
}
LONE, NUL = "a lone \ud800 surrogate", "NUL \x00 and \x1b[31m red"
CASES: list[dict[str, Any]] = [
    CASE,
    {**CASE, "question": None},
    {**CASE, "answer": "Jane Austen"},
    {**CASE, "answer": ""},
    {**CASE, "answer": "Yes."},
    {**CASE, "contexts": []},
    {**CASE, "contexts": ["", "  "]},
    {**CASE, "contexts": "one text alone by Jane Austen about Emma"},
    {**CASE, "id": 7, "contexts": [{"id": "e", "text": "Emma is by Jane Austen.", "title": "Emma", "uri": "x:y"}]},
    {**CASE, "contexts": ["😀 Emma is by Jane Austen 😀. Émile Zola wrote Nana.", "Nothing of it."]},
    {**CASE, "answer": "Here is what I found:\n- Jane Austen wrote it\n- In 1815.\n\nIt is a novel."},
    {**CASE, "answer": f"Jane Austen wrote Emma. {LONE}."},
    {**CASE, "answer": f"Jane Austen wrote Emma {NUL}.", "contexts": [NUL, LONE]},
    {**CASE, "contexts": ["x" * 100_000 + " Jane Austen wrote Emma."]},
    {"user_input": "Q?", "response": "Jane Austen wrote Emma.", "retrieved_contexts": ["Emma is by Jane Austen."]},
    {"input": "Q?", "actualOutput": "Emma is a novel.", "retrieval_context": ["Emma is by Jane Austen."]},
    {"prompt": "Q?", "completion": "Emma is a novel.", "passage": "Emma is a novel by Jane Austen."},
    {"docs": ["Emma is a novel."], "claims": ["Emma is a book."]},
    {"summary": "Emma is a book.", "source": "Emma is a novel by Jane Austen."},
    {
        "answer": "東京は日本の首都です。人口は九百万人です。",
        "contexts": ["東京は日本の首都であり、人口は約1400万人です。"],
    },
    {
        "answer": "Revenue rose 12% to $3.4 million in 2023.",
        "contexts": ["In 2023 revenue grew by 10 % to 3.4 million dollars."],
    },
]


def sent(client: TestClient, path: str, body: Any) -> Any:
    """Send JSON whose lone surrogates survive."""
    return client.post(path, content=json.dumps(body).encode(), headers={"content-type": "application/json"})


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "timings_ms": sorted(found["timings_ms"])}


@pytest.mark.parametrize("case", CASES, ids=[str(n) for n in range(len(CASES))])
@pytest.mark.parametrize("encoding", ["codepoint", "utf8", "utf16"])
def test_the_record_is_that_of_the_library(ask: TestClient, case: dict[str, Any], encoding: Any) -> None:
    answered = sent(ask, "/v1/check", {**case, "offset_encoding": encoding})
    wanted = record(Checker().check([read_case(case, fallback_id="0")])[0], offset_encoding=encoding)
    assert answered.status_code == 200
    assert untimed(answered.json()) == untimed(json.loads(json.dumps(wanted)))


def test_many_cases_give_their_records_in_order(ask: TestClient, library: Any) -> None:
    answered = sent(ask, "/v1/check", {"items": CASES, "threshold": 0.9}).json()["results"]
    wanted = [record(v) for v in Checker(threshold=0.9).check(CASES)]
    assert [untimed(found) for found in answered] == [untimed(made) for made in json.loads(json.dumps(wanted))]
    assert [len(cases) for cases in library.checked] == [len(CASES)]  # one batch


def test_evidence_is_explained_beside_its_citation(ask: TestClient) -> None:
    found = sent(ask, "/v1/check", {**CASES[9], "explain": True, "offset_encoding": "utf16"}).json()
    verdict = Checker().check([CASES[9]])[0]
    told = [evidence for claim in found["claims"] for evidence in claim["evidence"]]
    assert told
    for claim in found["claims"]:
        for evidence, citation in zip(claim["evidence"], claim["citations"], strict=True):
            assert {name: evidence[name] for name in ("context_id", "index", "start", "end")} == {
                name: citation[name] for name in ("context_id", "index", "start", "end")
            }
            assert evidence["supports"] == citation["score"]
    entailments = [e.entailment for claim in verdict.claims for e in claim.evidence]
    assert [(e["refutes"], e["neutral"]) for e in told] == [(e.refutes, e.neutral) for e in entailments]


@pytest.mark.parametrize(
    ("body", "param", "said"),
    [
        ({**CASE, "colour": 1}, "colour", "unknown field colour"),
        ({**CASE, "a secret text that is no name": 1}, None, "without a plain name"),
        ({"contexts": ["a"]}, "answer", "answer is missing"),
        ({"answer": "a"}, "contexts", "contexts is missing"),
        ({**CASE, "answer": 3}, "answer", "answer must be a string"),
        ({**CASE, "contexts": [3]}, "contexts[0]", "contexts[0] must be a string or an object"),
        ({**CASE, "contexts": [{"title": "t"}]}, "contexts[0]", "contexts[0] has no text"),
        ({**CASE, "response": "b"}, "response", "both name the answer"),
        ({**CASE, "source": "b"}, "source", "unknown field source"),
        ({**CASE, "threshold": 1.5}, "threshold", "less than or equal to 1"),
        ({**CASE, "threshold": "0.5"}, "threshold", "valid number"),
        ({**CASE, "threshold": True}, "threshold", "valid number"),
        ({**CASE, "explain": "yes"}, "explain", "valid boolean"),
        ({**CASE, "offset_encoding": "bytes"}, "offset_encoding", "'codepoint'"),
        ({**CASE, "id": "i" * 257}, "id", "at most 256"),
        ({**CASE, "contexts": [{"id": "i" * 257, "text": "t"}]}, "contexts[0].id", "at most 256"),
        ({**CASE, "contexts": ["a"] * 2_001}, "contexts", "at most 2000"),
        ({"items": [{**CASE, "contexts": ["a"] * 1_001}] * 2}, "items[1].contexts", "at most 2000"),
        ({"items": []}, "items", "not empty"),
        ({"items": [CASE] * 33}, "items", "at most 32"),
        ({"items": [CASE, {**CASE, "colour": 1}]}, "items[1].colour", "unknown field items[1].colour"),
        ({"items": [CASE, {"contexts": []}]}, "items[1].answer", "items[1].answer is missing"),
        ({"items": [CASE, 3]}, "items[1]", "must be an object"),
        ({"items": [CASE], "answer": "a"}, "answer", "unknown field answer"),
        ({"items": [{**CASE, "threshold": 0.1}]}, "items[0].threshold", "unknown field"),
        ({**CASE, "model": "other"}, "model", "unknown field model"),
        ({**CASE, "upstream": "http://elsewhere"}, "upstream", "unknown field upstream"),
    ],
)
@pytest.mark.contract("envelope")
def test_what_is_wrong_is_named_and_never_repeated(ask: TestClient, body: Any, param: str | None, said: str) -> None:
    answered = sent(ask, "/v1/check", body)
    error = answered.json()["error"]
    assert (answered.status_code, error["param"]) == (422, param)
    assert said in error["message"]
    assert set(error) == {"type", "code", "message", "param", "request_id"}
    assert "Austen" not in answered.text
    assert "secret" not in answered.text
    assert "elsewhere" not in answered.text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b'{"answer": NaN}',
        b'{"answer": "a", "threshold": Infinity}',
        b'{"answer": "a", "threshold": 1e999}',
        b'{"answer": "a", "answer": "b", "contexts": []}',
        b'{"answer": "\xff"}',
        b'{"id": ' + b"1" * 5000 + b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"contexts":' + b"[" * 70 + b"]" * 70 + b"}",
        '{"answer": "a"}'.encode("utf-16"),
    ],
)
def test_what_is_not_one_json_object_is_refused(ask: TestClient, body: bytes) -> None:
    answered = ask.post("/v1/check", content=body)
    assert (answered.status_code, answered.json()["error"]["code"]) == (400, "invalid_json")


@pytest.mark.contract("text")
def test_a_text_may_be_so_long_and_no_longer(ask: TestClient) -> None:
    fits = {**CASE, "contexts": ["e" * 200_000]}
    longer = {**CASE, "contexts": ["e" * 200_001, "b"]}
    assert sent(ask, "/v1/check", fits).status_code == 200
    refused = sent(ask, "/v1/check", longer)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "text_too_long")
    assert refused.json()["error"]["param"] == "contexts[0]"


@pytest.mark.contract("text")
def test_a_caller_may_have_long_texts_cut_and_is_told(ask: TestClient) -> None:
    longer = {**CASE, "contexts": ["Emma is by Jane Austen. " + "e" * 200_000], "truncate": True}
    found = sent(ask, "/v1/check", longer).json()
    assert found.pop("truncated") is True
    wanted = record(Checker().check([{**CASE, "contexts": [longer["contexts"][0][:200_000]]}])[0])
    assert untimed(found) == untimed(wanted)
    assert sent(ask, "/v1/check", {**CASE, "truncate": True}).json()["truncated"] is False
    both = sent(ask, "/v1/check", {"items": [CASE, {**CASE, "contexts": longer["contexts"]}], "truncate": True})
    assert [one["truncated"] for one in both.json()["results"]] == [False, True]


@pytest.mark.parametrize("limits", [Limits(body_bytes=8 << 20, text_chars=2_000_000)])
def test_a_word_of_a_million_characters_is_a_text(ask: TestClient) -> None:
    found = sent(ask, "/v1/check", {**CASE, "contexts": ["x" * 1_000_000], "answer": "y" * 1_000_000})
    assert found.status_code == 200


def test_citations_without_end_are_refused_before_they_are_written(
    ask: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.server.own.records.MOST_CITED", 60)
    answered = sent(ask, "/v1/check", CASE)
    assert (answered.status_code, answered.json()["error"]["code"]) == (422, "answer_too_large")


def test_a_full_queue_says_when_to_ask_again(ask: TestClient, library: Any) -> None:
    library.fail_with = busy(3)
    answered = sent(ask, "/v1/check", CASE)
    assert (answered.status_code, answered.headers["retry-after"]) == (429, "3")


def test_the_ticket_of_the_request_is_the_engines(ask: TestClient, library: Any) -> None:
    answered = ask.post("/v1/check", json=CASE, headers={"x-request-id": "mine-1"})
    assert answered.headers["x-request-id"] == "mine-1"
    assert library.tickets[0].id == "mine-1"
    assert library.tickets[0].deadline is not None


def test_names_without_end_are_not_put_into_words_one_by_one(ask: TestClient) -> None:
    answer = ask.post("/v1/check", json={**CASE, **{f"field_{n}": 1 for n in range(40_000)}})
    assert answer.status_code == 422
    assert answer.json()["error"]["param"] == "field_0"


@pytest.mark.parametrize("most", [100, 1 << 20])
def test_what_is_large_is_read_and_written_aside(
    ask: TestClient, indexed: Any, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    on_loop: list[str] = []

    def noted(name: str, call: Any) -> Any:
        def noting(*given: Any) -> Any:
            with suppress(RuntimeError):
                asyncio.get_running_loop()
                on_loop.append(name)
            return call(*given)

        return noting

    monkeypatch.setattr(replies, "LIGHT", most)
    monkeypatch.setattr(body, "LIGHT", most)
    monkeypatch.setattr(replies, "_whole", noted("written", replies._whole))
    monkeypatch.setattr(body, "strict_json", noted("read", body.strict_json))
    case = {"answer": "The tower was finished in 1889. " * 4, "contexts": ["The tower was finished in 1889."]}
    asked = {"index": "tiny", "answer": case["answer"]}
    generate = {"question": "When was it finished?" + " " * 100, "index": "tiny", "generations": 0, "stream": False}
    for path, sent in (
        ("/v1/check", case),
        ("/v1/check", {"items": [case] * 3}),
        ("/v1/check/stream", case),
        ("/v1/verify", {**asked, "explain": True}),
        ("/v1/search", {"index": "tiny", "query": "tower " * 20}),
        ("/v1/generate", generate),
    ):
        assert ask.post(path, json=sent).status_code == 200
    assert ask.get("/v1/indexes/tiny/passages").status_code == 200
    assert set(on_loop) == (set() if most == 100 else {"read", "written"})
