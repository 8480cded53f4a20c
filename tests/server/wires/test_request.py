"""A request that is wrong all over is refused at once: nobody waits while each place is put into words."""

import pytest
from fastapi.testclient import TestClient

WRONG = {
    "/rerank": {"query": "a", "texts": [1] * 40_000},
    "/predict": {"inputs": [[1, 2]] * 15_000},
    "/v2/rerank": {"model": "m", "query": "a", "documents": [1] * 40_000},
    "/contentsafety/text:detectGroundedness": {"text": "a", "groundingSources": [1] * 40_000},
    "/v1/lettucedetect/spans": {"contexts": [1] * 40_000, "question": "", "answer": "a"},
    "/v1/projects/p/locations/l/groundingConfigs/c:check": {"answerCandidate": "a", "facts": [{"a": 1}] * 20_000},
    "/guardrail/a/version/1/apply": {"source": "OUTPUT", "content": [{"text": 1}] * 20_000},
}


@pytest.mark.parametrize("path", WRONG)
def test_what_is_wrong_in_many_places_is_refused_at_once(http: TestClient, path: str) -> None:
    answer = http.post(path, json=WRONG[path])
    assert answer.status_code in (400, 422)
    assert "more than 100 values are not as they should be" in answer.text


@pytest.mark.parametrize("path", WRONG)
def test_what_is_wrong_in_some_places_is_named(http: TestClient, path: str) -> None:
    few = {name: value[:90] if isinstance(value, list) else value for name, value in WRONG[path].items()}
    answer = http.post(path, json={**few, "inputs": [[1, 2]] * 10} if "inputs" in few else few)
    assert answer.status_code in (400, 422)
    assert "more than" not in answer.text
