"""The pair engine against sentence-transformers, the same weights on both sides, in turns: A B A B.

    python benchmarks/bench_check.py            # about half an hour
    python benchmarks/bench_check.py --quick    # a minute or two: does it run, and roughly what does it say

A is CrossEncoder.predict in fp32 over the built-in model's weights (rebuilt in torch from its ONNX file), B is ours as it
comes. Both get the same texts, thread count and allocator settings. Texts follow a RAG mix: 10 sources a request, source
lengths lognormal with median 90 and 95th percentile 350 tokens, a claim of 8 to 30 words. Nothing is asked twice unless
the part says so. Written to results/: ratios are of medians, seconds are wall time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "68719476736",
    "MALLOC_TOP_PAD_": "268435456",
}
SOURCES = 10
MEDIAN, P95 = 90, 350
SIGMA = math.log(P95 / MEDIAN) / 1.6449
Pair = tuple[str, str]
Score = Callable[[list[Pair]], Any]


def main() -> None:
    options = arguments()
    if any(os.environ.get(name) != value for name, value in ALLOCATOR.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ALLOCATOR})
    requests, pairs, runs = (6, 60, 2) if options.quick else (100, 2000, 5)
    texts = Texts(options.data, options.seed)
    baseline, fp32, ours = sides(options.threads)
    warm(texts, baseline, ours)
    report: dict[str, Any] = {
        "setting": setting(options, ours, texts),
        "one_request": one_request(texts, requests, baseline, ours),
        "offline": offline(texts, pairs, baseline, ours),
        "log_with_repeats": repeats(texts, pairs, baseline, options.threads),
        "agreement": agreement(texts, min(pairs, 500), baseline, fp32, ours),
        "cold": cold(runs),
    }
    target = options.output or HERE / "results" / f"bench_check{'_quick' if options.quick else ''}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few requests: a try, no figure to publish")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="for both sides")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data", help="for real passages")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path)
    return parser.parse_args()


class Texts:
    """Fresh pairs of (source, claim): words of real passages where the data is here, else of the vocabulary."""

    def __init__(self, data: Path, seed: int) -> None:
        from groundwire.models import hub
        from groundwire.models.wordpiece import WordPiece

        vocabulary = hub.resolve("mini") / "vocab.txt"
        self._tokenizer = WordPiece.open(vocabulary, lowercase=True)
        self._random = random.Random(seed)
        passages = data / "check" / "qags-cnndm.jsonl.gz"
        self.kind = "passages of qags-cnndm" if passages.is_file() else "random words"
        if passages.is_file():
            with gzip.open(passages, "rt", encoding="utf-8") as file:
                self._words = [word for line in file for text in json.loads(line)["contexts"] for word in text.split()]
        else:
            self._words = [w for w in vocabulary.read_text(encoding="utf-8").split("\n") if w.isalpha() and len(w) > 1]
            self._random.shuffle(self._words)

    def source(self) -> str:
        """A run of words of lognormal length in tokens, at most 480."""
        wanted = min(480, max(5, round(self._random.lognormvariate(math.log(MEDIAN), SIGMA))))
        start = self._random.randrange(len(self._words) - 500)
        words = self._words[start : start + wanted]
        while len(words) > 1 and (over := len(self._tokenizer.encode(" ".join(words))) - wanted) > 0:
            words = words[: -max(1, over // 2)]
        return " ".join(words)

    def claim(self) -> str:
        """8 to 30 words."""
        start = self._random.randrange(len(self._words) - 30)
        return " ".join(self._words[start : start + self._random.randint(8, 30)])

    def request(self) -> list[Pair]:
        """One claim against ten sources."""
        claim = self.claim()
        return [(self.source(), claim) for _ in range(SOURCES)]

    def pairs(self, n: int) -> list[Pair]:
        """As many pairs, ten a claim."""
        return [pair for _ in range(-(-n // SOURCES)) for pair in self.request()][:n]


def sides(threads: int) -> tuple[Score, Score, Score]:
    """Return A, ours in fp32 and ours as it comes; none of them remembers a pair."""
    return sentence_transformers(threads), engine("fp32", threads), engine("auto", threads)


def engine(precision: Any, threads: int, *, remember: bool = False) -> Score:
    from groundwire.models import hub, loading
    from groundwire.models.memory import ScoreMemory

    memory = ScoreMemory() if remember else ScoreMemory(max_bytes=0)
    model = loading.open_pair_model(hub.resolve("mini"), precision=precision, threads=threads, memory=memory)
    score: Any = model.logits
    return score


def sentence_transformers(threads: int) -> Score:
    """CrossEncoder over the built-in network: its own tokenising, sorting and batching, our weights in its model's place."""
    import tempfile

    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertForSequenceClassification, BertTokenizerFast
    from transformers.modeling_outputs import SequenceClassifierOutput

    from groundwire.models import hub
    from groundwire.training import network
    from groundwire.training.warm import exported_weights

    torch.set_num_threads(threads)
    mini = network.PairNetwork(network.body_config())
    exported = exported_weights(hub.resolve("mini") / "model.onnx")
    mini.load_state_dict({name: torch.tensor(exported[name]) for name in mini.state_dict()}, strict=True)
    mini.eval()
    with tempfile.TemporaryDirectory() as folder:
        config = network.body_config()
        config.num_labels = len(network.COLUMNS)
        BertForSequenceClassification(config).save_pretrained(folder)
        BertTokenizerFast(vocab=str(hub.resolve("mini") / "vocab.txt"), model_max_length=512).save_pretrained(folder)
        encoder = CrossEncoder(folder, device="cpu", max_length=512, local_files_only=True)

    def forward(input_ids: Any, attention_mask: Any, token_type_ids: Any, **_: Any) -> Any:
        return SequenceClassifierOutput(logits=mini(input_ids, attention_mask, token_type_ids)[0])

    encoder[0].auto_model.forward = forward
    return lambda pairs: encoder.predict(pairs, show_progress_bar=False)


