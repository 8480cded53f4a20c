"""The API's description: whole, true of errors too, and nothing that anybody without the key may read."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.server.app import build
from groundwire.server.settings import Settings

from .conftest import FakeEngine
from .doors import KEY, routes_of

Browse = Callable[..., TestClient]
UNDESCRIBED = ("/livez", "/readyz", "/metrics", "/", "/page/", "/v1/openapi.json")
"""For who runs the server, and for the page."""


@pytest.fixture
def described() -> dict[str, Any]:
    return build(Settings(), FakeEngine()).app.openapi()  # type: ignore[arg-type]


def operations(described: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(p, m, operation) for p, methods in described["paths"].items() for m, operation in methods.items()]


def test_every_route_is_described(described: dict[str, Any]) -> None:
    app = build(Settings(), FakeEngine()).app  # type: ignore[arg-type]
    routes = [r for r in routes_of(app) if not r.path.startswith("/page/") and r.path not in UNDESCRIBED]
    assert sum(len(set(route.methods) - {"HEAD"}) for route in routes) == len(operations(described))


def test_every_operation_says_how_it_fails(described: dict[str, Any]) -> None:
    for path, method, operation in operations(described):
        statuses = {int(status) for status in operation["responses"]}
        refused = 403 if path.startswith("/guardrail") else 401  # as at Bedrock
        assert {200, refused, 503} <= statuses, (method, path)
        assert 500 not in statuses
        if method == "post":
            assert {408, 429} <= statuses, (method, path)
            assert operation["requestBody"]["required"], (method, path)
    assert "HTTPValidationError" not in str(described)


def test_an_error_is_described_in_the_shape_of_its_path(described: dict[str, Any]) -> None:
    def fields(path: str, status: str) -> set[str]:
        schema = described["paths"][path]["post"]["responses"][status]["content"]["application/json"]["schema"]
        return set(schema["properties"])

    assert fields("/v1/check", "422") == {"error"}
    assert fields("/v2/rerank", "400") == {"id", "message"}
    assert fields("/predict", "413") == {"error", "error_type"}
    assert fields("/guardrail/{identifier}/version/{version}/apply", "400") == {"message"}
    bedrock = described["paths"]["/guardrail/{identifier}/version/{version}/apply"]["post"]["responses"]
    assert {"401", "422", "504"}.isdisjoint(bedrock)


def test_every_way_to_send_a_key_is_described(described: dict[str, Any]) -> None:
    named = {scheme["name"] for scheme in described["components"]["securitySchemes"].values() if "name" in scheme}
    assert named == {"x-api-key", "api-key", "Ocp-Apim-Subscription-Key", "x-goog-api-key"}
    assert described["security"] == [{name: []} for name in described["components"]["securitySchemes"]]


@pytest.mark.contract("key")
def test_there_is_one_description_behind_the_key_and_it_fetches_nothing(browse: Browse) -> None:
    client = browse(keys=(KEY,))
    for path in ("/docs", "/redoc", "/openapi.json", "/v1/docs", "/docs/oauth2-redirect", "/v1/openapi.json"):
        assert client.get(path).status_code == 401
        answer = client.get(path, headers={"x-api-key": KEY})
        assert answer.status_code == (200 if path == "/v1/openapi.json" else 404)
        assert "cdn" not in answer.text.lower()
    for path in ("/", "/page/index.html"):
        page = client.get(path, headers={"x-api-key": KEY})
        assert page.status_code == 200
        assert 'src="http' not in page.text
        assert 'href="http' not in page.text
