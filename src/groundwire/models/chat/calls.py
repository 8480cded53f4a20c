"""Calls to one endpoint: at most so many at a time, each with its deadline, its retries and an end.

A failed call is a completion with the status "error", so that nine hundred replies are not lost over one. Only an endpoint
that has never answered and refuses the key or the model is an error of its own: it is set up wrong. Left out: the cache.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic

from groundwire.errors import GroundwireError, Unavailable
from groundwire.models.chat import reply
from groundwire.models.chat.breaker import Breaker
from groundwire.models.chat.endpoint import Endpoint
from groundwire.models.chat.failure import MISCONFIGURED, Failure, Kind
from groundwire.models.chat.policy import Budget, Policy
from groundwire.models.chat.request import Request
from groundwire.models.chat.usage import Meter
from groundwire.models.chat.wire import Wire
from groundwire.types import Completion

HINTS: Mapping[Kind, str] = {
    Kind.KEY: "check GROUNDWIRE_LLM_API_KEY and what the key may be used for",
    Kind.UNKNOWN: "`groundwire doctor --llm NAME` lists its models; a base URL mostly ends in /v1",
}


class Calls:
    """The calls of one process to one endpoint, all on one event loop."""

    def __init__(self, endpoint: Endpoint, policy: Policy, meter: Meter, *, concurrency: int, limit: int) -> None:
        self.policy = policy
        self._endpoint = endpoint
        self._meter = meter
        self._wire = Wire(endpoint, limit=limit, connections=concurrency, timeout=policy.attempt)
        self._free = asyncio.Semaphore(concurrency)
        self._breaker = Breaker(policy.failures, policy.cooldown)
        self._budget = Budget(policy.budget, policy.reserve)
        self._quiet_until = 0.0
        self._answered = False

    async def call(self, request: Request) -> Completion:
        """Ask one prompt. Raises GroundwireError for an endpoint that is set up wrong, and for nothing else."""
        async with self._free:
            self._budget.earn()
            self._meter.count(calls=1)
            try:
                found = await self._persistently(request)
            except Failure as failure:
                self._meter.count(failed=1)
                if failure.kind in MISCONFIGURED and not self._answered:
                    raise self._misconfigured(failure, request.model) from None
                return failed(failure)
            self._meter.count(prompt_tokens=found.prompt_tokens, reply_tokens=found.reply_tokens)
            return found

    async def close(self) -> None:
        """Close every connection."""
        await self._wire.close()

    async def _persistently(self, request: Request) -> Completion:
        end = monotonic() + self.policy.call
        for retry in range(self.policy.retries + 1):
            await self._admitted(end)
            try:
                return await self._once(request, end)
            except Failure as failure:
                if failure.lasting or retry == self.policy.retries:
                    raise
                await self._rest(failure, retry, end)
        raise AssertionError("unreachable: the last retry returns or raises")

    async def _once(self, request: Request, end: float) -> Completion:
        """Send one request and read its reply; every outcome is told to the breaker."""
        try:
            async with asyncio.timeout(max(0.0, min(self.policy.attempt, end - monotonic()))):
                body = await self._wire.chat(request.model, request.sendable(), request.parameters)
            found = reply.completion(body)
        except TimeoutError:
            self._breaker.broke()
            raise Failure(Kind.TIMEOUT, f"no whole reply within {self.policy.attempt:g} s") from None
        except Failure as failure:
            if failure.lasting or failure.kind is Kind.RATE_LIMITED:
                self._breaker.succeeded()
            else:
                self._breaker.broke()
            raise
        self._breaker.succeeded()
        self._answered = True
        return found

    async def _admitted(self, end: float) -> None:
        """Wait while the endpoint has asked for quiet. Raises Failure when that, or the breaker, takes too long."""
        while (quiet := self._quiet_until - monotonic()) > 0:
            if monotonic() + quiet > end:
                raise Failure(
                    Kind.RATE_LIMITED, f"the endpoint asks for {quiet:.0f} s of quiet, longer than a call has"
                )
            await asyncio.sleep(quiet)
        shut = self._breaker.shut_for()
        if shut > 0:
            message = f"the endpoint failed {self._breaker.failed} times in a row and is left alone for {shut:.1f} s"
            raise Failure(Kind.NOT_ASKED, message)

    async def _rest(self, failure: Failure, retry: int, end: float) -> None:
        """Wait before the next attempt, or raise the failure when no time or no budget is left for one."""
        wait = self.policy.backoff(retry) + (failure.wait or 0.0)
        if monotonic() + wait > end or not self._budget.spend():
            raise failure
        if failure.wait is not None:
            self._quiet_until = max(self._quiet_until, monotonic() + failure.wait)
        self._meter.count(retries=1)
        await asyncio.sleep(wait)

    def _misconfigured(self, failure: Failure, model: str) -> GroundwireError:
        what = "refuses the key" if failure.kind is Kind.KEY else f"does not know the model {model!r}"
        return Unavailable(f"{self._endpoint.url} {what} ({failure.message})", HINTS[failure.kind])


def failed(failure: Failure) -> Completion:
    """Return a failure as a value; the reason begins with its class."""
    return Completion(text=None, status="error", reason=str(failure))
