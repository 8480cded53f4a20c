"""How good are answers that are made without a language model? Against the passage that they could have been.

    python benchmarks/generate_quality.py [--data DIR] [--work DIR] [--collection NAME] [--recipe RECIPE] [--queries N]
        [--threads N] [--result FILE]

Questions, passages and judgements are those of TREC Deep Learning 2019 (`ir/msmarco-dl19-pool`, 43 questions); the pool is
the corpus. It is for evaluation only: what the recipe leaves open was chosen on `msmarco-dl21-pool`, which `--collection`
measures likewise. Each question has three answers:

evolved  what the recipe grows, without a language model
top      the first passage of `bm25+mini`, unedited
lead     of that passage the first sentences, as many as are no longer than the evolved answer, one at least

Relevance is who is preferred, by models that no fitness asks: all-MiniLM-L6-v2's own vectors (`groundwire models pull all-
minilm-l6-v2`; without it they are left out), whose vectors the fitness' model was taught to imitate, and the built-in
model's relevance logit, another reading of the same weights. Support is the checker's score of the answer (its weakest
claim) over what it was made of: the sources of the evolved answer, the passage itself of the other two, so that theirs is
what a copy gets. It is in the fitness too. ROUGE is the mean F1 with the passages that were judged relevant (grade 2 and
more) and are among the sources of no answer: words that nobody saw. Length is in words. Intervals are 95 %, over questions.
Writes benchmarks/results/generate_quality.json; takes three minutes of one core.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from retrieval import COLLECTIONS, judged, opened, passages

from groundwire import Generator, __version__, models
from groundwire.errors import MissingModel
from groundwire.evals.bootstrap import Bootstrap
from groundwire.index import LocalIndex
from groundwire.protocols import RelevanceScorer
from groundwire.recipes import build as checker_of
from groundwire.rouge import Target
from groundwire.stacks import build
from groundwire.text import sentence_bounds, word_bounds
from groundwire.types import Answer, Case, Passage

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "generate_quality.json"
JUDGES = {"all-MiniLM-L6-v2, cosine": "all-minilm-l6-v2:cosine", "mini, relevance logit": models.BUILTIN}
"""Who says which of two texts is more relevant, by what names the scorer."""
STACK = "bm25+mini"
MOST_RELEVANT = 30
"""Passages that ROUGE is measured with, at most, the best judged ones first."""
SYSTEMS = ("evolved", "top", "lead")


@dataclass(frozen=True, kw_only=True)
class Answered:
    """The answers to one question, by system; and what became of the evolved one."""

    question: str
    texts: Mapping[str, str]
    top: Passage
    references: tuple[str, ...]
    evolved: Answer

    def made_of(self, system: str) -> tuple[Passage, ...]:
        """Return what the answer of a system was made of."""
        return self.evolved.sources if system == "evolved" else (self.top,)


def lead(text: str, words: int) -> str:
    """Return the first sentences of a text that have so many words together at most, one at least."""
    bounds = sentence_bounds(text)
    fit = [end for _, end in bounds if length(text[:end]) <= words]
    return text[: fit[-1] if fit else bounds[0][1]].strip() if bounds else text


def length(text: str) -> int:
    """Return how many words a text has."""
    return len(word_bounds(text))


def answered(
    index: LocalIndex,
    recipe: str,
    queries: Mapping[str, str],
    grades: Mapping[str, Mapping[str, int]],
    texts: Mapping[str, str],
) -> Iterator[Answered]:
    """Answer every question by every system."""
    stack = build(STACK, index)
    with Generator(index, recipe) as generator:
        for name, question in queries.items():
            evolved = generator.generate(question)
            top = stack.retrieve([question], 1)[0][0].passage
            seen = {top.id, *(source.id for source in evolved.sources)}
            good = sorted(
                (-grade, passage) for passage, grade in grades[name].items() if grade > 1 and passage not in seen
            )
            own = {"evolved": evolved.text, "top": top.text, "lead": lead(top.text, length(evolved.text))}
            yield Answered(
                question=question,
                texts=own,
                top=top,
                references=tuple(texts[passage] for _, passage in good[:MOST_RELEVANT]),
                evolved=evolved,
            )
            print(f"{question}\n  {evolved.text}\n  ({length(evolved.text)} words; {evolved.stopped})", flush=True)


def judges() -> dict[str, RelevanceScorer]:
    """Return who says which text is more relevant, of those that are on this machine."""
    found = {}
    for name, spec in JUDGES.items():
        try:
            found[name] = models.load_scorer(spec)
        except MissingModel as missing:
            print(f"{name} is left out: {missing.message} ({missing.hint})", flush=True)
    return found


def measures(rows: Sequence[Answered]) -> dict[str, dict[str, list[float | None]]]:
    """Return each system's figures by question: support, ROUGE with what nobody saw, and length."""
    checker = checker_of("default")
    cases = [
        Case(id=f"{n}", question=row.question, answer=row.texts[system], contexts=row.made_of(system))
        for row in rows
        for n, system in enumerate(SYSTEMS)
    ]
    verdicts = iter(checker.check(cases))
    found: dict[str, dict[str, list[float | None]]] = {system: {} for system in SYSTEMS}
    for row in rows:
        targets = [Target(reference) for reference in row.references]
        for system in SYSTEMS:
            verdict, text = next(verdicts), row.texts[system]
            told = {
                "support": verdict.score,
                "grounded": float(verdict.grounded),
                **{
                    f"rouge{kind}": fmean(t.score(kind, text).f for t in targets) if targets else None
                    for kind in ("1", "2", "L")
                },
                "words": float(length(text)),
            }
            for name, value in told.items():
                found[system].setdefault(name, []).append(value)
    return found


