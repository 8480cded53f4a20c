"""The documentation runs: what README.md and docs/*.md show is done here, and must work.

- ```python blocks are run, each in a fresh namespace; ```python no-run blocks are not.
- ```console blocks whose commands start with `$ groundwire` are run; each must exit with 0, or with the code that a
  following `$ echo $?` shows. ```console no-run blocks are not run.
- ```jsonl file=NAME blocks (any language) are first written to NAME, so that the commands find them.

All blocks of one page share one empty folder.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if page.is_file()]
FENCE = re.compile(r"^ {0,3}(`{3,})([^`\n]*)$")


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
    def file(self) -> str | None:
        return next((word.removeprefix("file=") for word in self.info.split() if word.startswith("file=")), None)

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
PYTHON = [block for block in BLOCKS if block.language == "python" and block.runs]
CONSOLE = [block for block in BLOCKS if block.language == "console" and block.runs and "$ groundwire" in block.text]


def commands(block: Block) -> list[tuple[str, int]]:
    """Return the commands of a console block, each with the exit code it must have."""
    found: list[tuple[str, int]] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            continue
        command = line[2:]
        while command.endswith("\\"):
            command = command[:-1] + next(lines).removeprefix("> ")
        if command == "echo $?":
            found[-1] = (found[-1][0], int(next(lines)))
        elif command.startswith("groundwire "):
            found.append((command, 0))
    return found


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """Make one folder a page and put the page's files into it."""
    made = {page: tmp_path_factory.mktemp(page.stem) for page in PAGES}
    for block in BLOCKS:
        if block.file:
            (made[block.page] / block.file).write_text(block.text, encoding="utf-8")
    return made


@pytest.mark.parametrize("block", PYTHON, ids=str)
def test_python_blocks_run(block: Block, folders: dict[Path, Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block.text], cwd=folders[block.page], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_commands_exit_as_shown(block: Block, folders: dict[Path, Path]) -> None:
    module = f"{shlex.quote(sys.executable)} -m groundwire"
    for command, code in commands(block):
        script = f'groundwire() {{ {module} "$@"; }}\n{command}'
        environment = {**os.environ, "NO_COLOR": "1"}
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", script],
            cwd=folders[block.page],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == code, f"$ {command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = (target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target)
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


def test_a_block_is_read_with_its_place_and_its_exit_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "text\n```console\n$ groundwire check \\\n>   --json\n{}\n$ echo $?\n1\n$ groundwire demo\n```\n"
        "````python no-run\n```\n````\n```jsonl file=rows.jsonl\n{}\n```\n",
        encoding="utf-8",
    )
    console, python, rows = blocks(page)
    assert commands(console) == [("groundwire check   --json", 1), ("groundwire demo", 0)]
    assert (str(console), python.runs, python.text) == ("page.md:2", False, "```\n")
    assert (rows.file, rows.text) == ("rows.jsonl", "{}\n")


def test_the_quality_page_is_the_one_its_results_give(tmp_path: Path) -> None:
    if not any((ROOT / "benchmarks" / "results" / "quality").glob("*.json")):
        pytest.skip("no quality results here (make them with benchmarks/quality.py)")
    script, page = ROOT / "benchmarks" / "quality.py", tmp_path / "quality.md"
    subprocess.run([sys.executable, str(script), "--page-only", "--page", str(page)], check=True, timeout=120)
    assert (ROOT / "docs" / "quality.md").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
