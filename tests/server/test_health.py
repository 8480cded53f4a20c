"""What whoever runs the server asks."""

from collections.abc import Callable

from starlette.testclient import TestClient

from groundwire.server.operate import resident_bytes

Browse = Callable[..., TestClient]


def test_the_metrics_say_what_the_contract_promises(browse: Browse) -> None:
    client = browse()
    client.post("/test/length", content=b"x")
    client.post("/test/length", headers={"origin": "https://evil.example"})
    told = client.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain")
    for line in (
        'groundwire_requests_total{method="POST",route="/test/length",status="200"} 1.0',
        'groundwire_rejected_total{reason="cross_origin"} 1.0',
        "groundwire_queue_tokens 7.0",
        "groundwire_batch_tokens_total 64.0",
        "process_resident_memory_bytes",
        'groundwire_request_seconds_count{route="/test/length"} 1.0',
    ):
        assert line in told.text


def test_head_is_answered_like_get(browse: Browse) -> None:
    client = browse()
    assert [client.head(path).status_code for path in ("/livez", "/readyz", "/metrics")] == [200, 200, 200]


def test_operate_says_how_the_server_does(browse: Browse) -> None:
    client = browse()
    client.post("/test/length", content=b"x")
    told = client.get("/v1/operate").json()
    assert told["ready"] is True
    assert told["queue"] == {"tokens": 7, "limit": 100, "jobs": 1}
    assert told["batch"] == {"items_mean": 3.0, "tokens_mean": 32.0}
    assert told["requests"] == 1
    assert told["history"][-1]["queue_tokens"] == 7
    assert told["verdicts"] == {"supported": 0, "contradicted": 0, "not_enough_info": 0, "not_checkable": 0}
    assert told["latency_ms"]["p50"] > 0
    assert told["memory_bytes"] == resident_bytes() or told["memory_bytes"] > 10_000_000