def preferences(rows: Sequence[Answered], bootstrap: Bootstrap) -> dict[str, Any]:
    """Return by judge and other system how often the evolved answer is more, as, and less relevant than the other."""
    found: dict[str, Any] = {}
    for name, judge in judges().items():
        scores = {
            system: [float(s) for s in judge.score([(row.question, row.texts[system]) for row in rows])]
            for system in SYSTEMS
        }
        found[name] = {
            other: _preferred(scores["evolved"], scores[other], bootstrap) for other in SYSTEMS if other != "evolved"
        }
    return found


def _preferred(ours: Sequence[float], theirs: Sequence[float], bootstrap: Bootstrap) -> dict[str, Any]:
    """Compare two systems: '=' is exact equality, the net is the share of better minus that of worse."""
    signs = [float((a > b) - (a < b)) for a, b in zip(ours, theirs, strict=True)]
    return {
        "better": signs.count(1.0),
        "equal": signs.count(0.0),
        "worse": signs.count(-1.0),
        "net": bootstrap.mean(signs).to_dict(),
        "difference": bootstrap.mean([a - b for a, b in zip(ours, theirs, strict=True)]).to_dict(),
    }


def summary(found: Mapping[str, Mapping[str, Sequence[float | None]]], bootstrap: Bootstrap) -> dict[str, Any]:
    """Return each system's means, and how far the evolved answers are from the others, paired by question."""

    def mean(values: Sequence[float | None]) -> dict[str, float | None]:
        return bootstrap.mean([value for value in values if value is not None]).to_dict()

    def apart(metric: str, other: str) -> dict[str, float | None]:
        pairs = zip(found["evolved"][metric], found[other][metric], strict=True)
        return bootstrap.mean([a - b for a, b in pairs if a is not None and b is not None]).to_dict()

    metrics = list(found["evolved"])
    return {
        "systems": {system: {metric: mean(found[system][metric]) for metric in metrics} for system in SYSTEMS},
        "difference": {
            other: {metric: apart(metric, other) for metric in metrics} for other in SYSTEMS if other != "evolved"
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure answers that are grown without a language model")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of public sets")
    parser.add_argument("--work", type=Path, default=ROOT / ".work" / "retrieval", help="folder of the indexes")
    parser.add_argument("--collection", default="msmarco-dl19-pool", choices=["msmarco-dl19-pool", "msmarco-dl21-pool"])
    parser.add_argument("--recipe", default="generate", help="what grows the answers")
    parser.add_argument("--queries", type=int, help="only the first so many")
    parser.add_argument("--result", type=Path, default=RESULT)
    options = parser.parse_args()
    collection = next(one for one in COLLECTIONS if one.name == options.collection)
    folder = options.data / "ir" / collection.name
    queries, grades = judged(collection, folder, options.queries)
    texts = {passage.id: passage.text for passage in passages(folder)}
    options.work.mkdir(parents=True, exist_ok=True)
    with opened(folder, collection.name, options.work) as index:
        rows = list(answered(index, options.recipe, queries, grades, texts))
    bootstrap = Bootstrap()
    best = [row.evolved.lineage[0] for row in rows]
    report: dict[str, Any] = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "cores": len(os.sched_getaffinity(0)),
        "collection": collection.name,
        "questions": len(rows),
        "only_first_queries": options.queries,
        "recipe": options.recipe,
        "resamples": bootstrap.resamples,
        "unedited": sum(one.operator == "seed" for one in best),
        "verbatim_sentences": _verbatim(rows),
        "preference": preferences(rows, bootstrap),
        **summary(measures(rows), bootstrap),
        "answers": [{"question": row.question, **row.texts} for row in rows],
    }
    options.result.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in report.items() if key != "answers"}, indent=1))


def _verbatim(rows: Sequence[Answered]) -> float:
    """Return the share of sentences of evolved answers that stand in a source word by word."""
    said = [
        any(" ".join(text[a:b].split()) in " ".join(source.text.split()) for source in row.evolved.sources)
        for row in rows
        for text in [row.texts["evolved"]]
        for a, b in sentence_bounds(text)
    ]
    return round(fmean(said), 4) if said else 0.0


if __name__ == "__main__":
    main()
