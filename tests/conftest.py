"""What every test may ask for. Tests open no socket and load no download."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shared",
        metavar="DIR",
        help="the folder whose data/ holds the evaluation sets (default: ../shared beside the project)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "contract(line): proves a line of the server's contract (benchmarks/contract_page.py)"
    )


@pytest.fixture(scope="session")
def shared_data(request: pytest.FixtureRequest) -> Path:
    """The folder of the public data sets, which are never committed; a test that needs them is skipped without."""
    folder = Path(request.config.getoption("--shared") or ROOT.parent / "shared") / "data"
    if not folder.is_dir():
        pytest.skip("the shared data sets are not here (--shared DIR says where)")
    return folder


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder of pyproject.toml."""
    return ROOT
