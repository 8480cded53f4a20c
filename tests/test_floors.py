"""The import graph: a file imports only from lower floors and from its own folder, and there is no cycle."""

import ast
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "groundwire"

FLOORS: dict[int, set[str]] = {
    0: {"types", "protocols", "errors", "visible", "closing"},
    1: {
        "text",
        "analysis",
        "quantities",
        "odds",
        "trace",
        "_optional",
        "_env",
        "durable",
        "pages",
        "rouge",
        "cache",
        "ledger",
        "hits",
        "prompts",
        "arguments",
        "built",
    },
    2: {"models", "idle", "surroundings"},
    3: {
        "cases",
        "sources",
        "select",
        "claims",
        "premises",
        "aggregate",
        "judge",
        "retrieve",
        "rerank",
        "compare",
        "reader",
        "writer",
        "corpus",
        "index",
        "evolve",
    },
    4: {"check", "verify", "generate"},
    5: {"recipes", "stacks"},
    6: {"render", "report", "verifier", "generator", "testing", "evals", "gates", "training"},
    7: {"annotate", "server"},
    8: {"api", "cli", "integrations"},
    9: {"__init__", "__main__"},
}
"""Where each file or folder of the package stands. A new one is added here, on the lowest floor it can stand on."""

FLOOR_OF = {name: floor for floor, names in FLOORS.items() for name in names}
RUNTIMES = {
    "openvino",
    "onnxruntime",
    "onnx",
    "torch",
    "transformers",
    "tokenizers",
    "safetensors",
    "huggingface_hub",
    "openai",
}
SPEAKS_TO_RUNTIMES = {"models", "training"}
"""`models` runs weights; `training` makes them and is never imported by what runs them."""

FILES = sorted(PACKAGE.rglob("*.py"))


def part_of(file: Path) -> str:
    """Return the file's or folder's name directly under the package."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def module_of(file: Path) -> str:
    parts = ("groundwire", *file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path) -> set[str]:
    """Return every module named by an import anywhere in the file, inside functions and TYPE_CHECKING blocks too.

    The version is left out: it is a constant of a package that is loaded before any of its files.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}:{node.lineno} uses a relative import: write the whole name"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found - {"groundwire.__version__"}


def inner_parts(file: Path) -> set[str]:
    """Return the parts of the package that the file imports; `from groundwire import select` counts as `select`."""
    ours = (name.split(".") for name in imports(file) if name.split(".")[0] == "groundwire")
    return {names[1] if len(names) > 1 and names[1] in FLOOR_OF else "__init__" for names in ours}


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_a_file_imports_only_from_lower_floors_and_its_own_folder(file: Path) -> None:
    here = part_of(file)
    assert here in FLOOR_OF, f"{here} stands on no floor: add it to the table in this test"
    for other in inner_parts(file) - {here}:
        if FLOOR_OF[here] == FLOOR_OF[other] == 0:
            continue  # the ground floor is one vocabulary: protocols are said in types
        assert FLOOR_OF[other] < FLOOR_OF[here], f"{here} (floor {FLOOR_OF[here]}) imports {other} ({FLOOR_OF[other]})"


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_only_the_engines_know_the_runtimes(file: Path) -> None:
    named = {name.split(".")[0] for name in imports(file)} & RUNTIMES
    assert not named or part_of(file) in SPEAKS_TO_RUNTIMES, f"imports {', '.join(sorted(named))}"


@pytest.mark.parametrize("file", [file for file in FILES if part_of(file) in FLOORS[0]], ids=module_of)
def test_the_ground_floor_imports_the_standard_library_alone(file: Path) -> None:
    outside = {n.split(".")[0] for n in imports(file)} - {"groundwire", "__future__"}
    assert outside <= sys.stdlib_module_names


def test_the_table_holds_nothing_that_is_gone() -> None:
    assert set(FLOOR_OF) <= {part_of(file) for file in FILES}


def test_there_is_no_cycle() -> None:
    modules = {module_of(file): file for file in FILES}
    graph = {name: _targets(file, modules) - {name} for name, file in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def _targets(file: Path, modules: dict[str, Path]) -> set[str]:
    """Return the modules of ours that the file imports; a name taken from a package is its sub-module if it has one."""
    named = (name for name in imports(file) if name.split(".")[0] == "groundwire")
    return {name if name in modules else name.rpartition(".")[0] for name in named} & set(modules)
