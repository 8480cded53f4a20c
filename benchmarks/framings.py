"""The same claims put otherwise: how far verdicts hold when an answer or its contexts are written as models and pages write.

    python benchmarks/framings.py [--data DIR] [--work DIR] [--limit N] [--result FILE]

Claims that the model was not trained on, and the fusion was fitted on as they are: answers from memory, written claims of kept
registers, factcheckgpt-stance. Each is asked as it is and once in every frame below, which changes nothing of what is said.
Measured, with the default and as it reads without `plain`: AUC, how many supported claims stay over the threshold, how many
verdicts turn. Those under *not foreseen* stand in no rule of the package and in no training sample. `--work` is where
`python -m groundwire.training prepare` wrote its rows.
Writes benchmarks/results/framings.json.
"""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from groundwire import __version__, models, recipes
from groundwire.check import CheckPath
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.metrics import Rows, weighted_auc
from groundwire.text import sentence_bounds, word_bounds
from groundwire.training import fusion
from groundwire.training.mixture import load_mixture
from groundwire.types import Case

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "framings.json"
KINDS = ("answers from memory", "written", "factcheckgpt-stance")
RECIPES = {"default": "default", "as written": "default(plain=no)"}
THRESHOLD = 0.5
Put = Callable[[str, Random], str]


def _lead(words: str) -> Put:
    return lambda text, rng: words + text[:1].lower() + text[1:]


def _tail(words: str) -> Put:
    return lambda text, rng: text.rstrip(" .") + words


def _on_words(open_: str, close: str, most: int) -> Put:
    """Marks around one to `most` neighbouring words."""

    def put(text: str, rng: Random) -> str:
        bounds = word_bounds(text)
        if not bounds:
            return text
        first = rng.randrange(len(bounds))
        last = min(len(bounds) - 1, first + rng.randrange(most))
        start, end = bounds[first][0], bounds[last][1]
        return text[:start] + open_ + text[start:end] + close + text[end:]

    return put


def _each_sentence(put: Put, join: str = " ") -> Put:
    return lambda text, rng: join.join(put(text[start:end], rng) for start, end in sentence_bounds(text))


def _slip(text: str, rng: Random) -> str:
    """Two neighbouring letters exchanged in one long word."""
    places = [match.span() for match in re.finditer(r"\b[a-z]{6,}\b", text)]
    if not places:
        return text
    start, end = rng.choice(places)
    at = rng.randrange(start + 1, end - 2)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _lines(text: str, rng: Random) -> str:
    return "\n".join(textwrap.wrap(text, 50, break_on_hyphens=False))


def _as_json(text: str, rng: Random) -> str:
    return json.dumps({"id": 7, "section": "Overview", "body": text}, ensure_ascii=False)


ANSWERS: dict[str, dict[str, Put]] = {
    "marks": {
        "… [2].": _tail(" [2]."),
        "…[1][3]": lambda text, rng: text + "[1][3]",
        "… **bold** …": _on_words("**", "**", 3),
        "… [link](https://…) …": _on_words("[", "](https://example.org/wiki/Page_12)", 2),
        "… (Source: annual report, p. 3)": lambda text, rng: text + " (Source: annual report, p. 3)",
        "… (cf. item 4)": _tail(" (cf. item 4)."),
        "3. …": lambda text, rng: "3. " + text,
        "- **Key point**: …": lambda text, rng: "- **Key point**: " + text,
        "… and a list of sources": lambda text, rng: (
            text + "\n\nSources:\n- Annual report, p. 3\n- https://example.org"
        ),
    },
    "frames": {
        "According to passage 2, …": _lead("According to passage 2, "),
        "Based on the provided documents, …": _lead("Based on the provided documents, "),
        "The text states that …": _lead("The text states that "),
        "…, as mentioned in the document.": _tail(", as mentioned in the document."),
        "However, …": _lead("However, "),
        "It is worth noting that …": _lead("It is worth noting that "),
        "Yes, …": _lead("Yes, "),
        "I think …": _lead("I think "),
    },
    "not foreseen": {
        "Going by what stands there, …": _lead("Going by what stands there, "),
        "One thing the file tells us: …": _lead("One thing the file tells us: "),
        "… (that much is certain)": _tail(" (that much is certain)."),
        "…, for what it's worth.": _tail(", for what it's worth."),
    },
    "spelling": {
        "without its full stop": lambda text, rng: text.rstrip("."),
        "with a !": _tail("!"),
        "in capitals": lambda text, rng: text.upper(),
        "a slip of the keyboard": _slip,
    },
}
CONTEXTS: dict[str, Put] = {
    "markdown and [1] in every sentence": _each_sentence(lambda t, rng: _on_words("**", "**", 2)(t, rng) + "[1]"),
    "links in every sentence": _each_sentence(_on_words("[", "](/wiki/Page)", 2)),
    "paragraphs of HTML": _each_sentence(lambda text, rng: f"<p>{text}</p>", "\n"),
    "broken into lines": _lines,
    "“Passage 2: …”": lambda text, rng: "Passage 2: " + text,
    "a title and an address above": lambda text, rng: f"Title: Overview\nURL: https://example.org/a?b=1\n{text}",
    "as JSON": _as_json,
}


