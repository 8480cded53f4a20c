"""The documentation runs: what README.md and docs/*.md show is done here, and must work.

- ```python blocks are run, each in a fresh namespace; ```python no-run blocks are not.
- ```console blocks whose commands start with `$ groundwire` are run; each must exit with 0, or with the code that a
  following `$ echo $?` shows. ```console no-run blocks are not run.
- ```console shown blocks are run as on a terminal of 80 columns, and what stands below a command has to be what comes out,
  but for scores, times and sizes, which are those of the machine that wrote the page.
- ```console served and ```python served blocks speak to http://127.0.0.1:8100. A server is started in the page's folder for
  them, on another port, with the page's indexes and a language model that always says the same; every `$ curl` has to exit
  with 0, and what stands below it under `shown` has to be what comes out.
- ```python needs=PACKAGE blocks are skipped where that package is not installed.
- ```jsonl file=NAME blocks (any language) are first written to NAME, so that the commands find them.

All blocks of one page share one empty folder and run in the page's order: one may use what an earlier one has made.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from time import sleep
from urllib.request import urlopen

import pytest

from groundwire import __version__
from groundwire.testing.endpoint import FaultServer

ROOT = Path(__file__).resolve().parent.parent
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if page.is_file()]
FENCE = re.compile(r"^ {0,3}(`{3,})([^`\n]*)$")
VARIES = re.compile(r"\b\d+\.\d{2,4}\b|\b\d[\d .]*(?= (?:s|kB|passages a second|generations?|offspring)\b)")
"""Scores, times and sizes in what is shown."""


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    info: str
    text: str

    @property
    def language(self) -> str:
        return self.info.split()[0] if self.info.strip() else ""

    @property
    def runs(self) -> bool:
        return "no-run" not in self.info.split()

    @property
    def shows(self) -> bool:
        return "shown" in self.info.split()

    @property
    def served(self) -> bool:
        return "served" in self.info.split()

    @property
    def file(self) -> str | None:
        return self._said("file")

    @property
    def needs(self) -> str | None:
        return self._said("needs")

    def _said(self, name: str) -> str | None:
        return next((word.split("=")[1] for word in self.info.split() if word.startswith(f"{name}=")), None)

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """Cut a page into its fenced blocks."""
    fence, info, start, body = "", "", 0, list[str]()
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        mark = FENCE.match(line)
        if not fence and mark:
            fence, info, start, body = mark[1], mark[2].strip(), number, []
        elif fence and mark and not mark[2].strip() and len(mark[1]) >= len(fence):
            yield Block(page, start, info, "\n".join(body) + "\n")
            fence = ""
        elif fence:
            body.append(line)
    assert not fence, f"{page.name}:{start}: a block that does not end"


BLOCKS = [block for page in PAGES for block in blocks(page)]
RUNNABLE = [
    block
    for block in BLOCKS
    if block.runs
    and not block.served
    and (block.language == "python" or (block.language == "console" and "$ groundwire" in block.text))
]
SERVED = [block for block in BLOCKS if block.served]


@dataclass
class Command:
    """A command of a console block, the code that it must exit with, and the lines below it."""

    line: str
    code: int = 0
    output: list[str] = field(default_factory=list)


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block."""
    found: list[Command] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            if found:
                found[-1].output.append(line)
            continue
        command = line[2:]
        while command.endswith("\\"):
            command = command[:-1] + next(lines).removeprefix("> ")
        if command == "echo $?":
            found[-1].code = int(next(lines))
        elif command.startswith(("groundwire ", "curl ")):
            found.append(Command(command))
    return found


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """Make one folder a page and put the page's files into it."""
    made = {page: tmp_path_factory.mktemp(page.stem) for page in PAGES}
    for block in BLOCKS:
        if block.file:
            path = made[block.page] / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    return made


