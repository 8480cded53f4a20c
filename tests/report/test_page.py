import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.report import page
from groundwire.types import (
    Answer,
    Candidate,
    Case,
    Claim,
    ClaimVerdict,
    Entailment,
    Evidence,
    Label,
    Passage,
    Span,
    Verdict,
)

HOSTILE = [
    "</script><script>alert(1)</script>",
    "</style><style>*{display:none}</style>",
    "<img src=x onerror=alert(1)>",
    "\"'><svg/onload=alert(1)>",
    "' onmouseover='alert(1)' x='",
    "<!-- ",
    "-->]]><![CDATA[",
    "</title></head><body>",
    "&lt;script&gt;&quot;&#x3c;",
    '{"a": 1}\\"\u2028\u2029',
    "\x00\x1b[2J\x7f",
    "\u202e\u2066\ud800\udfff\ufffe",
    "javascript:alert(1)",
    "</details></main>\r\n\r\t<base href=//e>",
]
VOID = {"meta"}


class Parsed(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.comments = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} is there twice"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in {"script", "style"}:
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments += 1

    @property
    def text(self) -> str:
        return "".join(self.words)

    @property
    def shape(self) -> Counter[tuple[str, tuple[str, ...]]]:
        """How often each element is there with which attributes."""
        return Counter((tag, tuple(attrs)) for tag, attrs in self.elements)

    def attribute(self, name: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.elements if name in attrs]


def sound(answer: Answer) -> Parsed:
    """Return the page of an answer, after a look at what holds for every page."""
    html = page(answer)
    html.encode("utf-8")
    parsed = Parsed(html)
    assert parsed.open == []
    assert parsed.comments == 0
    ids = parsed.attribute("id")
    assert len(set(ids)) == len(ids)
    assert {href.removeprefix("#") for href in parsed.attribute("href")} <= set(ids), "a link leads nowhere"
    assert not any(
        name.startswith("on") or name in {"style", "src", "srcdoc"} for _, a in parsed.elements for name in a
    )
    return parsed


def test_the_page_tells_what_the_answer_holds(grow) -> None:
    parsed = sound(grow())
    for words in ("What colour is the door?", "The door is blue.", "nothing new", "generate", "Title 1", "long"):
        assert words in parsed.text
    assert "✗ contradicted score 0.10, threshold 0.50" in parsed.text
    assert "9 candidates · 2 generations · 6 LLM calls · 6 060 tokens · 0.75 s" in parsed.text


def test_each_sentence_is_marked_and_leads_to_the_words_that_it_cites(grow) -> None:
    html = page(grow())
    assert (
        '<span class="claim supported" id="k1"><span class="sign supported" role="img" aria-label="supported">✓' in html
    )
    assert '>It is <span class="unbacked" title="not backed by the sources">red</span>.<sup>' in html
    assert html.count('href="#s1-1"') == 4  # in the answer and below it, of both sentences
    assert '<mark id="s1-1" class="cited several" data-cites="s1-1">The door is blue.</mark>' in html


@pytest.mark.parametrize("generations", [0, 1, 6])
@pytest.mark.parametrize("each", [1, 10, 60])
def test_any_number_of_candidates_makes_a_sound_page(generations: int, each: int, grow) -> None:
    parsed = sound(grow(generations=generations, each=each))
    nodes = [a for tag, a in parsed.elements if tag == "a" and "data-number" in a]
    assert len(nodes) == (generations + 1) * min(each, 48)
    assert (f"48 of {each}" in parsed.text) == (each > 48)


def test_no_answer_and_one_candidate_make_sound_pages(nothing: Answer, grow) -> None:
    parsed = sound(nothing)
    assert "? no evidence No answer: no passage was found" in parsed.text
    assert "Evolution" not in parsed.text
    alone = grow(generations=0, each=1)
    assert "Evolution" in sound(alone).text
    bare = replace(nothing, question="")
    assert "No question" in sound(bare).text
    sound(replace(alone, sources=(), generations=(), trace=None, retrieval=None))


def test_equal_answers_give_equal_pages(grow) -> None:
    assert page(grow(generations=3)) == page(Answer.from_dict(grow(generations=3).to_dict()))


@pytest.mark.parametrize("mark", HOSTILE)
def test_a_hostile_text_adds_no_element_and_no_attribute(mark: str, grow) -> None:
    plain, marked = sound(grow(mark="plain ")), sound(grow(mark=mark))
    assert marked.shape == plain.shape
    assert page(grow(mark=mark)).count("<script>") == page(grow()).count("<script>") == 1


def test_what_would_hide_or_turn_the_reading_direction_is_shown(grow) -> None:
    text = sound(grow(mark="a\x00b\u202ec\ud800d\u2028e")).text
    assert "a\\x00b\\u202ec\\ud800d\ne" in text
    assert not set(text) & set("\x00\u202e\u2028\ud800")


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(), max_size=30), st.lists(st.integers(-3, 60), min_size=6, max_size=6))
def test_texts_and_offsets_may_be_anything(text: str, offsets: list[int]) -> None:
    spans = [Span(source="x", start=a, end=b) for a, b in zip(offsets[::2], offsets[1::2], strict=True)]
    evidence = Evidence(claim_id="0", index=offsets[0], span=spans[0], entailment=Entailment(supports=0.5))
    near = replace(evidence, index=0, span=spans[1])
    claims = tuple(
        ClaimVerdict(
            claim=Claim(id="0", text=text, span=span),
            label=Label.NOT_ENOUGH_INFO,
            score=0.1,
            evidence=(evidence, near),
            spans=tuple(spans),
        )
        for span in spans
    )
    case = Case(id="0", answer=text, contexts=())
    verdict = Verdict(case=case, label=Label.NOT_ENOUGH_INFO, score=0.1, threshold=0.5, claims=claims)
    sources = (Passage(id=text, text=text),)
    lineage = (Candidate(id=text, text=text, parents=(text, "gone"), generation=offsets[1], operator=text),)
    sound(Answer(question=text, text=text, sources=sources, verdict=verdict, lineage=lineage))


def test_only_our_own_style_and_script_are_allowed(grow) -> None:
    html = page(grow())
    rules = re.search(r'content="(default-src[^"]*)"', html)
    assert rules
    assert rules[1].startswith("default-src &#x27;none&#x27;; style-src &#x27;sha256-")
    for name in ("style", "script"):
        [content] = re.findall(f"<{name}>(.*?)</{name}>", html, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{name}-src &#x27;sha256-{digest}&#x27;" in rules[1]
    assert "unsafe" not in rules[1]


def test_nothing_is_fetched(grow) -> None:
    html = page(grow())
    assert not re.search(r"https?:|//[a-z]|url\(|@import|fetch\(|innerHTML|eval\(", html)
