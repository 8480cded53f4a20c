"""The only place that runs a network: OpenVINO, and ONNX Runtime on platforms that have no wheel of it.

A backend is one compiled model, made once a process, and gives one array for named arrays. Both read the same ONNX file.
Measured with the built-in model (MiniLM-L6, weights stored as int8) on one core with AVX512-VNNI and no bf16: OpenVINO
fp32 30.8 pairs of 113 tokens a second, with quantised activations 50.7 at a rank correlation of .9995 with fp32 (largest
change of a probability .012); ONNX Runtime's fp32 is .92 of OpenVINO's, sentence-transformers' .40. On CPUs with AMX,
OpenVINO in bf16 is four times the last. Left out: GPUs, text.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import LifoQueue
from typing import Any, Literal, Protocol

import numpy as np

from groundwire._optional import require
from groundwire.errors import CorruptModel, UsageError

Arrays = Mapping[str, np.ndarray[Any, np.dtype[np.int64]]]
Logits = np.ndarray[tuple[int, int], np.dtype[np.float32]]
Precision = Literal["auto", "auto-int8", "fp32", "bf16", "int8"]
"""What products are computed in. int8: weights that are stored so, and activations quantised as they come, a scale for
each 128 numbers of a token, so that a pair's scores do not depend on its batch; on CPUs without VNNI instructions, and
for weights that are stored as floats, it is fp32. auto: bf16 where the CPU computes in it, else fp32; auto-int8: else
int8, for models on which that was measured.
"""
PRECISIONS: tuple[Precision, ...] = ("auto", "auto-int8", "fp32", "bf16", "int8")
_GROUP = 128


class Backend(Protocol):
    """A compiled model, safe for any number of threads."""

    precision: str
    streams: int
    """How many batches run at the same time at best, each on a core of its own."""

    def run(self, arrays: Arrays) -> Logits:
        """Run on int64 arrays [n, width] by input name; return float32 [n, k]. Arrays it does not take are ignored."""
        ...

    def run_with_tokens(self, arrays: Arrays) -> tuple[Logits, Logits]:
        """Run once and return the output for tokens as well, float32 [n, width]; only for a model opened with one."""
        ...


def open_backend(
    model: Path,
    *,
    inputs: Sequence[str],
    output: str,
    tokens: str | None = None,
    precision: Precision = "auto",
    threads: int | None = None,
) -> Backend:
    """Compile an ONNX file whose sha256 was checked. `tokens` is the output that has a number for each token, if any.

    `threads` None: every core that the process may use. Raises CorruptModel for a file that the runtime cannot read,
    UsageError for a precision that there is not, MissingExtra without a runtime.
    """
    if precision not in PRECISIONS:
        raise UsageError(f"unknown precision {precision!r}", f"known: {', '.join(PRECISIONS)}")
    kind = OpenVino if importlib.util.find_spec("openvino") else OnnxRuntime
    return kind(model, inputs=inputs, output=output, tokens=tokens, precision=precision, threads=threads)


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class OpenVino:
    """One compiled model with a stream a core, and a request for each stream. No cache folder: nothing is written.

    A batch of a small model is too little work to be split over cores: two cores on one batch are hardly faster than one
    (1.1 × measured), two batches on a core each are.
    """

    def __init__(
        self,
        model: Path,
        *,
        inputs: Sequence[str],
        output: str,
        precision: Precision,
        threads: int | None,
        tokens: str | None = None,
    ) -> None:
        core = _import_openvino().Core()
        self.precision = _choose(precision, bf16="BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"))
        self.streams = streams = threads or usable_cores()
        settings = {
            "NUM_STREAMS": str(streams),
            "INFERENCE_NUM_THREADS": streams,
            "INFERENCE_PRECISION_HINT": "bf16" if self.precision == "bf16" else "f32",
            # Left unsaid, weights stored as int8 are taken as leave to quantise the activations too.
            "DYNAMIC_QUANTIZATION_GROUP_SIZE": _GROUP if self.precision == "int8" else 0,
        }
        try:
            compiled = core.compile_model(str(model), "CPU", settings)
        except RuntimeError as error:
            raise _unreadable(model, error) from error
        _check_names(model, [i.get_any_name() for i in compiled.inputs], inputs)
        outputs = _present(output, tokens)
        _check_names(model, [name for o in compiled.outputs for name in o.names], outputs)
        self._inputs, self._outputs = tuple(inputs), [compiled.output(name) for name in outputs]
        # The first call fills a native table behind a lock that it keeps while it waits for the interpreter's: two streams in
        # it at once would wait for each other for ever.
        for port in compiled.inputs:
            port.get_element_type().to_dtype()
        self._requests: LifoQueue[Any] = LifoQueue()
        for _ in range(streams):
            self._requests.put(compiled.create_infer_request())

    def run(self, arrays: Arrays) -> Logits:
        """Run on int64 arrays [n, width] by input name; return float32 [n, k]."""
        return self._run(arrays, self._outputs[:1])[0]

    def run_with_tokens(self, arrays: Arrays) -> tuple[Logits, Logits]:
        """Run once; return float32 [n, k] and, for tokens, [n, width]."""
        logits, tokens = self._run(arrays, self._outputs)
        return logits, tokens

    def _run(self, arrays: Arrays, outputs: Sequence[Any]) -> list[Logits]:
        request = self._requests.get()
        try:
            request.infer({name: arrays[name] for name in self._inputs}, share_inputs=True)
            return [np.array(request.get_tensor(output).data, dtype=np.float32) for output in outputs]
        finally:
            self._requests.put(request)


class OnnxRuntime:
    """A session of ONNX Runtime; it computes in fp32."""

    precision = "fp32"
    streams = 1

    def __init__(
        self,
        model: Path,
        *,
        inputs: Sequence[str],
        output: str,
        precision: Precision,
        threads: int | None,
        tokens: str | None = None,
    ) -> None:
        if precision in ("bf16", "int8"):
            raise UsageError(f"with ONNX Runtime nothing is computed in {precision}", "use precision auto or fp32")
        runtime = require("onnxruntime", "models")
        options = runtime.SessionOptions()
        options.log_severity_level = 3
        if threads is not None:
            options.intra_op_num_threads = threads
        try:
            self._session = runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime raises classes of its own that share no base but this
            raise _unreadable(model, error) from error
        _check_names(model, [i.name for i in self._session.get_inputs()], inputs)
        self._inputs, self._outputs = tuple(inputs), _present(output, tokens)
        _check_names(model, [o.name for o in self._session.get_outputs()], self._outputs)

    def run(self, arrays: Arrays) -> Logits:
        """Run on int64 arrays [n, width] by input name; return float32 [n, k]."""
        return self._run(arrays, self._outputs[:1])[0]

    def run_with_tokens(self, arrays: Arrays) -> tuple[Logits, Logits]:
        """Run once; return float32 [n, k] and, for tokens, [n, width]."""
        logits, tokens = self._run(arrays, self._outputs)
        return logits, tokens

    def _run(self, arrays: Arrays, outputs: Sequence[str]) -> list[Logits]:
        found = self._session.run(outputs, {name: arrays[name] for name in self._inputs})
        return [np.asarray(one, dtype=np.float32) for one in found]


def _choose(wanted: Precision, *, bf16: bool) -> str:
    if wanted == "bf16" and not bf16:
        raise UsageError("this CPU does not compute in bf16", "use precision auto or fp32")
    if wanted in ("auto", "auto-int8"):
        return "bf16" if bf16 else "int8" if wanted == "auto-int8" else "fp32"
    return wanted


def _import_openvino() -> Any:
    """Import OpenVINO without its model converter, which at import reports to its makers and writes to the home folder.

    The runtime needs nothing of the converter and says so itself: it goes on when the import fails.
    """
    converter = "openvino.tools.ovc"
    if "openvino" in sys.modules or converter in sys.modules:
        return require("openvino", "models")
    sys.modules[converter] = None  # type: ignore[assignment]  # the documented way to make an import fail
    try:
        return require("openvino", "models")
    finally:
        del sys.modules[converter]


def _present(*names: str | None) -> list[str]:
    return [name for name in names if name is not None]


def _check_names(model: Path, found: Sequence[str], wanted: Sequence[str]) -> None:
    missing = sorted(set(wanted) - set(found))
    if missing:
        raise CorruptModel(f"{model.parent.name}: {model.name} has no {', '.join(missing)}; it has {', '.join(found)}")


def _unreadable(model: Path, error: Exception) -> CorruptModel:
    # OpenVINO's first lines say only where in its own source the error was raised.
    lines = [line.strip() for line in str(error).splitlines() if not line.startswith("Exception from")]
    reason = next((line for line in lines if line), type(error).__name__)
    return CorruptModel(f"{model.parent.name}: {model.name} cannot be read: {reason}")
