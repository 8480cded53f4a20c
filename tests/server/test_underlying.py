"""The server starts over a uvicorn that has what it leans on, is bounded to such, and says what another one lacks."""

import ast
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from groundwire.errors import Unavailable
from groundwire.server import protocol, run, underlying
from groundwire.server.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


def test_the_installed_one_fits_and_is_one_that_is_asked_for():
    underlying.fits()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    [asked] = [one for one in map(Requirement, extras["server"]) if one.name == "uvicorn"]
    assert asked.specifier.contains(version("uvicorn"))
    major, minor = map(int, version("uvicorn").split(".")[:2])
    assert not asked.specifier.contains(f"{major}.{minor + 1}.0"), "a version that nothing was run with"


def test_a_server_over_one_that_lacks_something_does_not_start_and_says_what(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(HttpToolsProtocol, "_unset_keepalive_if_required")
    monkeypatch.setitem(underlying.LEANED_ON, RequestResponseCycle, "message_event renamed")
    with pytest.raises(Unavailable) as raised:
        run.serve(Settings(port=0), lambda address: pytest.fail("it listens"))
    assert raised.value.exit_code == 3
    lacking = raised.value.message.partition("lacks ")[2]
    assert lacking == "HttpToolsProtocol._unset_keepalive_if_required, RequestResponseCycle.renamed"


def test_everything_of_uvicorns_that_a_connection_touches_is_looked_for():
    tree = ast.parse(Path(protocol.__file__).read_text(encoding="utf-8"))
    [guarded] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "GuardedProtocol"]
    touched = {n.attr for n in ast.walk(guarded) if isinstance(n, ast.Attribute) and ast.unparse(n.value) in BASES}
    own = {name for name in vars(protocol.GuardedProtocol) if name not in vars(HttpToolsProtocol)}
    own |= {
        target.attr
        for node in ast.walk(guarded)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for target in ast.walk(node)
        if isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store) and target.attr.startswith("_")
    }
    assert touched - own - {"parser", "__init__"} <= set(underlying.LEANED_ON[HttpToolsProtocol].split())


BASES = ("self", "super()")
