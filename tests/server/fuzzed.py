"""Requests that the API's own description makes possible, and some that it forbids, and what may come back.

Schemathesis makes the requests, of every operation, in as equal numbers as there are different ones.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any
from warnings import catch_warnings, simplefilter

import httpx
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import load_all_checks
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi import checks

BASE = "http://localhost"
HANGS = 40.0
"""Seconds: a verdict is given up after 30."""
PROXIED = "/v1/chat/completions"
CHECKS = (checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance)


@contextmanager
def asked(app: Any) -> Iterator[Callable[[httpx.Request], httpx.Response]]:
    """Give what asks an ASGI application, which lives on a loop in a thread meanwhile."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url=BASE)

    def ask(request: httpx.Request) -> httpx.Response:
        return asyncio.run_coroutine_threadsafe(_answer(client, request), loop).result(HANGS + 5)

    try:
        yield ask
    finally:
        asyncio.run_coroutine_threadsafe(client.aclose(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _answer(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    async with asyncio.timeout(HANGS):
        return await client.send(request)


class Fuzz:
    """Sends cases and counts them: `problems` are what should not have come back, `statuses` what did."""

    def __init__(self, description: dict[str, Any], ask: Callable[[httpx.Request], httpx.Response]) -> None:
        load_all_checks()
        self._ask = ask
        self.problems: list[str] = []
        self.statuses: Counter[str] = Counter()
        self.skipped = self.n = 0
        self.slowest = 0.0
        loaded = schemathesis.openapi.from_dict(description)
        self.operations = [found.ok() for found in loaded.get_all_operations()]

    def run(self, cases: int, number: int = 0, only: Callable[[str], bool] = lambda path: True) -> None:
        """Send about so many cases, the same for the same `number`. Stops early where there are no more different ones."""
        wanted = [operation for operation in self.operations if only(operation.path)]
        until, before = self.n + cases, -1
        while self.n < until and self.n != before:
            before, left = self.n, max(2, (until - self.n) // (2 * len(wanted)))
            for n, operation in enumerate(wanted):
                for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
                    if self.n < until:
                        self._some(operation, mode, min(left, until - self.n), number * 1_000 + n)
            number += 1

    def _some(self, operation: Any, mode: Any, cases: int, number: int) -> None:
        @seed(number)
        @settings(
            max_examples=cases,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def each(case: Any) -> None:
            self._one(case)

        with catch_warnings():
            simplefilter("ignore")
            try:
                each()
            except Exception as error:  # what cannot be made of a description is no request: said, and counted as none
                if type(error).__module__.partition(".")[0] not in ("hypothesis", "schemathesis"):
                    raise
                self.statuses[f"not made: {type(error).__name__}"] += 1

    def _one(self, case: Any) -> None:
        request = _request(case)
        if request is None:
            self.skipped += 1
            return
        self.n += 1
        began = time.monotonic()
        name = f"{case.method} {case.operation.path}"
        try:
            response = self._ask(request)
        except TimeoutError:
            self.problems.append(f"{name} hangs: {_short(request)}")
            return
        self.slowest = max(self.slowest, time.monotonic() - began)
        theirs = case.operation.path == PROXIED and response.status_code >= 429
        self.statuses[f"{response.status_code}{', of the upstream' if theirs else ''}"] += 1
        if problem := self._wrong(case, response):
            self.problems.append(f"{name}: {problem}: {_short(request)}")

    def _wrong(self, case: Any, response: httpx.Response) -> str | None:
        if response.status_code >= 500 and not named(case.operation.path, response):
            return f"{response.status_code} {response.text[:200]}"
        if case.operation.path == PROXIED and not response.is_success:
            return None  # what an upstream says of an error is passed on as it is
        try:
            case.validate_response(response, checks=list(CHECKS))
        except FailureGroup as group:
            return "; ".join(f"{error.title}: {error.message}" for error in group.exceptions)[:300]
        except Failure as error:
            return f"{error.title}: {error.message}"[:300]
        return None


def named(path: str, response: httpx.Response) -> bool:
    """Say whether the contract names this answer: 503 says when to come again, 504 is late, and a proxy has its upstream's."""
    if response.status_code == 503:
        return response.headers.get("retry-after", "").isdigit() or path == PROXIED
    return response.status_code == 504 or (response.status_code == 502 and path == PROXIED)


def _request(case: Any) -> httpx.Request | None:
    """Return the request as it would go over the wire; None for one that no client could send."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            made = requests.Request(**case.as_transport_kwargs(base_url=BASE)).prepare()
        body = made.body.encode("utf-8", "surrogatepass") if isinstance(made.body, str) else made.body
        return httpx.Request(made.method or "GET", made.url or BASE, headers=dict(made.headers), content=body)
    except (requests.RequestException, httpx.InvalidURL, ValueError, TypeError, UnicodeError):
        return None


def _short(request: httpx.Request) -> str:
    return f"{request.method} {request.url.raw_path[:120]!r} {request.content[:300]!r}"
