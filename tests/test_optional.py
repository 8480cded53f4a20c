import sys
from pathlib import Path

import pytest

from groundwire._optional import require
from groundwire.errors import MissingExtra


def test_an_installed_module_is_imported() -> None:
    assert require("json.decoder", "models").__name__ == "json.decoder"


@pytest.mark.parametrize("module", ["no_such_package", "no_such_package.part"])
def test_a_missing_package_names_its_extra(module: str) -> None:
    with pytest.raises(MissingExtra) as caught:
        require(module, "models")
    assert str(caught.value) == "no_such_package is not installed (hint: pip install 'groundwire[models]')"
    assert caught.value.exit_code == 3


def test_an_error_inside_the_package_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_installed.py").write_text("import what_it_needs")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="what_it_needs"):
        require("half_installed", "models")
    assert "half_installed" not in sys.modules
