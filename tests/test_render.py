import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from groundwire.render import LONGEST, OffsetEncoding, draw, record, to_json, visible
from groundwire.types import (
    Case,
    Claim,
    ClaimVerdict,
    Entailment,
    Evidence,
    Hit,
    Label,
    Passage,
    Ranking,
    Retrieval,
    Span,
    Stage,
    Trace,
    Verdict,
)

PUBLISHED = {"id", "verdict", "score", "threshold", "grounded", "claims", "warnings", "model", "timings_ms"}


def verdict(
    answer: str = "It is blue.", context: str = "The door is blue.", label: Label = Label.SUPPORTED, **more: object
) -> Verdict:
    """Return a verdict whose only claim is the whole answer and whose only citation is the whole context."""
    claim = Claim(id="0#0", text=answer, span=Span(source="answer", start=0, end=len(answer)))
    span = Span(source="doc", start=0, end=len(context))
    evidence = Evidence(claim_id="0#0", index=1, span=span, entailment=Entailment(supports=0.75, refutes=0.25))
    judged = ClaimVerdict(claim=claim, label=label, score=0.9, evidence=(evidence,), signals={"overlap": 0.5})
    contexts = (Passage(id="other", text="Nothing."), Passage(id="doc", text=context))
    case = Case(id="7", question="What colour?", answer=answer, contexts=contexts)
    fields = {"case": case, "label": label, "score": 0.9, "threshold": 0.5, "claims": (judged,), **more}
    return Verdict(**fields)  # type: ignore[arg-type]


def drawn(subject: Verdict, *, width: int = 80, encoding: str = "utf-8", terminal: bool = False) -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, width=width, force_terminal=terminal, _environ={})
    draw(subject, console)
    file.flush()
    return file.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


def test_the_record_is_the_published_one() -> None:
    trace = Trace(recipe="default", model="mini", stages=(Stage(name="cut", items=2, seconds=0.0015),))
    got = record(verdict(trace=trace, warnings=("long",)))
    assert set(got) == PUBLISHED
    assert got["claims"] == [
        {
            "text": "It is blue.",
            "start": 0,
            "end": 11,
            "verdict": "supported",
            "score": 0.9,
            "citations": [
                {"context_id": "doc", "index": 1, "start": 0, "end": 17, "text": "The door is blue.", "score": 0.75}
            ],
            "signals": {"overlap": 0.5},
        }
    ]
    assert (got["model"], got["timings_ms"], got["warnings"], got["grounded"]) == ("mini", {"cut": 1.5}, ["long"], True)
    assert json.loads(to_json(got)) == got


def test_a_reason_is_there_when_there_is_one() -> None:
    case = Case(id="7", answer="", contexts=())
    got = record(Verdict(case=case, label=Label.NOT_CHECKABLE, score=None, threshold=0.5, reason="the answer is empty"))
    assert set(got) == PUBLISHED | {"reason"}
    assert (got["score"], got["model"], got["timings_ms"]) == (None, None, {})


@pytest.mark.parametrize(("encoding", "end"), [("codepoint", 5), ("utf8", 11), ("utf16", 6)])
def test_offsets_in_the_encoding_that_was_asked_for(encoding: OffsetEncoding, end: int) -> None:
    got = record(verdict(answer="aé😀日.", context="aé😀日."), offset_encoding=encoding)
    assert got["claims"][0]["end"] == got["claims"][0]["citations"][0]["end"] == end


@given(st.text(st.characters()))
def test_offsets_cover_any_text(text: str) -> None:
    units = {"utf8": ("utf-8", 1), "utf16": ("utf-16-le", 2)}
    for encoding, (codec, width) in units.items():
        got = record(verdict(answer=text), offset_encoding=encoding)  # type: ignore[arg-type]
        assert got["claims"][0]["end"] == len(text.encode(codec, "surrogatepass")) // width


def with_spans(answer: str, *words: str, **more: object) -> Verdict:
    """Return a verdict that marks these words of its one claim."""
    made = verdict(answer=answer, label=Label.CONTRADICTED, **more)  # type: ignore[arg-type]
    places = [(answer.index(word), answer.index(word) + len(word)) for word in words]
    spans = tuple(Span(source="answer", start=start, end=end) for start, end in places)
    return replace(made, claims=(replace(made.claims[0], spans=spans),))


