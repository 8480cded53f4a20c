"""Rules of the house that no linter checks: sizes, docstrings, and a project that speaks of itself alone."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "groundwire"
MOST_FILE_LINES = 400
MOST_FUNCTION_LINES = 40
SOURCES = sorted(PACKAGE.rglob("*.py"))
ALL_PYTHON = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "benchmarks").glob("*.py"))]
FORBIDDEN_CALLS = {"eval", "exec", "__import__"}
FORBIDDEN_MODULES = {"pickle", "shelve", "marshal", "dill", "joblib"}
OWN_PATHS = re.compile(r"/(?:root|home/[a-z]+|Users/[a-z]+|work)/|/tmp/(?!\w*example)")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def code_lines(function: Function) -> int:
    """Count the lines from `def` to the end; the docstring is prose and not counted."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


@pytest.mark.parametrize("file", ALL_PYTHON, ids=name_of)
def test_files_are_short(file: Path) -> None:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_FILE_LINES, f"{lines} lines: split it by role"


@pytest.mark.parametrize("file", [f for f in ALL_PYTHON if "tests" not in f.parts], ids=name_of)
def test_functions_are_short(file: Path) -> None:
    long = {f"{f.name} (line {f.lineno})": code_lines(f) for f in functions(tree_of(file))}
    assert {name: lines for name, lines in long.items() if lines > MOST_FUNCTION_LINES} == {}


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_modules_and_what_they_publish_are_documented(file: Path) -> None:
    tree = tree_of(file)
    assert ast.get_docstring(tree) or not tree.body, "the module has no docstring"
    published = [n for n in tree.body if isinstance(n, (*Function.__args__, ast.ClassDef)) and n.name[0] != "_"]
    methods = [m for c in published if isinstance(c, ast.ClassDef) for m in functions(c) if m.name[0] != "_"]
    bare = [n.name for n in (*published, *methods) if not ast.get_docstring(n) and not _inside_function(n, tree)]
    assert bare == []


def _inside_function(node: ast.AST, tree: ast.Module) -> bool:
    return any(node is inner for f in functions(tree) if f is not node for inner in ast.walk(f))


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_no_drawers_pickles_or_evaluated_text(file: Path) -> None:
    assert file.stem not in {"utils", "util", "helpers", "common", "misc"}
    tree = tree_of(file)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"line {node.lineno} calls {node.func.id}"
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            named = {node.module or ""} if isinstance(node, ast.ImportFrom) else {a.name for a in node.names}
            assert not {n.split(".")[0] for n in named} & FORBIDDEN_MODULES, f"line {node.lineno}"
        if isinstance(node, ast.keyword) and node.arg == "trust_remote_code":
            assert isinstance(node.value, ast.Constant), f"line {node.value.lineno}"
            assert node.value.value is False, f"line {node.value.lineno}"
        if isinstance(node, ast.keyword) and node.arg == "metaclass":
            pytest.fail("a metaclass")


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_the_environment_is_read_in_one_place(file: Path) -> None:
    if file.stem != "_env":
        named = {n.attr for n in ast.walk(tree_of(file)) if isinstance(n, ast.Attribute) and _is_os(n.value)}
        assert not named & {"environ", "getenv"}, "read it in _env.py"


def _is_os(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "os"


def kept_files() -> list[Path]:
    """Return the text files that git keeps or would keep; outside a checkout, those beside the package."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        return [*ALL_PYTHON, *ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "pyproject.toml", ROOT / "Makefile"]
    suffixes = {".py", ".md", ".toml", ".json", ".jsonl", ".yml", ".yaml", ".txt", ".sh", ""}
    return [ROOT / name for name in listed if name and Path(name).suffix in suffixes]


@pytest.mark.parametrize("file", kept_files(), ids=name_of)
def test_the_project_speaks_of_itself_alone(file: Path) -> None:
    if file == Path(__file__) or not file.is_file():
        return
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    places = [f"{n}: {line.strip()[:80]}" for n, line in enumerate(lines, 1) if OWN_PATHS.search(line)]
    assert places == [], "a path of somebody's machine"
