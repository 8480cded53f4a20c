"""`groundwire index`: build an index over a corpus, encode it, look into it, take passages out, compact and check it.

Left out: what an index is (`groundwire.index`), what a corpus is (`groundwire.corpus`), searching.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import PurePath
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.cli.adding import Adder, Tally, Target
from groundwire.cli.files import STDIN, read_text, title_of
from groundwire.cli.progress import Pace, counted, duration
from groundwire.corpus import KINDS, Feed, feeds
from groundwire.errors import InputError, Unavailable, UsageError
from groundwire.index import Kind, LocalIndex, open_index
from groundwire.index import check as check_index
from groundwire.render import to_json, visible

HELP = "groundwire index add --help says what is read"
_KEPT = {True: "dropped", False: "kept (--unique drops them)"}
SHOWN = 6
"""Kinds of files left out that are named; `--json` has every file."""

PLACE = click.argument("place", metavar="INDEX")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object, on a terminal as well.")


@click.group("index")
def index() -> None:
    """Build an index over a corpus, look into it, mend it."""


@index.command("add")
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…")
@click.option("--to", "place", metavar="INDEX", required=True, help="A folder, or milvus:./FILE.db or milvus:URL.")
@click.option("--format", "kind", type=click.Choice(KINDS), help="What the files hold, where their names do not say.")
@click.option(
    "--words", type=click.IntRange(min=0), metavar="N", help="Passages of at most N words; 0 leaves documents whole."
)
@click.option("--unique", is_flag=True, help="Drop passages whose words the index has already.")
@click.option("--analyzer", metavar="NAME", help="Of a new index: english (the default), simple, none, or a language.")
@click.option("--replace", is_flag=True, help="Put documents in the place of those with the same id.")
@AS_JSON
@click.pass_context
def add_command(
    context: click.Context,
    corpora: tuple[str, ...],
    place: str,
    kind: str | None,
    words: int | None,
    unique: bool,
    analyzer: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Add a corpus to an index, which is made if it is not there.

    A CORPUS is a file, a folder with all below it, ir_datasets:NAME, or - for standard input: JSON lines (id, text,
    title), a folder in BEIR's layout, tab-separated lines (id, text, title), MS MARCO's collection.tsv, plain text,
    Markdown, HTML, PDF with pip install 'groundwire[pdf]'; each may be packed by gzip.

    Documents are cut into passages at sentence ends, at most 100 words each; the rows of BEIR, TSV and MS MARCO are
    passages already and stay whole, unless --words is given. What the index has already is skipped, so that a run that
    was interrupted goes on when it is called again.

    Exit code 0, or 2 when a file could not be read or an id stands for other words; the rest is added all the same.
    """
    if corpora.count(STDIN) > 1:
        raise click.UsageError("standard input (-) can be read only once")
    left_out: list[tuple[str, str]] = []
    found = [feed for c in corpora for feed in feeds(c, format=kind, warn=lambda *why: left_out.append(why))]
    if not found:
        raise InputError(f"no file to read in {', '.join(corpora)}", _left_out(left_out) or HELP)
    with closing(Target(place, analyzer)) as target, Pace(place, "passages") as pace:
        adder = Adder(target, pace.say, words=words, unique=unique, replace=replace)
        adder.tally.left_out = left_out
        _add(adder, found, pace)
        info = target.info()
    tally = adder.tally
    if tally.documents == tally.empty and not tally.unreadable:
        what = "document with a word" if tally.documents else "document"
        raise InputError(f"no {what} in {', '.join(map(title_of, corpora))}", HELP)
    _say_added(tally, info, pace, as_json)
    context.exit(InputError.exit_code if tally.unreadable or tally.conflicts else 0)


@index.command("info")
@PLACE
@AS_JSON
def info_command(place: str, as_json: bool) -> None:
    """Say what an index holds."""
    with closing(open_index(place)) as opened:
        info = opened.info().to_dict()
    _say({"index": place, **info}, as_json)


