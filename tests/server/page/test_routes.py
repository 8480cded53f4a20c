"""The page's files: what is sent, what is not, and that nothing in them can turn a text into more than a text."""

import re
from importlib.resources import files
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from groundwire.errors import UnknownName
from groundwire.judge.fused import shipped
from groundwire.server.page import router
from groundwire.server.page.about import about, examples
from groundwire.server.page.assets import assets, style, style_hash
from groundwire.server.settings import Settings

STATIC = {f.name: f.read_text(encoding="utf-8") for f in files("groundwire.server.page").joinpath("static").iterdir()}
SCRIPTS = {name: text for name, text in STATIC.items() if name.endswith(".js")}
PASTING = re.compile(
    r"innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment|DOMParser"
    r"|setHTML|srcdoc\s*=|setTimeout\(\s*['\"`]|import\((?!['\"]\./)"
)


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()
    app.state.settings = Settings(threshold=0.7)
    app.include_router(router)
    return TestClient(app)


def test_the_page_and_every_file_that_it_names_are_sent(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    named = re.findall(r'(?:src|href)="(page/[^"]+)"', page.text)
    assert {"page/look.css", "page/icon.svg", "page/main.js"} <= set(named)
    imported = {name for text in SCRIPTS.values() for name in re.findall(r'from "\./([a-z]+\.js)"', text)}
    for path in [*named, *(f"page/{name}" for name in imported)]:
        assert client.get(f"/{path}").status_code == 200, path
    assert imported | {"main.js"} == set(SCRIPTS), "a module that nothing imports"
    assert {f"page/{name}" for name in SCRIPTS} <= set(named), "every module is fetched at once"


def test_a_file_that_the_browser_has_is_not_sent_again(client: TestClient) -> None:
    tag = client.get("/page/main.js").headers["etag"]
    again = client.get("/page/main.js", headers={"If-None-Match": f'"old", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get("/page/main.js", headers={"If-None-Match": '"old"'}).status_code == 200


@pytest.mark.parametrize(
    "name", ["routes.py", "static", "..%2Froutes.py", "%2e%2e/routes.py", "frame.css", "main.js.map"]
)
def test_nothing_else_is_sent(client: TestClient, name: str) -> None:
    assert client.get(f"/page/{name}").status_code == 404


def test_the_page_is_told_the_rule_that_decides(client: TestClient) -> None:
    told = client.get("/page/about.json").json()
    assert (told["threshold"], told["recipe"], told["over_claims"]) == (0.7, "default", "min")
    assert "backed" in told["fusion"]["weights"]
    assert told["fusion"]["weights"] == dict(shipped().weights)
    assert told["style"] == style_hash()


def test_a_recipe_without_a_fitted_rule_has_its_own_aggregation() -> None:
    told = about("provenance(aggregate=weighted)", None, None)
    assert (told["fusion"], told["over_sources"], told["threshold"]) == (None, "weighted", 0.5)
    assert about("default", "hhem-2.1-open", None)["fusion"] is None
    with pytest.raises(UnknownName):
        about("nothing", None, None)


def test_examples_are_cases_and_the_longest_stands_first(client: TestClient) -> None:
    rows: list[dict[str, Any]] = client.get("/page/examples.json").json()["examples"]
    assert rows == examples()
    assert rows[0]["id"] == "webb"
    assert all(row["answer"] and row["contexts"] for row in rows)


def test_the_style_is_that_of_all_pages_and_closes_no_element() -> None:
    assert "--good-tint" in style()
    assert ".claim" in style()
    assert "<" not in style()
    assert "\r" not in style()
    assert not re.search(r"url\(|@import|expression", style())


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_script_never_pastes_a_text_into_the_page(name: str) -> None:
    assert PASTING.findall(SCRIPTS[name]) == []
    assert len(SCRIPTS[name].splitlines()) <= 400
    assert max(map(len, SCRIPTS[name].splitlines())) <= 160
    assert SCRIPTS[name].startswith("//"), "its first line says what it is for"


def test_no_file_names_another_origin() -> None:
    for name, text in STATIC.items():
        found = re.findall(r"https?://[^\s\"'`)]+", text)
        assert set(found) <= {"http://www.w3.org/2000/svg"}, name


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    page = assets()["index.html"].content.decode()
    assert "<style" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=", page)
