"""The plugin in a pytest of its own, as a project that uses it has it."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

PLUGIN = "groundwire.integrations.pytest_plugin"
TESTS = """
CONTEXTS = ["The bridge was opened in 1932."]

def test_good(assert_grounded):
    assert assert_grounded("It was opened in 1932.", CONTEXTS).grounded

def test_bad(assert_grounded):
    assert_grounded("Elephants built Saturn.", CONTEXTS, question="Who built it?")
"""


def pytest_of(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:groundwire", "-p", PLUGIN, "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_failure_shows_what_is_not_backed(tmp_path: Path) -> None:
    (tmp_path / "test_bot.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\ngroundwire_checker = peer:overlap\n")
    done = pytest_of(tmp_path, "-q")
    assert done.returncode == 1, done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "the answer is not grounded: no evidence, score 0.00, threshold 0.50" in done.stdout
    assert "question: Who built it?" in done.stdout
    assert 'no evidence (0.00): "Elephants built Saturn."' in done.stdout
    assert "grounded.py" not in done.stdout, "the frames of the plugin are hidden"


def test_options_go_before_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "test_bot.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\ngroundwire_checker = peer:none\n")
    done = pytest_of(tmp_path, "-q", "--groundwire-checker", "peer:overlap", "--groundwire-threshold", "0")
    assert "2 passed" in done.stdout, done.stdout
    wrong = pytest_of(tmp_path, "-q", "--groundwire-threshold", "much")
    assert "groundwire_threshold is a number in [0, 1], not 'much'" in wrong.stdout + wrong.stderr


def test_the_plugin_is_what_pytest_finds_and_loads_nothing_heavy(project_root: Path) -> None:
    project = tomllib.loads((project_root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"groundwire": PLUGIN}
    code = f"import json, sys, {PLUGIN}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(json.loads(done.stdout))
    assert not {name.split(".")[0] for name in loaded} & {"numpy", "openvino", "torch", "click", "rich", "ragas"}
    assert not {name for name in loaded if name.startswith("groundwire.evals")}