@pytest.mark.parametrize("block", RUNNABLE, ids=str)
def test_blocks_run(block: Block, folders: dict[Path, Path]) -> None:
    if block.needs:
        pytest.importorskip(block.needs)
    if block.language == "python":
        _python(block, folders[block.page])
    for command in commands(block) if block.language == "console" else ():
        if block.shows:
            _as_shown(command, folders[block.page])
        else:
            _exits(command, folders[block.page])


def _python(block: Block, folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", block.text], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def _exits(command: Command, folder: Path) -> None:
    done = _run(command, folder, stdout=subprocess.PIPE)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == command.code, f"$ {command.line}\n{out[-2000:]}{err[-2000:]}"


def _as_shown(command: Command, folder: Path) -> None:
    """Run a command on a terminal; what it says on standard error may stand before or behind the rest."""
    if not hasattr(os, "openpty"):
        pytest.skip("needs a terminal of POSIX")
    ours, theirs = os.openpty()
    try:
        done = _run(command, folder, stdout=theirs)  # a page shows less than a terminal holds unread
        os.close(theirs)
        out = b"".join(_unread(ours)).decode().splitlines()
    finally:
        os.close(ours)
    err = done.stderr.decode().splitlines()
    assert done.returncode == command.code, (command.line, out, err)
    shown = _settled(command.output)
    assert shown in (_settled(err + out), _settled(out + err)), f"$ {command.line}\n" + "\n".join(err + out)


def _run(command: Command, folder: Path, *, stdout: int) -> subprocess.CompletedProcess[bytes]:
    script = f'groundwire() {{ {shlex.quote(sys.executable)} -m groundwire "$@"; }}\n{command.line}'
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80", "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=120,
    )


def _unread(terminal: int) -> Iterator[bytes]:
    with suppress(OSError):  # this is how Linux says that nobody writes any more
        while piece := os.read(terminal, 1 << 16):
            yield piece


def _settled(lines: list[str]) -> list[str]:
    """Return the lines without what varies and without blanks at their ends; blank lines do not count."""
    return [VARIES.sub("#", line.rstrip()) for line in lines if line.strip()]


@pytest.fixture(scope="module")
def addresses(folders: dict[Path, Path]) -> Iterator[Callable[[Path], str]]:
    """Give each page's server its address; it starts when the page's first block asks for it."""
    pytest.importorskip("uvicorn")
    found: dict[Path, str] = {}
    with ExitStack() as running:

        def address(page: Path) -> str:
            if page not in found:
                found[page] = running.enter_context(_serving(folders[page]))
            return found[page]

        yield address


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    indexes = [f"--index={place.stem}={place.name}" for place in folder.glob("*.index")]
    with FaultServer("The bridge was opened in 1932.") as upstream:
        command = [sys.executable, "-m", "groundwire", "serve", "--port=0", f"--upstream={upstream.url}", *indexes]
        with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as server:
            try:
                assert server.stderr is not None
                said = next(line for line in server.stderr if "listens on" in line or line.startswith("error"))
                Thread(target=server.stderr.read, daemon=True).start()
                address = said.split()[-1].rstrip("/")
                _ready(address)
                yield address
            finally:
                server.terminate()


def _ready(address: str) -> None:
    for _ in range(300):
        with suppress(OSError), urlopen(f"{address}/readyz", timeout=10):
            return
        sleep(0.1)
    raise AssertionError("the server never became ready")


@pytest.mark.parametrize("block", SERVED, ids=str)
def test_served_blocks_speak_to_a_server(
    block: Block, folders: dict[Path, Path], addresses: Callable[[Path], str]
) -> None:
    if block.needs:
        pytest.importorskip(block.needs)
    here = replace(block, text=block.text.replace("http://127.0.0.1:8100", addresses(block.page)))
    if block.language == "python":
        _python(here, folders[block.page])
        return
    for command in commands(here):
        program = re.findall(r"(?:^|\| )(curl|jq)\b", command.line)
        if missing := [name for name in program if shutil.which(name) is None]:
            pytest.skip(f"{missing[0]} is not installed")
        done = _run(command, folders[block.page], stdout=subprocess.PIPE)
        out = done.stdout.decode()
        assert done.returncode == command.code, f"$ {command.line}\n{out[-2000:]}{done.stderr.decode()[-2000:]}"
        assert not block.shows or _settled(out.splitlines()) == _settled(command.output), out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = (target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target)
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