def framings() -> dict[str, dict[str, Callable[[Case, Random], Case]]]:
    """Return what is measured: by group and name, how a case is put."""
    found = {group: {name: _answered(put) for name, put in puts.items()} for group, puts in ANSWERS.items()}
    return {**found, "contexts": {name: _given(put) for name, put in CONTEXTS.items()}}


def _answered(put: Put) -> Callable[[Case, Random], Case]:
    return lambda case, rng: replace(case, answer=put(case.answer, rng))


def _given(put: Put) -> Callable[[Case, Random], Case]:
    return lambda case, rng: replace(case, contexts=tuple(replace(p, text=put(p.text, rng)) for p in case.contexts))


def measure(labelled: Sequence[tuple[str, Case, bool]]) -> dict[str, Any]:
    """Check all cases as they are and in every frame, by recipe."""
    gold = [supported for _, _, supported in labelled]
    bootstrap = Bootstrap(seed=13)
    found: dict[str, Any] = {}
    for name, spec in RECIPES.items():
        path = recipes.build(spec)
        plain = scores(path, labelled, lambda case, rng: case)
        found[name] = {"plain": figures(bootstrap, gold, plain, plain), "groups": {}}
        for group, puts in framings().items():
            here = {frame: figures(bootstrap, gold, scores(path, labelled, put), plain) for frame, put in puts.items()}
            found[name]["groups"][group] = here
            print(name, group, {frame: round(f["auc"]["value"], 3) for frame, f in here.items()}, flush=True)
    return found


def scores(
    path: CheckPath, labelled: Sequence[tuple[str, Case, bool]], put: Callable[[Case, Random], Case]
) -> list[float]:
    """Return the score of every case as it is put."""
    rng = Random(13)
    return [verdict.score or 0.0 for verdict in path.check([put(case, rng) for _, case, _ in labelled])]


def figures(bootstrap: Bootstrap, gold: list[bool], found: list[float], plain: list[float]) -> dict[str, Any]:
    """Measure the scores of one frame beside those of the claims as they are."""
    rows, first = Rows.of(gold, found), Rows.of(gold, plain)
    kept = [float(score >= THRESHOLD) for score, supported in zip(found, gold, strict=True) if supported]
    turned = [float((a >= THRESHOLD) != (b >= THRESHOLD)) for a, b in zip(plain, found, strict=True)]
    return {
        "auc": bootstrap.figure(weighted_auc, rows).to_dict(),
        "difference": bootstrap.paired_difference(weighted_auc, rows, first).to_dict(),
        "kept": bootstrap.mean(kept).to_dict(),
        "turned": bootstrap.mean(turned).to_dict(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, default=ROOT / ".work")
    parser.add_argument("--limit", type=int, default=100, help="claims of each of the three kinds")
    parser.add_argument("--result", type=Path, default=RESULT)
    options = parser.parse_args()
    every = fusion.fitting_cases(load_mixture(), options.data, options.work, options.limit)
    labelled = [one for one in every if one[0] in KINDS]
    result = {
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "model_sha256": models.builtin_sha256(),
        "claims": len(labelled),
        "systems": measure(labelled),
    }
    options.result.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