@pytest.mark.parametrize(("encoding", "start", "end"), [("codepoint", 5, 9), ("utf8", 11, 18), ("utf16", 6, 11)])
def test_spans_are_in_the_record_when_there_are_any(encoding: OffsetEncoding, start: int, end: int) -> None:
    [claim] = record(with_spans("aé日😀 in 😀.", "in 😀"), offset_encoding=encoding)["claims"]
    assert claim["spans"] == [{"text": "in 😀", "start": start, "end": end}]
    assert "spans" not in record(verdict())["claims"][0]


def test_unbacked_words_stand_in_braces_without_colour_and_are_underlined_with_it() -> None:
    subject = with_spans("It  is\nblue, by 1932 [b]or[/b] 日本.", "blue", "1932", "日本")
    assert "It is {blue}, by {1932} [b]or[/b] {日本}." in drawn(subject, width=120)
    coloured = drawn(subject, width=120, terminal=True)
    assert "\x1b[4;31mblue\x1b[0m, by \x1b[4;31m1932\x1b[0m [b]or[/b]" in coloured
    assert "{" not in coloured


def test_a_long_text_with_unbacked_words_is_cut_as_any() -> None:
    long = "blue " + "x" * LONGEST + " green"
    text = " ".join(drawn(with_spans(long, "blue", "green")).split())
    assert "{blue} x" in text
    assert f"({len(long) - LONGEST} more characters)" in text
    assert "green" not in text


def test_json_is_ascii_and_knows_no_nan() -> None:
    line = to_json(record(verdict(answer="\ud800 \x00 日")))
    assert line.isascii()
    assert json.loads(line)["claims"][0]["text"] == "\ud800 \x00 日"
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(record(verdict(score=float("nan"))))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\n\tlines", "two lines"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\u202ereversed\u2066", r"\u202ereversed\u2066"),
        ("\ud800", r"\ud800"),
        ("nul\x00", r"nul\x00"),
        ("👩\u200d👧 日本 ไทย שלום", "👩\u200d👧 日本 ไทย שלום"),
    ],
)
def test_what_is_not_plainly_printable_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_whatever_is_shown_is_one_printable_line(text: str) -> None:
    shown = visible(text)
    assert all(c.isprintable() or c in "\u200c\u200d" for c in shown)
    assert visible(text, "ascii").isascii()


def test_the_drawing_says_it_without_colour() -> None:
    lines = drawn(verdict()).splitlines()
    assert [line.rstrip() for line in lines] == [
        "What colour?",
        "✓ supported  score 0.90, threshold 0.50",
        "  ✓ supported 0.90 It is blue.",
        "                   [2] The door is blue. (0–17)",
    ]


@pytest.mark.parametrize(
    ("label", "mark", "plain"),
    [
        (Label.SUPPORTED, "✓ supported", "+ supported"),
        (Label.CONTRADICTED, "✗ contradicted", "x contradicted"),
        (Label.NOT_ENOUGH_INFO, "? no evidence", "? no evidence"),
        (Label.NOT_CHECKABLE, "– not checkable", "- not checkable"),
    ],
)
def test_each_label_has_a_mark_of_its_own(label: Label, mark: str, plain: str) -> None:
    assert mark in drawn(verdict(label=label))
    assert plain in drawn(verdict(label=label), encoding="ascii")


def test_a_terminal_that_knows_only_ascii_gets_only_ascii() -> None:
    text = drawn(verdict(answer="日本 😀 " + "x" * 1000, context="café"), encoding="ascii")
    assert r"\u65e5" in text
    assert "..." in text


def test_text_is_never_read_as_markup_or_as_escapes() -> None:
    text = drawn(verdict(answer="[bold]b[/bold] [/nope] :smile: \x1b[2J", context="[red]r[/] \u202e"), terminal=True)
    assert "[bold]b[/bold] [/nope] :smile: \\x1b[2J" in text
    assert "[red]r[/]" in text
    assert "\x1b[2J" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize("width", [80, 60, 40])