@index.command("remove")
@PLACE
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@AS_JSON
def remove_command(place: str, ids: tuple[str, ...], as_json: bool) -> None:
    """Take passages out of an index.

    An ID is that of a passage or of a document; - reads ids, one a line.

    Exit code 0, or 2 when the index has none of them.
    """
    wanted = list(chain.from_iterable(_lines() if id_ == STDIN else [id_] for id_ in ids))
    with closing(open_index(place)) as opened:
        removed = opened.remove(wanted)
        left = opened.info().to_dict()["passages"]
    if not removed:
        some = ", ".join(map(repr, wanted[:3])) + (", …" if len(wanted) > 3 else "")
        raise InputError(f"{place} has no passage and no document {some}", "groundwire search shows ids")
    _say({"removed": removed, "passages": left}, as_json)


@index.command("compact")
@PLACE
@AS_JSON
def compact_command(place: str, as_json: bool) -> None:
    """Write an index anew as one piece, without what was removed. Milvus is asked to, and does it in its own time."""
    with closing(open_index(place)) as opened:
        before = opened.info().to_dict()
        opened.compact()
        after = opened.info().to_dict()
    keys = [key for key in ("segments", "bytes") if before.get(key) is not None]
    _say(
        {"passages": after["passages"], **{k: after[k] for k in keys}, **{f"{k}_before": before[k] for k in keys}},
        as_json,
    )


@index.command("embed")
@PLACE
@click.option("--model", metavar="NAME", required=True, help="The encoder (groundwire models list), or dir:PATH.")
@click.option("--kind", type=click.Choice(["dense", "sparse"]), help="Which kind it has to be.")
@click.option("--int8", is_flag=True, help="Keep a byte a number: a quarter of the size, and scores a little off.")
@click.option("--keep-float32", is_flag=True, help="With --int8: keep both; the best are scored anew, without loss.")
@click.option("--cosine", is_flag=True, help="Compare directions alone: vectors are divided by their lengths.")
@click.option("--again", is_flag=True, help="Encode all anew, also what this model has encoded.")
@click.option(
    "--graph/--no-graph", default=None, help="Search a graph instead of every vector  [default: from a million on]"
)
@AS_JSON
def embed_command(
    place: str,
    model: str,
    kind: Kind | None,
    int8: bool,
    keep_float32: bool,
    cosine: bool,
    again: bool,
    graph: bool | None,
    as_json: bool,
) -> None:
    """Encode the passages of an index, for stacks with dense or sparse parts.

    Only passages that the model has not encoded yet are; so call it again after adding, or where it was interrupted.
    Vectors of other models stay. An index on Milvus is encoded when passages are added to it.
    """
    if keep_float32 and not int8:
        raise click.UsageError("--keep-float32 goes with --int8")
    storage = ("int8+float32" if keep_float32 else "int8") if int8 else "float32"
    with closing(open_index(place)) as opened, Pace(place, "passages") as pace:
        if not isinstance(opened, LocalIndex):
            raise UsageError(f"{place} is not in a folder", "an index on Milvus is encoded when passages are added")
        try:
            done = opened.embed(
                model,
                kind=kind,
                storage=storage,
                cosine=cosine,
                again=again,
                graph=graph,
                progress=lambda done, total: pace.show(done, done / total),
            )
        except KeyboardInterrupt:
            pace.say("interrupted: what was written is kept; call it again to go on")
            raise
    rate = {"seconds": round(pace.seconds(), 3), "passages_a_second": round(pace.rate(), 1)}
    _say({"index": place, **done.to_dict(), **rate}, as_json)


@index.command("check")
@PLACE
@AS_JSON
@click.pass_context
def check_command(context: click.Context, place: str, as_json: bool) -> None:
    """Read every byte of an index and compare it with its checksums; on Milvus, every passage with its keys.

    Exit code 0, or 3 when anything is wrong.
    """
    problems = check_index(place)
    if as_json or not sys.stdout.isatty():
        click.echo(to_json({"index": place, "ok": not problems, "problems": problems}))
    else:
        click.echo(visible(f"{place}: {'; '.join(problems) or 'everything is as it was written'}"))
    if problems:
        context.exit(Unavailable.exit_code)


def _add(adder: Adder, found: Sequence[Feed], pace: Pace) -> None:
    """Add every feed; where it is interrupted, say what is safe."""
    sizes = [feed.size for feed in found]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    before = 0
    try:
        for feed in found:
            for done in adder.feed(feed):
                pace.show(done, (before + feed.read()) / total if total else None)
            before += feed.size or 0
        adder.flush()
    except KeyboardInterrupt:
        pace.say(f"interrupted: {counted(adder.safe)} passages are in the index; call it again to go on")
        raise
    pace.show(adder.tally.added + adder.tally.skipped, 1.0)


