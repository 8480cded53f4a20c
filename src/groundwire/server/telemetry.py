"""Spans for who collects them: one a request, with its route, status and times, and nothing that it carried.

Without OpenTelemetry, or unasked, there are none and nothing is imported. Where they go is said in the variables that its
SDK reads (OTEL_EXPORTER_OTLP_ENDPOINT and its neighbours). Left out: metrics, which Prometheus asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from groundwire import __version__
from groundwire._optional import require
from groundwire.server.access_record import AccessRecord


class Span:
    """One request's span; `inner` is OpenTelemetry's, None where nobody collects."""

    __slots__ = ("_inner",)

    def __init__(self, inner: Any = None) -> None:
        self._inner = inner

    def ended(self, seen: AccessRecord) -> None:
        """Write down how the request ended."""
        if self._inner is None:
            return
        self._inner.update_name(f"{seen.method} {seen.route}")
        told = {
            "http.request.method": seen.method,
            "http.route": seen.route,
            "http.response.status_code": seen.status,
            "groundwire.request_id": seen.id,
            "groundwire.client": seen.client,
            "groundwire.refused": seen.refused,
        }
        for name, value in told.items():
            self._inner.set_attribute(name, value)


class Tracing:
    """Where spans come from. `tracer` is OpenTelemetry's, None for none."""

    __slots__ = ("_tracer",)

    def __init__(self, tracer: Any = None) -> None:
        self._tracer = tracer

    @contextmanager
    def span(self, request_id: str) -> Iterator[Span]:
        """Open a span around a request."""
        if self._tracer is None:
            yield Span()
            return
        # An exception's message may hold a text, so none is recorded.
        with self._tracer.start_as_current_span(
            "request",
            record_exception=False,
            set_status_on_exception=False,
            attributes={"groundwire.request_id": request_id},
        ) as inner:
            yield Span(inner)


def collected() -> Tracing:
    """Return tracing that sends spans to the collector that the environment names. Raises MissingExtra."""
    trace = require("opentelemetry.sdk.trace", "otel")
    export = require("opentelemetry.sdk.trace.export", "otel")
    otlp = require("opentelemetry.exporter.otlp.proto.http.trace_exporter", "otel")
    resources = require("opentelemetry.sdk.resources", "otel")
    provider = trace.TracerProvider(resource=resources.Resource.create({"service.name": "groundwire"}))
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    return Tracing(provider.get_tracer("groundwire", __version__))