def warm(texts: Texts, *scores: Score) -> None:
    for score in scores:
        score(texts.pairs(40))


def seconds(score: Score, pairs: list[Pair]) -> float:
    start = time.perf_counter()
    score(pairs)
    return time.perf_counter() - start


def in_turns(chunks: Iterator[list[Pair]], baseline: Score, ours: Score) -> tuple[list[float], list[float]]:
    """Time both sides on each chunk; who goes first changes every time."""
    a: list[float] = []
    b: list[float] = []
    for i, chunk in enumerate(chunks):
        for side in ((0, 1), (1, 0))[i % 2]:
            (a, b)[side].append(seconds((baseline, ours)[side], chunk))
    return a, b


def one_request(texts: Texts, n: int, baseline: Score, ours: Score) -> dict[str, Any]:
    a, b = in_turns((texts.request() for _ in range(n)), baseline, ours)
    return {
        "requests": n,
        "sentence_transformers": {"p50_ms": 1e3 * statistics.median(a), "p95_ms": 1e3 * percentile(a, 95)},
        "ours": {"p50_ms": 1e3 * statistics.median(b), "p95_ms": 1e3 * percentile(b, 95)},
        "ratio_p50": statistics.median(a) / statistics.median(b),
        "ratio_p95": percentile(a, 95) / percentile(b, 95),
    }


def offline(texts: Texts, n: int, baseline: Score, ours: Score) -> dict[str, Any]:
    """`n` pairs in five equal batches, each given to both sides."""
    size = n // 5
    a, b = in_turns((texts.pairs(size) for _ in range(5)), baseline, ours)
    return throughput(n, size, a, b)


