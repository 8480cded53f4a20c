"""An answer as one self-contained page: the answer with its sources, the evolution that it came out of, and what that cost.

Nothing is fetched, and nothing of a text is ever run (the policy in the head names our own style and script by hash; all
text is escaped where elements are built, `markup.py`). Without a script everything is there, folded; the script shows the
candidate that is chosen in the tree beside it. Left out: where the page is written.
"""

from __future__ import annotations

from groundwire.pages.markup import element
from groundwire.pages.style import document
from groundwire.report.answered import answer_section, heading
from groundwire.report.candidates import articles
from groundwire.report.charts import chart_section
from groundwire.report.citations import citations_of, source_anchor
from groundwire.report.family import family_of
from groundwire.report.sources import drawn_sources, source_section
from groundwire.report.style import packaged
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
    main = element("main", heading(answer), *sections)
    return document(_title(answer), main, style=packaged("report.css"), script=packaged("report.js"))


def _title(answer: Answer) -> str:
    question = one_line(answer.question[: 4 * LONGEST_TITLE])
    title = question[:LONGEST_TITLE] + ("…" if len(question) > LONGEST_TITLE else "")
    return f"{title} · Groundwire"
