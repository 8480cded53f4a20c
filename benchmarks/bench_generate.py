"""What does an evolved answer cost? Against the loop as its authors ran it, with the same language model, which is a script.

    python benchmarks/bench_generate.py [--data DIR] [--work DIR] [--queries N] [--timed N] [--threads N] [--result FILE]

Questions and passages are those of TREC Deep Learning 2021 (`ir/msmarco-dl21-pool`). Four parts:

counted  Calls, tokens (counted as words) and final fitness, over `--queries` questions: `gauge-code`, twelve calls a
       generation and every offspring scored, against `generate` with a language model. Both have the same fitness, pool,
       seeds and first draw, and their answers are measured alike, as the paper's text has it: relevance and ROUGE, so that
       long answers pay, and neither side bounds their length. The writers are two scripts, each with replies that are
       fixed by the prompt or vary by the seed (`scripted_writers.py`).
own    The same with the fitness of `generate`, where short answers pay, and `generate` as it is.
timed  Wall time of one answer with a writer that takes 300 ms a call, over `--timed` questions, each asked once:
       `gauge-code` ranks 1 000 passages by a cross-encoder and asks one call after the other; `generate` is the default as
       it is. The built-in model stands in for ELECTRA on both sides. They are the last questions, which no other part asks:
       a model remembers what it has read.
free   Seconds of one answer without a language model, over `--queries` questions, likewise.

`cpu + wait` is the processor's time and the time spent waiting for replies: what wall time is on a machine that does
nothing else. Writes benchmarks/results/generate.json; takes ten minutes of one idle core.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench_check import percentile
from retrieval import COLLECTIONS, judged, opened
from scripted_writers import WRITERS, Writer

from groundwire import Generator, __version__, models
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evolve.fitness import WeightedFitness
from groundwire.index import LocalIndex
from groundwire.recipes import build
from groundwire.types import Answer

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "generate.json"
COLLECTION = "msmarco-dl21-pool"
SECONDS = 0.3
"""What a call of the timed writer takes."""
POOL = "relevance=mini:cosine, normalize=zscore, floor=0.05, depth=50"
LONG = f"{POOL}, lam=3, rouge=1"
"""The pool and a fitness without the terms that are ours: relevance and ROUGE."""
OWN = f"{POOL}, lam=0.5, rouge=2, support=1, asked=2, brief=1"
"""The pool and the fitness of `generate`."""
COUNTED = {
    "counted": {
        "gauge-code": f"gauge-code({LONG})",
        "generate": f"generate({LONG}, support=0, asked=0, brief=0, sentences=8, words=240)",
    },
    "own": {"gauge-code": f"gauge-code({OWN})", "generate": "generate"},
}
"""Both sides where calls are counted; eight sentences are as much as two passages have."""
TIMED = {"gauge-code": "gauge-code(relevance=mini)", "generate": "generate"}
WARM = 1
"""Questions that are not measured: the first one opens and compiles what is used."""


def counted(
    index: LocalIndex, questions: Sequence[str], specs: Mapping[str, str], fitness: WeightedFitness
) -> dict[str, Any]:
    """Return calls, tokens and fitness of both sides, for each writer."""
    llm, found = Writer(WRITERS["takes"], varied=True), {}
    with ExitStack() as opened_here:
        sides = {name: opened_here.enter_context(Generator(index, spec, llm=llm)) for name, spec in specs.items()}
        for writer, llm.rewrite in WRITERS.items():
            for name, llm.varied in (("fixed", False), ("varied", True)):
                rows = {side: [_counted(one, q, fitness) for q in questions] for side, one in sides.items()}
                found[f"{writer}, {name}"] = _beside(rows)
                print(writer, name, json.dumps(found[f"{writer}, {name}"]), flush=True)
    return found


def long(index: LocalIndex, questions: Sequence[str]) -> dict[str, Any]:
    """Count calls where long answers pay."""
    fitness = WeightedFitness(models.load_scorer("mini:cosine"), weight=3.0, rouge="1", normalize="zscore", floor=0.05)
    return counted(index, questions, COUNTED["counted"], fitness)


def own(index: LocalIndex, questions: Sequence[str]) -> dict[str, Any]:
    """Count calls with the fitness of `generate`."""
    fitness = WeightedFitness(
        models.load_scorer("mini:cosine"),
        weight=0.5,
        rouge="2",
        normalize="zscore",
        floor=0.05,
        checker=build("default"),
        support=1.0,
        asked=2.0,
        brief=1.0,
    )
    return counted(index, questions, COUNTED["own"], fitness)


def _counted(generator: Generator, question: str, fitness: WeightedFitness) -> dict[str, float]:
    """Return what an answer cost, and how fit it is."""
    answer = generator.generate(question)
    assert answer.retrieval is not None
    pool = [hit.score for hit in answer.retrieval.rankings[-1].hits]
    (terms,) = fitness.of(question, answer.sources[:2], pool).score([answer.text])
    return {**_paid(answer), "fitness": terms["total"]}


def _paid(answer: Answer) -> dict[str, float]:
    bred = answer.generations[1:]
    return {
        "calls": float(sum(turn.calls for turn in bred)),
        "tokens": float(sum(turn.prompt_tokens + turn.reply_tokens for turn in bred)),
        "waits": float(sum(turn.calls > 0 for turn in bred)),
    }


def _beside(rows: Mapping[str, Sequence[Mapping[str, float]]]) -> dict[str, Any]:
    """Return the means of both sides, the ratios, and the difference in fitness with its interval, paired by question."""
    theirs, ours = rows.values()
    means = {
        name: {key: round(statistics.fmean(row[key] for row in own), 3) for key in own[0]} for name, own in rows.items()
    }
    reference, own = means.values()
    return {
        **means,
        "calls_ratio": round(own["calls"] / reference["calls"], 3),
        "tokens_ratio": round(own["tokens"] / reference["tokens"], 3),
        "fitness_difference": Bootstrap()
        .mean([a["fitness"] - b["fitness"] for a, b in zip(ours, theirs, strict=True)])
        .to_dict(),
    }


def timed(index: LocalIndex, questions: Sequence[str]) -> dict[str, Any]:
    """Return seconds of an answer with a writer that takes its time, both sides in turns, a new question each time."""
    writers = {name: Writer(WRITERS["takes"], varied=True, seconds=SECONDS) for name in TIMED}
    generators = {name: Generator(index, spec, llm=writers[name]) for name, spec in TIMED.items()}
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in TIMED}
    for question in questions:
        for name, generator in generators.items():
            waited = writers[name].waited
            taken[name].append(_taken(generator, question))
            taken[name][-1]["cpu + wait"] = taken[name][-1]["cpu"] + writers[name].waited - waited
            print(name, taken[name][-1], flush=True)
    measured = {name: own[WARM:] for name, own in taken.items()}
    theirs, ours = measured.values()
    return {
        "seconds_a_call": SECONDS,
        "questions": len(questions) - WARM,
        **{name: _medians(own) for name, own in measured.items()},
        "ratio": {
            key: round(statistics.median(a[key] / b[key] for a, b in zip(theirs, ours, strict=True)), 2)
            for key in ("wall", "cpu + wait")
        },
    }


def free(index: LocalIndex, questions: Sequence[str]) -> dict[str, Any]:
    """Return seconds of an answer without a language model."""
    with Generator(index) as generator:
        taken = [_taken(generator, question) for question in questions][WARM:]
    return {
        "questions": len(taken),
        **_medians(taken),
        "p95": {key: round(percentile([row[key] for row in taken], 95), 3) for key in ("wall", "cpu")},
    }


def _taken(generator: Generator, question: str) -> dict[str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    generator.generate(question)
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def _medians(taken: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {key: round(statistics.median(row[key] for row in taken), 3) for key in taken[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what an evolved answer costs")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of public sets")
    parser.add_argument("--work", type=Path, default=ROOT / ".work" / "retrieval", help="folder of the indexes")
    parser.add_argument("--queries", type=int, default=20, help="questions whose calls are counted")
    parser.add_argument("--timed", type=int, default=5, help="questions that are timed; the first only warms up")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="cores that it may use")
    parser.add_argument(
        "--parts", nargs="+", default=["free", "timed", "counted", "own"], help="which parts to measure"
    )
    parser.add_argument("--result", type=Path, default=RESULT)
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    collection = next(one for one in COLLECTIONS if one.name == COLLECTION)
    options.work.mkdir(parents=True, exist_ok=True)
    questions = list(judged(collection, options.data / "ir" / COLLECTION, None)[0].values())
    measures = {"free": free, "timed": timed, "counted": long, "own": own}
    asked = {
        "free": questions[: options.queries],
        "counted": questions[: options.queries],
        "own": questions[: options.queries],
        "timed": questions[-options.timed :],
    }
    report: dict[str, Any] = json.loads(options.result.read_text("utf-8")) if options.result.is_file() else {}
    for name in options.parts:
        with opened(options.data / "ir" / COLLECTION, COLLECTION, options.work) as index:
            report[name] = {
                "version": __version__,
                "model_sha256": models.builtin_sha256(),
                "date": datetime.now(UTC).date().isoformat(),
                "threads": options.threads,
                "asked": len(asked[name]),
                **measures[name](index, asked[name]),
            }
        options.result.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
