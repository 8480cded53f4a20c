"""How often texts are wrongly called foreign, and how often foreign ones are seen (`groundwire.text.foreign`).

False alarms are counted on every different question, answer and context of the English sets that training may use; the
texts that are called foreign are few enough to be read, and are printed (some of them are). Foreign texts are ours
(foreign.jsonl): sentences, each alone, and three together. The words that are known were chosen on other sentences.

    python benchmarks/foreign.py --data ../shared/data
"""

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from groundwire.text.foreign import is_foreign
from groundwire.training.sources import SOURCES

HERE = Path(__file__).resolve().parent
TOGETHER = 3
"""Sentences of a short paragraph."""


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) of every text of a set's rows."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            contexts = row.get("contexts") or [row.get("context")]
            answers = row.get("answers") or [row.get("answer")]
            for kind, found in (("question", [row.get("question")]), ("answer", answers), ("context", contexts)):
                yield from ((kind, text) for text in found if isinstance(text, str) and text)


def alarms(data: Path) -> dict[str, dict[str, int]]:
    """Count the texts of each kind, and those that are called foreign."""
    seen: set[tuple[str, str]] = set()
    for name in SOURCES:
        for path in sorted(data.glob(f"*/{name}.jsonl.gz")):
            seen.update(texts(path))
    called = sorted((kind, text) for kind, text in seen if is_foreign(text))
    for kind, text in called:
        print(f"{kind}: {text[:150]!r}")
    totals, found = Counter(kind for kind, _ in seen), Counter(kind for kind, _ in called)
    return {kind: {"n": totals[kind], "called_foreign": found[kind]} for kind in sorted(totals)}


def hits(path: Path) -> dict[str, dict[str, int]]:
    """Count by language the sentences and the short paragraphs that are seen to be foreign."""
    sentences: dict[str, list[str]] = defaultdict(list)
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        sentences[row["language"]].append(row["text"])
    told = {}
    for language, found in sentences.items():
        paragraphs = [" ".join(found[n : n + TOGETHER]) for n in range(0, len(found), TOGETHER)]
        told[language] = {
            "sentences": len(found),
            "sentences_seen": sum(map(is_foreign, found)),
            "paragraphs": len(paragraphs),
            "paragraphs_seen": sum(map(is_foreign, paragraphs)),
        }
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data", help="folder of public sets")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "foreign.json")
    options = parser.parse_args()
    result = {"english": alarms(options.data), "foreign": hits(HERE / "foreign.jsonl")}
    options.results.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
