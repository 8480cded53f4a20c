import json
import os
import subprocess
import sys

import numpy as np
import pytest

from groundwire.errors import CorruptModel, UsageError
from groundwire.models import backend

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def arrays(rows):
    width = max(map(len, rows))
    ids, mask = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width), np.int64)
    for i, row in enumerate(rows):
        ids[i, : len(row)], mask[i, : len(row)] = row, 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


@pytest.fixture(params=["OpenVino", "OnnxRuntime"])
def kind(request):
    pytest.importorskip({"OpenVino": "openvino", "OnnxRuntime": "onnxruntime"}[request.param])
    return getattr(backend, request.param)


@pytest.fixture
def opened(tiny, kind, tmp_path):
    folder = tiny.directory(tmp_path)
    return kind(folder / "model.onnx", inputs=INPUTS, output="logits", precision="fp32", threads=1)


def test_the_numbers_are_the_networks(tiny, opened):
    rows = [[2, 4, 5, 3], [2, 9, 3], [2]]
    found = opened.run(arrays(rows))
    assert found.dtype == np.float32
    wanted = [tiny.expected(row, [0] * len(row)) for row in rows]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_a_result_is_not_changed_by_the_next_run(opened):
    first = opened.run(arrays([[2, 4, 3]]))
    before = first.copy()
    opened.run(arrays([[2, 9, 3]]))
    assert (first == before).all()


def test_one_run_gives_the_tokens_too(tiny, kind, tmp_path):
    folder = tiny.directory(tmp_path, model=tiny.network(tokens=True))
    open_ = {"inputs": INPUTS, "output": "logits", "precision": "fp32", "threads": 1}
    model = kind(folder / "model.onnx", tokens="token_logits", **open_)
    rows = [[2, 4, 5, 3], [2, 9, 3]]
    logits, tokens = model.run_with_tokens(arrays(rows))
    np.testing.assert_array_equal(logits, model.run(arrays(rows)))
    assert (tokens.dtype, tokens.shape) == (np.float32, (2, 4))
    for row, found in zip(rows, tokens, strict=True):
        np.testing.assert_allclose(found[: len(row)], tiny.expected_tokens(row, [0] * len(row)), atol=1e-6)
    with pytest.raises(CorruptModel, match="has no doubts"):
        kind(folder / "model.onnx", tokens="doubts", **open_)


def test_a_file_that_is_no_network(kind, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"not a network")
    with pytest.raises(CorruptModel, match=r"model\.onnx cannot be read"):
        kind(path, inputs=INPUTS, output="logits", precision="fp32", threads=1)


@pytest.mark.parametrize(("inputs", "output"), [(("input_ids", "pixels"), "logits"), (INPUTS, "vectors")])
def test_names_that_the_file_does_not_have(tiny, kind, tmp_path, inputs, output):
    folder = tiny.directory(tmp_path)
    with pytest.raises(CorruptModel, match=r"has no (pixels|vectors)"):
        kind(folder / "model.onnx", inputs=inputs, output=output, precision="fp32", threads=1)


def test_an_unknown_precision(tmp_path):
    with pytest.raises(UsageError, match="int3"):
        backend.open_backend(tmp_path / "model.onnx", inputs=INPUTS, output="logits", precision="int3")


@pytest.mark.parametrize(
    ("wanted", "with_bf16", "without"),
    [("auto", "bf16", "fp32"), ("auto-int8", "bf16", "int8"), ("fp32", "fp32", "fp32"), ("int8", "int8", "int8")],
)
def test_what_is_computed_in(wanted, with_bf16, without):
    assert backend._choose(wanted, bf16=True) == with_bf16
    assert backend._choose(wanted, bf16=False) == without


def test_bf16_is_refused_where_there_is_none():
    assert backend._choose("bf16", bf16=True) == "bf16"
    with pytest.raises(UsageError, match="bf16"):
        backend._choose("bf16", bf16=False)


def test_the_runtime_reports_to_nobody(tiny, tmp_path):
    """OpenVINO's converter sends an event and writes to the home folder when it is imported."""
    pytest.importorskip("openvino")
    folder = tiny.directory(tmp_path / "model")
    home = tmp_path / "home"
    home.mkdir()
    code = f"""
import json, os, socket, sys
seen = []
sys.addaudithook(lambda event, args: seen.append((event, str(args))) if event.startswith(
    ("socket.", "subprocess.", "os.fork", "os.posix_spawn", "os.exec", "os.mkdir")) else None)
sys.path[:0] = {sys.path!r}
from groundwire.models import backend
from pathlib import Path
backend.open_backend(Path({str(folder / "model.onnx")!r}), inputs={INPUTS!r}, output="logits")
print(json.dumps([seen, [m for m in sys.modules if "telemetry" in m or m.startswith("openvino.tools")]]))
"""
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    seen, modules = json.loads(done.stdout)
    assert seen == []
    assert modules == []
    assert list(home.iterdir()) == []
