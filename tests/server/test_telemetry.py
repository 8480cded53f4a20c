"""Spans say how a request ended and nothing of what was in it; without the package there are none."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.errors import MissingExtra
from groundwire.server.app import build
from groundwire.server.settings import Settings
from groundwire.server.telemetry import Tracing, collected

SECRET = "canary-f00dfeed"


@pytest.mark.contract("silence")
def test_a_request_is_a_span_without_its_content(fake: Any) -> None:
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    app = build(Settings(), fake, tracing=Tracing(provider.get_tracer("test")))
    with TestClient(app, base_url="http://localhost") as client:
        client.post(f"/{SECRET}?q={SECRET}", content=SECRET, headers={"x-request-id": "job-7", "user-agent": SECRET})
        client.get("/livez")
    first, second = kept.get_finished_spans()
    assert first.attributes is not None
    assert first.attributes["groundwire.request_id"] == "job-7"
    assert first.attributes["http.response.status_code"] == 404
    assert second.name == "GET /livez"
    assert SECRET not in first.to_json()


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises((MissingExtra, ModuleNotFoundError)):
        collected()


def test_unasked_there_are_none(browse: Callable[..., TestClient]) -> None:
    assert browse().get("/livez").status_code == 200
