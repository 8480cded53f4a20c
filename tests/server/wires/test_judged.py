"""Every wire over the real engine: a true sentence passes, an untrue one does not, and odd texts are only texts."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

QUESTION = "When was the Eiffel Tower finished?"
SOURCE = "The Eiffel Tower in Paris was finished in 1889. It is 330 metres high."
OTHER = "The Danube rises in the Black Forest."
TRUE = "The Eiffel Tower was finished in 1889."
FALSE = "The Eiffel Tower was finished in 1925 – “très bien” 😀."
VERTEX = "/v1/projects/p/locations/global/groundingConfigs/g:check"
AZURE = "/contentsafety/text:detectGroundedness"
BEDROCK = "/guardrail/abc/version/1/apply"
LETTUCE = "/v1/lettucedetect/spans"


def vertex(answer: str) -> dict[str, Any]:
    facts = [{"factText": OTHER}, {"factText": SOURCE}]
    return {"answerCandidate": answer, "facts": facts, "groundingSpec": {"enableClaimLevelScore": True}}


def azure(text: str) -> dict[str, Any]:
    return {
        "task": "QnA",
        "qna": {"query": QUESTION},
        "text": text,
        "groundingSources": [OTHER, SOURCE],
        "reasoning": True,
    }


def bedrock(answer: str) -> dict[str, Any]:
    blocks = [(OTHER, "grounding_source"), (SOURCE, "grounding_source"), (QUESTION, "query"), (answer, "guard_content")]
    return {"source": "OUTPUT", "content": [{"text": {"text": t, "qualifiers": [q]}} for t, q in blocks]}


def lettuce(answer: str) -> dict[str, Any]:
    return {"contexts": [OTHER, SOURCE], "question": QUESTION, "answer": answer}


def told(client: TestClient, path: str, body: Any) -> Any:
    # In escapes, so that any code point can be sent.
    answer = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_vertex(client: TestClient) -> None:
    answer = told(client, VERTEX, vertex(f"{TRUE} {FALSE}"))
    true, false = answer["claims"]
    assert answer["citedChunks"][true["citationIndices"][0]]["source"] == "1"
    assert false["citationIndices"] == []
    assert true["score"] > 0.6 > false["score"]
    assert answer["supportScore"] == pytest.approx((true["score"] + false["score"]) / 2)
    assert f"{TRUE} {FALSE}".encode()[false["startPos"] : false["endPos"]].decode() == false["claimText"] == FALSE


def test_azure(client: TestClient) -> None:
    answer = told(client, AZURE, azure(f"{TRUE} {FALSE}"))
    [detail] = answer["ungroundedDetails"]
    assert detail["text"] == FALSE
    assert detail["length"] == {
        "utf8": len(FALSE.encode()),
        "utf16": len(FALSE.encode("utf-16-le")) // 2,
        "codePoint": len(FALSE),
    }
    assert "source 2" in detail["reason"]
    assert 0 < answer["ungroundedPercentage"] < 1
    assert not told(client, AZURE, azure(TRUE))["ungroundedDetected"]


def test_bedrock(client: TestClient) -> None:
    assert told(client, BEDROCK, bedrock(TRUE))["action"] == "NONE"
    answer = told(client, BEDROCK, bedrock(FALSE))
    assert answer["action"] == "GUARDRAIL_INTERVENED"
    filters = {f["type"]: f for f in answer["assessments"][0]["contextualGroundingPolicy"]["filters"]}
    assert (filters["GROUNDING"]["action"], filters["RELEVANCE"]["action"]) == ("BLOCKED", "NONE")
    beside = told(client, BEDROCK, bedrock("The Danube rises in the Black Forest."))
    filters = {f["type"]: f for f in beside["assessments"][0]["contextualGroundingPolicy"]["filters"]}
    assert (filters["GROUNDING"]["action"], filters["RELEVANCE"]["action"]) == ("NONE", "BLOCKED")


def test_lettuce(client: TestClient) -> None:
    answer = f"{TRUE} {FALSE}"
    found = told(client, LETTUCE, lettuce(answer))["predictions"]
    assert found
    assert all(answer[one["start"] : one["end"]] == one["text"] for one in found)
    assert all(one["start"] > len(TRUE) and one["hallucination_score"] > 0.5 for one in found)
    assert told(client, LETTUCE, lettuce(TRUE)) == {"predictions": []}


def test_tei(client: TestClient) -> None:
    batch = told(client, "/predict", {"inputs": [[SOURCE, TRUE], [SOURCE, FALSE]]})
    assert batch[0][0]["label"] == "entailment" != batch[1][0]["label"]
    assert told(client, "/predict", {"inputs": [SOURCE, TRUE]}) == batch[0]
    assert sum(one["score"] for one in batch[0]) == pytest.approx(1)
    ranks = told(client, "/rerank", {"query": QUESTION, "texts": [OTHER, SOURCE]})
    assert [one["index"] for one in ranks] == [1, 0]
    info = client.get("/info").json()
    assert info["max_input_length"] > 0
    assert info["model_sha"]
    assert client.get("/health").status_code == 200


def test_what_is_longer_than_the_model_reads_is_never_cut_in_silence(client: TestClient) -> None:
    long = f"{SOURCE} " * 200
    refused = client.post("/rerank", json={"query": QUESTION, "texts": [OTHER, long]})
    assert (refused.status_code, refused.json()["error_type"]) == (413, "Validation")
    cut = client.post("/rerank", json={"query": QUESTION, "texts": [OTHER, long], "truncate": True})
    assert (cut.status_code, cut.headers["x-groundwire-truncated"]) == (200, "1")
    refused = client.post("/predict", json={"inputs": [long, TRUE]})
    assert refused.status_code == 413
    ranked = told(client, "/v2/rerank", {"model": "any", "query": QUESTION, "documents": [OTHER, long]})
    assert ranked["meta"]["warnings"]


def test_cohere(client: TestClient) -> None:
    ranked = told(
        client, "/v2/rerank", {"model": "any", "query": QUESTION, "documents": [OTHER, SOURCE], "top_n": 10**30}
    )
    assert [one["index"] for one in ranked["results"]] == [1, 0]
    assert all(0 <= one["relevance_score"] <= 1 for one in ranked["results"])


@pytest.mark.parametrize("odd", ["\ud800", "\x00", "\u202e…", "😀" * 50, "?", "."], ids=ascii)
@pytest.mark.parametrize(
    ("path", "body"),
    [(VERTEX, vertex), (AZURE, azure), (BEDROCK, bedrock), (LETTUCE, lettuce)],
    ids=["vertex", "azure", "bedrock", "lettuce"],
)
def test_odd_texts_are_answered(client: TestClient, path: str, body: Any, odd: str) -> None:
    for text in (odd, f"{TRUE} {odd}"):
        sent = json.dumps(body(text))
        answer = client.post(path, content=sent, headers={"content-type": "application/json"})
        assert answer.status_code in (200, 400, 422)
        answer.json()
