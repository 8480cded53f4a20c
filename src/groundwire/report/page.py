"""An answer as one self-contained page: the answer with its sources, the evolution that it came out of, and what that cost.

Nothing is fetched, and nothing of a text is ever run (the policy in the head names our own style and script by hash; all
text is escaped where elements are built, `markup.py`). Without a script everything is there, folded; the script shows the
candidate that is chosen in the tree beside it. Left out: where the page is written.
"""

from __future__ import annotations

from groundwire.report.answered import answer_section, heading
from groundwire.report.candidates import articles
from groundwire.report.charts import chart_section
from groundwire.report.citations import citations_of, source_anchor
from groundwire.report.family import family_of
from groundwire.report.markup import Html, element, joined, verbatim
from groundwire.report.sources import drawn_sources, source_section
from groundwire.report.style import packaged, policy
from groundwire.report.tree import tree_section
from groundwire.report.turns import made_section, turn_section
from groundwire.types import Answer
from groundwire.visible import one_line

LONGEST_TITLE = 80


def page(answer: Answer) -> str:
    """Return the page, which is plain UTF-8 whatever the texts hold; equal answers give equal pages."""
    cited = citations_of(answer)
    family = family_of(answer)
    links = {answer.sources[index].id: source_anchor(index) for index in reversed(drawn_sources(answer, cited))}
    upper = element("div", answer_section(answer, cited), source_section(answer, cited), class_="columns")
    sections = [
        upper,
        tree_section(family, articles(family, links)),
        chart_section(answer),
        turn_section(answer, family),
        made_section(answer),
    ]
    body = element("body", element("main", heading(answer), *sections), verbatim("script", packaged("report.js")))
    return f"<!doctype html>\n{element('html', _head(answer), body, lang='en')}\n"


def _head(answer: Answer) -> Html:
    style, script = packaged("base.css") + packaged("report.css"), packaged("report.js")
    question = one_line(answer.question[: 4 * LONGEST_TITLE])
    title = question[:LONGEST_TITLE] + ("…" if len(question) > LONGEST_TITLE else "")
    return joined(
        [
            element(
                "head",
                element("meta", charset="utf-8"),
                element("meta", http_equiv="Content-Security-Policy", content=policy(style, script)),
                element("meta", name="viewport", content="width=device-width, initial-scale=1"),
                element("meta", name="color-scheme", content="light dark"),
                element("title", f"{title} · Groundwire"),
                verbatim("style", style),
            )
        ]
    )