def test_lines_fit_the_terminal(width: int) -> None:
    context = "日本語のとても長い文章がここに続きます。" * 8 + "x" * 200 + " מילים בעברית" * 5
    for line in drawn(verdict(answer="これは長い回答です。" * 10, context=context), width=width).splitlines():
        assert cell_len(line) <= width


def test_a_very_long_text_is_counted_and_not_poured_out() -> None:
    text = drawn(verdict(answer="x" * 1_000_000))
    assert f"({1_000_000 - LONGEST} more characters)" in " ".join(text.split())
    assert len(text) < 3 * LONGEST


def test_reasons_and_warnings_are_drawn() -> None:
    got = drawn(verdict(label=Label.NOT_CHECKABLE, score=None, reason="no words", warnings=("cut",), claims=()))
    assert got.splitlines()[1:] == ["– not checkable  no words", "! cut"]


def found() -> Verdict:
    """A verdict whose two passages were found in a corpus, and read by a reader."""
    passages = (Passage(id="doc-7\x1b[2J", text="The door is blue."), Passage(id="doc-2", text="Paint costs $4."))
    claim = Claim(id="0", text="It is red.", span=Span(source="answer", start=0, end=10))
    evidence = Evidence(
        claim_id="0", index=0, span=Span(source="doc-7", start=0, end=17), entailment=Entailment(supports=0.1)
    )
    hits = tuple(Hit(passage=p, score=float(9 - n), by="bm25") for n, p in enumerate(passages))
    other = Hit(passage=Passage(id="doc-5", text="x"), score=8.5, by="bm25")
    return Verdict(
        case=Case(id="c", question="q", answer="It is red.", contexts=passages),
        label=Label.CONTRADICTED,
        score=0.1,
        threshold=0.5,
        claims=(ClaimVerdict(claim=claim, label=Label.CONTRADICTED, score=0.1, evidence=(evidence,)),),
        retrieval=Retrieval(
            query="q It is red.",
            rankings=(Ranking(by="bm25", hits=(hits[1], other, hits[0])), Ranking(by="bm25+mini", hits=hits)),
        ),
        reading="blue\x1b[2J",
    )


def test_a_record_says_how_its_passages_were_found() -> None:
    told = record(found())
    assert (told["answer"], told["reading"]) == ("It is red.", "blue\x1b[2J")
    assert told["retrieval"]["query"] == "q It is red."
    assert [[(hit["context_id"], hit["rank"]) for hit in r["hits"]] for r in told["retrieval"]["rankings"]] == [
        [("doc-2", 1), ("doc-7\x1b[2J", 3)],
        [("doc-7\x1b[2J", 1), ("doc-2", 2)],
    ]


def test_a_drawing_shows_passages_ranks_and_the_reading() -> None:
    out = io.StringIO()
    draw(found(), Console(file=out, width=120, no_color=True))
    text = out.getvalue()
    assert "\x1b[2J" not in text
    assert r"[1] doc-7\x1b[2J The door is blue." in text
    assert r"found by bm25+mini: [1] doc-7\x1b[2J (bm25 #3), [2] doc-2 (bm25 #1)" in text
    assert r"the reader says: blue\x1b[2J" in text


def test_a_drawing_says_when_nothing_was_found() -> None:
    out = io.StringIO()
    empty = replace(found(), case=replace(found().case, contexts=()), claims=(), reading=None)
    draw(empty, Console(file=out, width=120, no_color=True))
    assert "found by bm25+mini: no passage" in out.getvalue()


def test_a_reason_that_the_heading_gives_is_not_said_again() -> None:
    out = io.StringIO()
    claim = replace(found().claims[0], reason="it declines")
    draw(replace(found(), reason="it declines", claims=(claim,)), Console(file=out, width=120, no_color=True))
    assert out.getvalue().count("it declines") == 1
    out = io.StringIO()
    draw(replace(found(), claims=(claim,)), Console(file=out, width=120, no_color=True))
    assert out.getvalue().count("it declines") == 1