def test_a_block_is_read_with_its_place_and_its_exit_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "text\n```console shown\n$ groundwire check \\\n>   --json\n{}\n$ echo $?\n1\n$ groundwire demo\n```\n"
        "````python no-run needs=torch\n```\n````\n```jsonl file=rows.jsonl\n{}\n```\n",
        encoding="utf-8",
    )
    console, python, rows = blocks(page)
    assert commands(console) == [Command("groundwire check   --json", 1, ["{}"]), Command("groundwire demo")]
    assert (console.shows, python.shows) == (True, False)
    assert (str(console), python.runs, python.text) == ("page.md:2", False, "```\n")
    assert (python.needs, python.file, rows.needs) == ("torch", None, None)
    assert (rows.file, rows.text) == ("rows.jsonl", "{}\n")


def test_the_quality_page_is_the_one_its_results_give(tmp_path: Path) -> None:
    if not any((ROOT / "benchmarks" / "results" / "quality").glob("*.json")):
        pytest.skip("no quality results here (make them with benchmarks/quality.py)")
    script, page = ROOT / "benchmarks" / "quality.py", tmp_path / "quality.md"
    subprocess.run([sys.executable, str(script), "--page-only", "--page", str(page)], check=True, timeout=120)
    assert (ROOT / "docs" / "quality.md").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_the_reliability_page_is_the_one_its_results_give(tmp_path: Path) -> None:
    script, page = ROOT / "benchmarks" / "reliability" / "page.py", tmp_path / "reliability.md"
    subprocess.run([sys.executable, str(script), str(page)], check=True, timeout=60)
    assert (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_the_speed_page_is_the_one_its_results_give(tmp_path: Path) -> None:
    script, page = ROOT / "benchmarks" / "speed_page.py", tmp_path / "speed.md"
    subprocess.run([sys.executable, str(script), str(page)], check=True, timeout=60)
    assert (ROOT / "docs" / "speed.md").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_the_capacity_table_is_the_one_its_results_give(tmp_path: Path) -> None:
    if not (ROOT / "benchmarks" / "results" / "serve.json").is_file():
        pytest.skip("no figures of the server here (make them with benchmarks/bench_serve.py)")
    script, page = ROOT / "benchmarks" / "serve_page.py", tmp_path / "serve.md"
    page.write_text((ROOT / "docs" / "serve.md").read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([sys.executable, str(script), str(page)], check=True, timeout=60)
    assert (ROOT / "docs" / "serve.md").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_the_figures_of_the_generate_page_are_those_of_its_results(tmp_path: Path) -> None:
    script, page = ROOT / "benchmarks" / "generate_page.py", tmp_path / "generate.md"
    page.write_text((ROOT / "docs" / "generate.md").read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([sys.executable, str(script), "--page", str(page)], check=True, timeout=60)
    assert (ROOT / "docs" / "generate.md").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_what_is_shown_is_compared_but_for_what_varies(tmp_path: Path) -> None:
    _as_shown(Command("groundwire --version", 0, [f"groundwire {__version__}"]), tmp_path)
    with pytest.raises(AssertionError):
        _as_shown(Command("groundwire --version", 0, ["groundwire"]), tmp_path)
    said = [
        "read   2 documents in 1.3 s, 1 234 passages a second  ",
        "",
        "  ✓ supported 0.91 In 1932.",
        "1.0920 4.4 kB",
    ]
    assert _settled(said) == [
        "read   2 documents in # s, # passages a second",
        "  ✓ supported # In 1932.",
        "# # kB",
    ]
