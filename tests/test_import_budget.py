"""What `import groundwire` may cost, and what the core install may hold."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

IMPORT_SECONDS = 0.15
HELP_SECONDS = 0.3
ALLOWED = {"numpy", "click", "rich", "openvino", "onnxruntime"}
MOST_DISTRIBUTIONS = 14
HEAVY = ("numpy", "openvino", "onnxruntime", "torch", "transformers", "tokenizers", "click", "rich")
SERVING = (
    "fastapi",
    "starlette",
    "uvicorn",
    "pydantic",
    "prometheus_client",
    "httpx",
    "mcp",
    "opentelemetry",
    "asyncio",
)
"""What only a server needs, and loads when it is started."""

# Anything that leaves the process or changes the disk while the package is being imported.
AUDITED_IMPORT = """
import json, sys
seen = []
def hook(event, args):
    family = event.split(".")[0]
    writes = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
    if family in ("socket", "subprocess", "shutil", "urllib", "ftplib", "smtplib") or writes:
        seen.append(event)
    if event in ("os.system", "os.exec", "os.fork", "os.posix_spawn", "os.mkdir", "os.remove", "os.rename"):
        seen.append(event)
sys.addaudithook(hook)
import groundwire
print(json.dumps({"events": seen, "modules": sorted(sys.modules)}))
"""
# Processor seconds, not wall seconds: the same on a quiet machine, and true on a busy one.
TIMED_IMPORT = """
from time import process_time
start = process_time()
import groundwire
print(process_time() - start)
"""
TIMED_HELP = """
import subprocess, sys
from os import times
subprocess.run([sys.executable, "-m", "groundwire", "--help"], check=True, stdout=subprocess.DEVNULL)
print(times().children_user + times().children_system)
"""


def run(code: str, *options: str) -> str:
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def best(code: str, times: int = 5) -> float:
    return min(float(run(code)) for _ in range(times))


def test_importing_loads_nothing_heavy() -> None:
    modules = {name.split(".")[0] for name in json.loads(run(AUDITED_IMPORT, "-B"))["modules"]}
    assert not modules & set(HEAVY)


def loaded(code: str) -> set[str]:
    """Return the modules that are there after this code has run."""
    shown = json.loads(run(f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))").splitlines()[-1])
    return set(shown)


def test_importing_loads_nothing_of_a_server() -> None:
    modules = loaded("import groundwire")
    assert not {name for name in modules if name.startswith("groundwire.server")}
    assert not {name.split(".")[0] for name in modules} & set(SERVING)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["serve", "--help"], ["serve", "mcp", "--help"], ["check", "--help"]]
)
def test_help_loads_nothing_of_a_server(arguments: list[str]) -> None:
    code = f"from groundwire.cli.main import main\ntry:\n    main({arguments!r})\nexcept SystemExit:\n    pass"
    modules = loaded(code)
    assert not {name.split(".")[0] for name in modules} & (set(SERVING) - {"asyncio"})
    assert not {name for name in modules if name.startswith("groundwire.server.")}


def test_the_doors_of_the_server_load_without_its_extras() -> None:
    block = "".join(f"sys.modules[{name!r}] = None\n" for name in SERVING if name != "asyncio")
    assert "groundwire.server.settings" in loaded(f"{block}import groundwire.server.settings, groundwire.server.mcp")


@pytest.mark.parametrize(("command", "package", "extra"), [("", "fastapi", "server"), ("mcp", "mcp", "mcp")])
def test_a_missing_extra_is_one_line(command: str, package: str, extra: str) -> None:
    arguments = ["serve", *command.split()]
    code = f"import sys\nsys.modules[{package!r}] = None\nfrom groundwire.cli.main import main\nmain({arguments})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert done.stderr == f"error: {package} is not installed (hint: pip install 'groundwire[{extra}]')\n"


def test_importing_opens_no_socket_writes_no_file_and_starts_no_process() -> None:
    assert json.loads(run(AUDITED_IMPORT, "-B"))["events"] == []


def test_the_audit_sees_what_it_looks_for() -> None:
    code = AUDITED_IMPORT.replace("import groundwire", "import os, socket; open(os.devnull, 'w'); socket.socket()")
    assert json.loads(run(code, "-B"))["events"] == ["open", "socket.__new__"]


def test_importing_is_quick() -> None:
    assert best(TIMED_IMPORT) <= IMPORT_SECONDS


def test_help_is_quick() -> None:
    assert best(TIMED_HELP) <= HELP_SECONDS


def core_requirements(root: Path) -> list[Requirement]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(line) for line in project["dependencies"]]


def test_the_core_depends_on_a_short_known_list(project_root: Path) -> None:
    assert {requirement.name for requirement in core_requirements(project_root)} == ALLOWED


def test_the_core_install_stays_small(project_root: Path) -> None:
    """Follow what is installed here, extras left out; what is not installed on this platform is not counted."""
    found: set[str] = set()
    waiting = core_requirements(project_root)
    while waiting:
        requirement = waiting.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        try:
            waiting += [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:
            continue
        found.add(name)
    assert {"numpy", "click", "rich"} <= found
    assert len(found) <= MOST_DISTRIBUTIONS
    assert not found & {"torch", "transformers"}
