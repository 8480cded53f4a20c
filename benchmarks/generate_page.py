"""The figures of docs/generate.md from benchmarks/results/generate*.json: nobody types a figure.

python benchmarks/generate_page.py [--results DIR] [--page FILE]

What stands between the page's two marks is written anew; the rest of it is left as it is. A part that was not measured is
left out.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from page_text import figure_of, table, wide

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "generate.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"

COLLECTIONS = {"msmarco-dl19-pool": "TREC Deep Learning 2019", "msmarco-dl21-pool": "TREC Deep Learning 2021"}
SYSTEMS = {
    "evolved": "evolved, without a language model",
    "top": "the first passage of `bm25+mini`",
    "lead": "its first sentences, no longer than the evolved answer",
}
METRICS = {
    "words": "words",
    "support": "support",
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
}
LONG = """Calls of the language model, {asked} questions, the same fitness on both sides: relevance and ROUGE-1, by which long
answers pay, and neither side bounds their length (`sentences=8, words=240`). The writers are scripts: `takes` picks
sentences, `loosens` loses words and pads; their replies are fixed by the prompt or vary by the seed."""
OWN = """The same with the fitness of `generate`, by which short answers pay, and `generate` as it is, {asked} questions:"""
SIDES = {"gauge-code": "GAuGE as its code runs it", "generate": "`generate` with the same language model"}


def quality(found: dict[str, Any]) -> str:
    """Return what the answers are worth."""
    rows = [
        [title, *(_plain(found["systems"][name][metric], metric) for metric in METRICS)]
        for name, title in SYSTEMS.items()
    ]
    preferred = [
        [
            f"{judge}: against {SYSTEMS[other]}",
            *(str(told[sign]) for sign in ("better", "equal", "worse")),
            wide(figure_of(told["net"]), sign=True),
        ]
        for judge, others in found["preference"].items()
        for other, told in others.items()
    ]
    part = f" Only the first {found['only_first_queries']} were asked." if found["only_first_queries"] else ""
    return (
        f"""
### How good the answers without a language model are

{COLLECTIONS[found["collection"]]}, {found["questions"]} questions, {found["systems"]["evolved"]["words"]["value"]:.0f} words
an answer; the collection's pool is the corpus.{part} Nothing was tuned on it. Intervals are 95 %, over questions.

"""
        + table(["", *METRICS.values()], rows)
        + f"""
Support is the checker's score over what an answer was made of (a copy's own passage); ROUGE is the F1 with the passages that
were judged relevant and that no answer was made of; of two answers that say the right thing the longer one shares more of
their words. In {found["unedited"]} of {found["questions"]} questions the answer is
a seed as it was found, and {100 * found["verbatim_sentences"]:.0f} % of the sentences stand in a source word by word.

Who is preferred for its relevance, by models that the fitness does not ask (better, equal, worse; the net is the share of
better less that of worse):

"""
        + table(["", "+", "=", "−", "net"], preferred)
        + """
Neither judge is independent: the built-in model was trained to give all-MiniLM's vectors, and the logit is another reading
of its own weights.
"""
    )


def _plain(figure: dict[str, Any], metric: str) -> str:
    if metric == "words":
        return f"**{figure['value']:.1f}** [{figure['low']:.1f}, {figure['high']:.1f}]"
    return wide(figure_of(figure))


def cost(found: dict[str, Any]) -> str:
    """Return what an answer costs."""
    parts = [free(found["free"])] if "free" in found else []
    parts += [timed(found["timed"])] if "timed" in found else []
    parts += [counted(found["counted"], LONG)] if "counted" in found else []
    parts += [counted(found["own"], OWN)] if "own" in found else []
    return "\n### What an answer costs\n" + "".join(parts) if parts else ""


def free(found: dict[str, Any]) -> str:
    return f"""
Without a language model: **{found["wall"]:.2f} s** an answer (median of {found["questions"]} questions with
{_threads(found)}; {found["cpu"]:.2f} s of processor time; 95th percentile {found["p95"]["wall"]:.2f} and
{found["p95"]["cpu"]:.2f} s).
"""


def timed(found: dict[str, Any]) -> str:
    rows = [
        [title, *(f"{found[name][key]:.1f}" for key in ("wall", "cpu", "cpu + wait"))] for name, title in SIDES.items()
    ]
    ratio = ["faster by", f"{found['ratio']['wall']:.1f} ×", "", f"{found['ratio']['cpu + wait']:.1f} ×"]
    return f"""
With a language model that takes {1000 * found["seconds_a_call"]:.0f} ms a call, seconds of an answer (medians of
{found["questions"]} questions with {_threads(found)}; processor time and waiting together are what wall time is on a machine
that does nothing else):

""" + table(["", "wall", "processor", "processor + waiting"], [*rows, ratio])


def counted(found: dict[str, Any], told: str) -> str:
    rows = [
        [
            f"`{name.partition(', ')[0]}`, {name.partition(', ')[2]}",
            f"{one['gauge-code']['calls']:.1f}",
            f"{one['generate']['calls']:.1f}",
            f"{one['calls_ratio']:.2f}",
            f"{one['tokens_ratio']:.2f}",
            wide(figure_of(one["fitness_difference"]), sign=True),
        ]
        for name, one in found.items()
        if isinstance(one, dict)
    ]
    return f"""
{told.format(asked=found["asked"])}

""" + table(["writer", "calls, GAuGE", "calls, ours", "ratio", "tokens, ratio", "fitness gained"], rows)


def _threads(found: dict[str, Any]) -> str:
    return f"{found['threads']} thread{'s' if found['threads'] > 1 else ''}"


def page(text: str, results: Path) -> str:
    """Return the page with the figures that the results have."""
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    told = [
        "\nGenerated by `benchmarks/generate_page.py`; `generate_quality.py` and `bench_generate.py` measure again.\n"
    ]
    for name, write in (("generate_quality.json", quality), ("generate.json", cost)):
        if (path := results / name).is_file():
            told.append(write(json.loads(path.read_text(encoding="utf-8"))))
    return text[:begin] + "".join(told) + "\n" + text[end:]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the figures of docs/generate.md")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    options.page.write_text(page(options.page.read_text(encoding="utf-8"), options.results), encoding="utf-8")
