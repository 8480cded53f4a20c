"""The rate's schedule, and a stopped run that goes on as if it had not been stopped."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.models

from groundwire.errors import InputError  # noqa: E402
from groundwire.training import material, trainer  # noqa: E402
from groundwire.training.mixture import write  # noqa: E402
from groundwire.training.network import PairNetwork, body_config  # noqa: E402
from groundwire.training.readers import Readers  # noqa: E402
from groundwire.training.sample import Sample  # noqa: E402


@pytest.fixture
def data(tmp_path: Path, samples: Sequence[Sample]) -> Path:
    for name in ("train", "validation"):
        write(samples, tmp_path / f"{name}.jsonl")
    return tmp_path


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch, tokenizer_file: Path) -> None:
    monkeypatch.setattr(material, "base_folder", lambda: tokenizer_file.parent)
    for module in (material, trainer):
        monkeypatch.setattr(module, "from_base", lambda _attention="sdpa": PairNetwork(body_config(1, 32, 200)))


def settings(**more: Any) -> trainer.Settings:
    return trainer.Settings(samples=100, budget=80, max_length=32, **more)


def test_schedule() -> None:
    values = [trainer.schedule(step, 100, 0.05) for step in range(101)]
    assert max(values) == values[4] == 1
    assert values[0] == pytest.approx(0.2)
    assert values[100] == 0


def test_the_rate_falls_by_the_clock_where_that_is_faster() -> None:
    assert trainer.schedule(50, 100, 0.05, 0.9) == pytest.approx(0.1 / 0.95)
    assert trainer.schedule(90, 100, 0.05, 0.5) == trainer.schedule(90, 100, 0.05)
    assert trainer.schedule(0, 100, 0.05, 0.0) == pytest.approx(0.2)
    assert trainer.schedule(99, 100, 0.05, 1.0) == 0


def test_a_run_ends_when_its_time_is_over(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = trainer.Run(tmp_path / "run", settings(), data, seconds=3.0)
    now = iter(range(100, 1000))
    monkeypatch.setattr(trainer.time, "monotonic", lambda: float(next(now)))
    list(run.records())
    assert 0 < run.step < len(run.plan)
    assert trainer.Run(tmp_path / "none", settings(), data, seconds=0.0).spent() == 1.0


def test_teachers_read_every_batch(data: Path, tmp_path: Path) -> None:
    teacher = PairNetwork(body_config(1, 32, 200))
    readers = Readers([teacher], "cpu")
    found = trainer.Run(tmp_path / "run", settings(), data, readers=readers).one_step()
    alone = trainer.Run(tmp_path / "alone", settings(), data).one_step()
    assert float(found["entail"]) != pytest.approx(float(alone["entail"]))


def test_training_learns_and_resumes(data: Path, tmp_path: Path) -> None:
    run = trainer.Run(tmp_path / "run", settings(), data)
    for _ in range(3):
        run.one_step()
    run.save()
    went_on = [float(run.one_step()["entail"]) for _ in range(2)]
    resumed = trainer.Run(tmp_path / "run", settings(), data)
    resumed.resume()
    assert resumed.step == 3
    assert [float(resumed.one_step()["entail"]) for _ in range(2)] == pytest.approx(went_on, abs=2e-2)


def test_a_checkpoint_of_other_settings_is_refused(data: Path, tmp_path: Path) -> None:
    trainer.Run(tmp_path / "run", settings(), data).save()
    other = trainer.Run(tmp_path / "run", settings(seed=14), data)
    with pytest.raises(InputError, match="other settings"):
        other.resume()


def test_nothing_to_resume(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no checkpoint"):
        trainer.Run(tmp_path / "new", settings(), data).resume()


def test_a_run_ends_with_figures_and_a_log(data: Path, tmp_path: Path) -> None:
    run = trainer.Run(tmp_path / "run", settings(), data, steps=4)
    final = trainer.train(run)
    assert 0 <= final["auc"] <= 1
    assert (tmp_path / "run" / "log.jsonl").read_text().count("\n") == 2
    assert (tmp_path / "run" / "last" / "state.json").is_file()
    assert max(p.stat().st_size for p in (tmp_path / "run" / "last").iterdir()) <= 15_000_000


def test_a_run_goes_on_from_another_and_counts_all_samples(data: Path, tmp_path: Path) -> None:
    first = trainer.Run(tmp_path / "first", settings(), data)
    for _ in range(3):
        first.one_step()
    first.save()
    second = trainer.Run(tmp_path / "second", settings(init=str(tmp_path / "first" / "last"), skip=4), data)
    for name, value in trainer.trained(second.network).items():
        assert torch.allclose(value, first.average[name], atol=2e-3), name
    assert second.before > 0
    assert len(second.train.labels) == len(first.train.labels) - 4