def repeats(texts: Texts, n: int, baseline: Score, threads: int) -> dict[str, Any]:
    """A log of requests in which a fifth of the pairs were asked before; ours starts with nothing remembered."""
    size = n // 5
    fresh = texts.pairs(n - n // 5)
    rng = random.Random(1)
    log = [fresh[0]]
    waiting = fresh[1:]
    while waiting:
        again = rng.random() < 0.2
        log.append(rng.choice(log) if again else waiting.pop(0))
    chunks = (log[i : i + size] for i in range(0, len(log) - size + 1, size))
    a, b = in_turns(chunks, baseline, engine("auto", threads, remember=True))
    return throughput(len(a) * size, size, a, b)


def throughput(n: int, size: int, a: list[float], b: list[float]) -> dict[str, Any]:
    return {
        "pairs": n,
        "sentence_transformers_pairs_per_second": size / statistics.median(a),
        "ours_pairs_per_second": size / statistics.median(b),
        "ratio": statistics.median(a) / statistics.median(b),
    }


def agreement(texts: Texts, n: int, baseline: Score, fp32: Score, ours: Score) -> dict[str, Any]:
    """How far our scores are from the baseline's: ours in fp32 shows that the weights are the same."""
    import numpy as np

    pairs = texts.pairs(n)
    wanted = np.asarray(baseline(pairs))
    found = {"fp32": np.asarray(fp32(pairs)), "as_it_comes": np.asarray(ours(pairs))}
    columns = ("supports", "refutes", "not_enough_info")
    report: dict[str, Any] = {"pairs": n}
    for name, logits in found.items():
        p, q = probabilities(logits), probabilities(wanted)
        report[name] = {
            "spearman": {c: spearman(p[:, i], q[:, i]) for i, c in enumerate(columns)}
            | {"relevance": spearman(logits[:, 3], wanted[:, 3])},
            "largest_probability_difference": float(np.abs(p - q).max()),
            "largest_logit_difference": float(np.abs(logits - wanted).max()),
        }
    return report


def probabilities(logits: Any) -> Any:
    import numpy as np

    powers = np.exp(logits[:, :3] - logits[:, :3].max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def spearman(a: Any, b: Any) -> float:
    """Rank correlation; scores of different texts are practically never tied."""
    import numpy as np

    return float(np.corrcoef(np.argsort(np.argsort(a)), np.argsort(np.argsort(b)))[0, 1])


def cold(runs: int) -> dict[str, Any]:
    """A new process up to its first verdict, with the interpreter's start, default allocator, files in the page cache."""
    code = """
import groundwire
v = groundwire.check(question="Where does the cat sit?", answer="The cat sits on the mat.", contexts=["A cat is on the mat."])
print(v.score)
import pathlib
status = pathlib.Path("/proc/self/status").read_text()
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""
    environment = {name: value for name, value in os.environ.items() if name not in ALLOCATOR}
    times, memory = [], []
    for _ in range(runs + 1):
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        times.append(time.perf_counter() - start)
        memory.append(int(done.stdout.split()[-1]) / 1024)
    return {
        "runs": runs,
        "first_verdict_s": statistics.median(times[1:]),
        "peak_resident_mb": statistics.median(memory[1:]),
    }


def percentile(values: list[float], p: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(len(ordered) * p / 100) - 1)]


def setting(options: argparse.Namespace, ours: Any, texts: Texts) -> dict[str, Any]:
    from importlib.metadata import version

    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    packages = ("groundwire", "openvino", "onnxruntime", "torch", "transformers", "sentence-transformers", "numpy")
    return {
        "quick": options.quick,
        "threads": options.threads,
        "precision": ours.__self__.precision,
        "identity": ours.__self__.identity,
        "texts": texts.kind,
        "seed": options.seed,
        "allocator": ALLOCATOR,
        "python": platform.python_version(),
        "cpu": {flag: f" {flag}" in flags for flag in ("avx512_vnni", "amx_bf16", "amx_int8", "avx512_bf16")},
        "versions": {name: version(name) for name in packages},
    }


if __name__ == "__main__":
    main()
