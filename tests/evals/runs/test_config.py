from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.runs.config import Config, Data, named, read_config, specs_of
from groundwire.recipes import parse

WHOLE = """
limit = 20
seed = 3
tune_on = "dev"
checkers = ["default", "peer:overlap"]

[[data]]
name = "dev"
path = "dev.jsonl"

[[data]]
source = "halubench"
path = "halu"
split = "test"

[[grid]]
recipe = ["provenance", "provenance(premises=combined)"]
model = "mini"
select = ["top-p:0.9", "top-k:5"]
strip_period = [true, false]
"""


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "run.toml").write_text(text)
    return tmp_path / "run.toml"


def test_a_file_says_all_of_it(tmp_path: Path) -> None:
    found = read_config(written(tmp_path, WHOLE))
    assert (found.limit, found.seed, found.resamples, found.tune_on) == (20, 3, 1000, "dev")
    assert found.data[0] == Data(name="dev", path=str(tmp_path / "dev.jsonl"))
    assert found.data[1] == Data(name="halubench", source="halubench", path=str(tmp_path / "halu"), split="test")
    assert len(found.checkers) == 2 + 8
    assert found.checkers[2] == "provenance(model=mini, select=top-p:0.9, strip_period=yes)"
    assert found.checkers[-1] == "provenance(premises=combined, model=mini, select=top-k:5, strip_period=no)"
    for spec in found.checkers[2:]:
        parse(spec)
    assert Config.from_dict(found.to_dict()) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit = 0", "limit must be a whole number from 1"),
        ("limit = true", "limit must be a whole number"),
        ("speed = 1", "unknown keys: speed"),
        ("checkers = [", "is no TOML"),
        ('checkers = ["default"]', "at least one data set"),
        ('checkers = ["default"]\n[[data]]\nfile = "x"', "a data set has no file"),
        ('checkers = ["default"]\n[[data]]\nsplit = "x"', "needs a name, a source or a path"),
        ('checkers = ["default"]\ndata = ["nowhere.jsonl"]', "no file and no data set"),
        ('checkers = ["a", "a"]\n[[data]]\npath = "x"', "the checker 'a' comes twice"),
        ('checkers = ["a"]\ntune_on = "y"\n[[data]]\npath = "x"', "tune_on names no data set of this run: 'y'"),
        ('[[grid]]\nmodel = ["mini"]', "a grid needs a recipe"),
        ("checkers = 3.5\n[grid]\nrecipe = [1]", "checkers must be a text"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_config(written(tmp_path, text))


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_config(tmp_path / "none.toml")
    (tmp_path / "run.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_config(tmp_path / "run.toml")


def test_a_flag_is_a_file_a_named_file_or_a_data_set(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl.gz"
    file.touch()
    assert named(str(file)) == Data(name="rows", path=str(file))
    assert named(f"mine={file}") == Data(name="mine", path=str(file))
    assert named("halubench") == Data(name="halubench", source="halubench")
    assert named(f"halubench={file}") == Data(name="halubench", source="halubench", path=str(file))


def test_a_grid_without_fields_is_its_recipes() -> None:
    assert list(specs_of({"recipe": ["default", "model-alone"]})) == ["default", "model-alone"]
