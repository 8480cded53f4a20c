"""The section of docs/retrieval.md on the index beside other engines, from benchmarks/results/index.json.

Left out: the page (`retrieval_page.py`) and the measuring (`bench_index.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from page_text import table

WHOLE = 8_841_823
"""The passages of MS MARCO."""
MEMORY_GIB = 24
HEAD = """
## The index beside other engines

{sizes} passages of about 60 words of Debian's documentation packages; {queries} long queries (15 to 40 words) and as many short
ones (4 to 8); k1 {k1}, b {b}, the best {top}; one thread, times in CPU time, all engines in turns in one run
(`benchmarks/bench_index.py`, which says what is counted). Medians and 95th percentiles in ms, after every query was asked once.
glibc's allocator was told to keep its memory, for all. {versions}. The machine had other work on the same core, which slows
all of them; `results/index.json` has the first queries of a fresh process too.

tantivy's k1 and b are fixed at 1.2 and 0.75 and its stemmer is another; Lucene keeps lengths in one byte; that is what their
agreement with the exact ten is about. Ours gave the ids and scores of a scorer that reads every posting, to the last bit, on
{identical}.

"""
BUILD = """
Building, one thread: CPU seconds, peak of memory, and the size of the index. Ours holds the texts and their checksums too,
which the others leave out: without them it is {without}. Opening takes {opened} ms. Lucene's is merged into one segment, as
ours is. Builds ran one after the other while the machine had more or less else to do, which tells in CPU time too.

"""
GROWTH = """
From {low} to {high} passages, {factor:.0f} times as many, the median of long queries grows {grown}. Continued to the
{whole:.1f} million passages of MS MARCO (sizes along a line, times along a power of the number of passages, through what
was measured): an index of {gib:.1f} GiB, {bare:.1f} GiB of it without the texts; {peak:.1f} GiB of memory and {hours:.1f} hours
of CPU to build it; {p50:.1f} ms for the median long query with compiled loops and {plain:.0f} ms with numpy's. {fits}
"""


def section(result: dict[str, Any]) -> str:
    """Return the section."""
    sizes = result["sizes"]
    last = sizes[max(sizes, key=int)]
    same = [kind["identical"] for one in sizes.values() for kind in one["queries"].values()]
    shares = {share for found in same for share in found.values()}
    whole = all(len(set(share.split("/"))) == 1 for share in shares)
    settings = result["settings"]
    head = HEAD.format(
        sizes=_listed([_many(size) for size in sizes]),
        queries=last["queries"]["long"]["queries"],
        k1=settings["k1"],
        b=settings["b"],
        top=settings["top"],
        versions=_listed([f"{name} {version}".strip() for name, version in result["engines"].items()]),
        identical="all of these queries at every size, with either loops" if whole else _listed(sorted(shares)),
    )
    without = [f"{one['index']['mib_without_text']:.0f} MiB ({_many(size)})" for size, one in sizes.items()]
    opened = max(one["index"]["open_s"] for one in sizes.values())
    build = BUILD.format(without=_listed(without), opened=f"{1000 * opened:.1f}")
    return "".join([head, _asked(sizes), build, _built(sizes), growth(sizes)])


def _asked(sizes: dict[str, Any]) -> str:
    names = list(sizes[max(sizes, key=int)]["queries"]["long"]["engines"])
    heads = ["", *(f"{kind}, {_many(size)}" for kind in ("long", "short") for size in sizes), "agreement"]
    rows = []
    for name in names:
        found = [sizes[size]["queries"][kind]["engines"].get(name) for kind in ("long", "short") for size in sizes]
        cells = [f"{one['p50_ms']:.2f} / {one['p95_ms']:.2f}" if one else "" for one in found]
        agreed = [f"{one['agreement']:.3f}" for one in (found[len(sizes) - 1], found[-1]) if one]
        rows.append([name, *cells, " / ".join(agreed)])
    return table(heads, rows)


def _built(sizes: dict[str, Any]) -> str:
    rows = []
    for name in sizes[max(sizes, key=int)]["build"]:
        found = [one["build"].get(name) for one in sizes.values()]
        rows.append([name, *(f"{f['cpu_s']:.0f} s, {f['peak_mb']} MB, {f['mib']:.0f} MiB" if f else "" for f in found)])
    return table(["", *map(_many, sizes)], rows)


def growth(sizes: dict[str, Any]) -> str:
    """Return what follows for the whole of MS MARCO, and whether it fits."""
    counts = np.array([int(size) for size in sizes], float)

    def line(values: list[float]) -> float:
        slope, start = np.polyfit(counts, values, 1)
        return float(slope * WHOLE + start)

    def power(values: list[float]) -> tuple[float, float]:
        slope, start = np.polyfit(np.log(counts), np.log(values), 1)
        return float(np.exp(slope * np.log(WHOLE) + start)), float(slope)

    every = list(sizes.values())
    medians = {
        loops: [one["queries"]["long"]["engines"][f"groundwire ({loops})"]["p50_ms"] for one in every]
        for loops in ("numpy", "compiled")
    }
    peak = line([one["build"]["groundwire"]["peak_mb"] for one in every]) / 1024
    gib = line([one["index"]["bytes"] for one in every]) / 2**30
    fast, slope = power(medians["compiled"])
    grown = medians["compiled"][-1] / medians["compiled"][0]
    fits = "It fits" if max(peak, gib) < MEMORY_GIB else "It does not fit"
    return GROWTH.format(
        low=_many(min(sizes, key=int)),
        high=_many(max(sizes, key=int)),
        factor=counts[-1] / counts[0],
        grown=f"{grown:.1f} times with compiled loops (as the power {slope:.2f} of the number of passages)",
        whole=WHOLE / 1e6,
        gib=gib,
        bare=line([one["index"]["mib_without_text"] for one in every]) / 1024,
        peak=peak,
        hours=line([one["build"]["groundwire"]["cpu_s"] for one in every]) / 3600,
        p50=fast,
        plain=power(medians["numpy"])[0],
        fits=f"{fits} into {MEMORY_GIB} GiB of memory: the postings are mapped, and read where a query touches them.",
    )


def _many(size: str | int) -> str:
    return f"{int(size) / 1e6:g} million" if int(size) >= 1_000_000 else f"{int(size):,}".replace(",", " ")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)
