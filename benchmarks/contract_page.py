"""The contract of the server, line by line with the tests that prove it: writes the table into docs/serve.md and README.md.

    python benchmarks/contract_page.py            write the tables between `<!-- contract -->` and `<!-- /contract -->`
    python benchmarks/contract_page.py --check    say whether they are up to date, and whether a line has no test

A test says which line it proves by `@pytest.mark.contract("line")`; nothing is imported, the marks are read in the source.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from page_text import between

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("docs/serve.md", "README.md")
BEGIN, END = "<!-- contract -->\n", "<!-- /contract -->"

LINES: Mapping[str, str] = {
    "body": "A body has at most 1 MiB, counted as it streams: 413.",
    "items": "A request has at most 32 items: 422.",
    "text": "A text has at most 200 000 characters: 422; it is cut only when asked to, and then `truncated: true` says so.",
    "queue": "The queue is bounded in tokens; full, 429 with a `Retry-After` in whole seconds from the measured rate.",
    "unready": "Not ready, or being stopped: 503 with `Retry-After`.",
    "receipt": "A request, headers and body, has to arrive within 15 s: 408.",
    "verdict": "A verdict comes within 30 s, or 504 and the work is cancelled.",
    "drain": "SIGTERM: stop accepting, finish what is in flight within 20 s, exit 0; no request is cut.",
    "livez": "`/livez` does no model work.",
    "readyz": "`/readyz` says yes only after the model answered a canary.",
    "bind": "It binds 127.0.0.1, and refuses any other address without an API key.",
    "key": "Every route but `/livez` asks for the key, which is compared in constant time.",
    "envelope": "Every error is `{error: {type, code, message, param, request_id}}` and never echoes the body.",
    "fields": "No field of a request names a URL, a path, a key or a model file.",
    "silence": "Keys, prompts and passages reach no log, metric or trace above debug level.",
}
"""The lines by the name that a test's mark says."""


def proofs(root: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each line, as file and name, in the order of the files. Raises SystemExit for an unknown line."""
    found: dict[str, list[tuple[str, str]]] = {line: [] for line in LINES}
    for file in sorted((root / "tests").rglob("test_*.py")):
        name = file.relative_to(root).as_posix()
        for test, line in _marks(ast.parse(file.read_text(encoding="utf-8"))):
            if line not in found:
                raise SystemExit(f"{name}: {test} proves {line!r}, which is no line of the contract")
            found[line].append((name, test))
    return found


def _marks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for mark in reversed(node.decorator_list):
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.contract":
                for given in mark.args:
                    yield node.name, str(ast.literal_eval(given))


def table(found: Mapping[str, Sequence[tuple[str, str]]], page: str) -> str:
    """Return the table in Markdown: with every test where there is room for it, in the README with their files alone."""
    up = "../" * page.count("/")
    rows = ["| contract | tests |", "|---|---|"]
    for line, told in LINES.items():
        if up:
            tests = [f"[{_said(test)}]({up}{file})" for file, test in dict.fromkeys(found[line])]
        else:
            tests = [f"[{Path(file).stem.removeprefix('test_')}]({file})" for file in dict(found[line])]
        rows.append(f"| {told} | {' · '.join(tests)} |")
    return "\n".join(rows) + "\n"


def _said(test: str) -> str:
    return test.removeprefix("test_").replace("_", " ")


def main(args: Sequence[str] | None = None) -> int:
    """Write the tables, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 when a table is old or a line has no test"
    )
    asked = parser.parse_args(args)
    found = proofs(ROOT)
    problems = [f"no test proves: {LINES[line]}" for line, tests in found.items() if not tests]
    for name in PAGES:
        page = ROOT / name
        now = page.read_text(encoding="utf-8")
        made = between(now, BEGIN, END, table(found, name))
        if asked.check and made != now:
            problems.append(f"{name} is old: python benchmarks/contract_page.py")
        elif made != now:
            page.write_text(made, encoding="utf-8")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
