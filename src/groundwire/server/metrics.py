"""What a server counts, in a registry of its own, for Prometheus.

Labels are names of ours (routes, stages, verdicts, reasons): nothing that a request holds becomes one, so their number is
fixed. Left out: the last minutes as a picture (`groundwire.server.history`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from groundwire.server.access_record import AccessRecord
from groundwire.server.history import History
from groundwire.types import Trace, Verdict

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_GAUGES = {
    "queue_tokens": "Tokens that wait for the models or are read by them.",
    "queue_limit": "How many tokens may wait.",
    "jobs": "Requests whose work waits or runs.",
    "waiting_tokens": "Tokens of pairs that no batch has taken yet.",
    "workers_busy": "Threads that work on a request.",
    "workers_waiting": "Requests that wait for a thread.",
    "rate_tokens_s": "How many tokens a second the models read, measured.",
}
_COUNTERS = {
    "batches": "Batches that the models read.",
    "items": "Pairs in those batches.",
    "tokens": "Tokens in those batches.",
    "padded_tokens": "The same with what the batches were filled up by.",
}
"""What the engine's state says, and what it means; a batch's mean size is one counter by another."""


class Metrics:
    """Counters and histograms of one server, and its last minutes. Safe for any number of threads."""

    def __init__(self, state: Callable[[], Mapping[str, Any]], history: History | None = None) -> None:
        self.history = history or History()
        self.registry = registry = CollectorRegistry()
        self._requests = Counter(
            "groundwire_requests", "Requests by how they ended.", ("route", "method", "status"), registry=registry
        )
        self._latency = Histogram(
            "groundwire_request_seconds", "From the first byte of a request to the last of its answer.", ("route",),
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self._rejected = Counter(
            "groundwire_rejected", "Requests that the guard turned away.", ("reason",), registry=registry
        )
        self._stages = Histogram(
            "groundwire_stage_seconds", "What each stage of a check took, for its whole batch.", ("stage",),
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self._verdicts = Counter("groundwire_verdicts", "Verdicts on answers.", ("label",), registry=registry)
        registry.register(_Engine(state))
        ProcessCollector(registry=registry)

    def request(self, seen: AccessRecord) -> None:
        """Count a request that has ended."""
        method = seen.method if seen.method in _METHODS else "other"
        self._requests.labels(seen.route, method, str(seen.status)).inc()
        self._latency.labels(seen.route).observe(seen.seconds)
        if seen.refused:
            self._rejected.labels(seen.refused).inc()
        self.history.request(seen)

    def rejected(self, reason: str) -> None:
        """Count what was turned away before it was a request."""
        self._rejected.labels(reason).inc()

    def verdicts(self, verdicts: Iterable[Verdict]) -> None:
        """Count verdicts, and each stage of what made them once, however many were made together."""
        traces: dict[int, Trace] = {}
        for verdict in verdicts:
            self._verdicts.labels(verdict.label.value).inc()
            self.history.verdict(verdict.label)
            if verdict.trace is not None:
                traces[id(verdict.trace)] = verdict.trace
        for trace in traces.values():
            for stage in trace.stages:
                self._stages.labels(stage.name).observe(stage.seconds)

    def text(self) -> bytes:
        """Return everything in Prometheus' text form."""
        return generate_latest(self.registry)


class _Engine:
    """Asks the engine when it is asked."""

    def __init__(self, state: Callable[[], Mapping[str, Any]]) -> None:
        self._state = state

    def collect(self) -> Iterable[Metric]:
        """Yield what the engine says of itself."""
        state = self._state()
        for name, told in _GAUGES.items():
            if state.get(name) is not None:
                yield GaugeMetricFamily(f"groundwire_{name}", told, state[name])
        for name, told in _COUNTERS.items():
            if state.get(name) is not None:
                yield CounterMetricFamily(f"groundwire_batch_{name}", told, state[name])