def _say_added(tally: Tally, info: dict[str, Any], pace: Pace, as_json: bool) -> None:
    if line := _left_out(tally.left_out):
        click.echo(visible(line), err=True)
    if as_json or not sys.stdout.isatty():
        click.echo(to_json({**tally.to_dict(), "seconds": round(pace.seconds(), 3), "index": info}))
        return
    pace_ = f"in {duration(pace.seconds())}, {counted(round(pace.rate()))} passages a second"
    table = _table()
    table.add_row("read", Text(f"{_many(tally.documents, 'document')} {pace_}"))
    table.add_row("added", Text(_many(tally.added, "passage")))
    for name, text in _remarks(tally):
        table.add_row(name, Text(visible(text), overflow="fold"))
    if info:
        size = "" if info["bytes"] is None else f", {_size(info['bytes'])}"
        table.add_row("index", Text(f"{_of(info['passages'], info['documents'])}{size}"))
    Console().print(table)


def _remarks(tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield what is worth saying of the counts that are not zero."""
    conflicts = "with an id that the index has with other words or cut in another way; --replace puts them there"
    for name, count, noun, text in (
        ("skipped", tally.skipped, "passage", "that the index had already"),
        ("duplicates", tally.duplicates, "passage", "with the words of another, " + _KEPT[tally.unique]),
        ("replaced", tally.replaced, "document", ""),
        ("empty", tally.empty, "document", "without a word"),
        ("conflicts", tally.conflicts, "document", conflicts),
        ("unreadable", len(tally.unreadable), "file", "not read, or not to the end"),
    ):
        if count:
            yield name, f"{_many(count, noun)} {text}"


def _of(passages: int, documents: int) -> str:
    return f"{_many(passages, 'passage')} of {_many(documents, 'document')}"


def _many(number: int, noun: str) -> str:
    return f"{counted(number)} {noun}{'' if number == 1 else 's'}"


def _left_out(files: Sequence[tuple[str, str]]) -> str:
    """Return the files that were left out in one line: how many for which reason, and of which types."""
    reasons = []
    for why, number in Counter(why for _, why in files).most_common():
        types = Counter(_type(PurePath(path)) for path, reason in files if reason == why)
        shown = [f"{kind} × {n}" if n > 1 else kind for kind, n in types.most_common(SHOWN)]
        more = ["…"] if len(types) > SHOWN else []
        reasons.append(f"{counted(number)} ({why}: {', '.join(shown + more)})")
    return f"files left out: {'; '.join(reasons)}" if reasons else ""


def _type(path: PurePath) -> str:
    """Return the type that a file's name ends in, below a packed one's `.gz`; the name where it has none."""
    bare = PurePath(path.stem) if path.suffix == ".gz" else path
    return bare.suffix or path.name


def _lines() -> list[str]:
    return [line for line in map(str.strip, read_text(STDIN).splitlines()) if line]


def _say(facts: Mapping[str, Any], as_json: bool) -> None:
    """Write facts as JSON, or draw them on a terminal."""
    if as_json or not sys.stdout.isatty():
        click.echo(to_json(facts))
        return
    table = _table()
    for name, value in ((name, value) for name, value in facts.items() if value is not None):
        table.add_row(name.replace("_", " "), Text(_drawn(name, value), overflow="fold"))
    Console().print(table)


def _table() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    return table


def _drawn(name: str, value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return _size(value) if "bytes" in name.split("_") else counted(value)
    if name == "vectors" and isinstance(value, (list, tuple)):
        return "\n".join(visible(_vectors(facts)) for facts in value) or "none"
    return visible(str(value))


def _vectors(facts: Mapping[str, Any]) -> str:
    size = f", {facts['size']} numbers" if facts["size"] else ""
    return f"{facts['model']} ({facts['kind']}, {facts['storage']}{size}): {_many(facts['passages'], 'passage')}"


def _size(number: int) -> str:
    """Return bytes in the unit that keeps them short."""
    size, units = float(number), ["bytes", "kB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return f"{size:.0f} {units[0]}" if units[0] == "bytes" else f"{size:.1f} {units[0]}"
