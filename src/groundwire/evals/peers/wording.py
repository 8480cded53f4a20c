"""The prompts of two LLM judges in words of our own, with the slots of their protocols in the protocols' order.

HaluEval (Li et al., EMNLP 2023, arXiv 2305.11747): a system message that asks for Yes or No, then an instruction with
examples and the record under `#Question#:`/`#Answer#:`, `#Dialogue History#:`/`#Response#:` or `#Document#:`/`#Summary#:`,
and `#Your Judgement#:` last. Yes says that something is made up. In its QA and dialogue parts the judge does not see the
knowledge that the answer should rest on: such a figure does not compare with that of a checker which does.

Lynx (Ravi et al., arXiv 2407.08488): question, document and answer; the reply is JSON with REASONING and SCORE, PASS or FAIL.

Both are sent bare, as their authors send them; `fenced` puts every slot into a fence (`groundwire.prompts`). Left out: the
authors' own wording and examples, which are theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One part of HaluEval: the role of the judge, and the message with its slots."""

    system: str
    message: str


_ROLE = "You judge whether {what} holds anything made up. Your whole reply MUST be one word, Yes or No."

QA = """Say whether the answer to a question holds anything made up: a fact that is wrong or cannot be known, an answer to \
another question, or a conclusion that does not follow. Yes: something is made up. No: nothing is.

#Question#: Which river flows through Vienna?
#Answer#: The Rhine flows through Vienna.
#Your Judgement#: Yes

#Question#: Which river flows through Vienna?
#Answer#: The Danube.
#Your Judgement#: No

#Question#: {question}
#Answer#: {answer}
#Your Judgement#:"""

DIALOGUE = """Say whether the last response of a dialogue holds anything made up: a person, work or fact that is wrong or \
that nobody can know. Yes: something is made up. No: nothing is.

#Dialogue History#: [Human]: Do you know a novel by Jane Austen?
#Response#: Yes, she wrote Jane Eyre.
#Your Judgement#: Yes

#Dialogue History#: [Human]: Do you know a novel by Jane Austen?
#Response#: Yes, Emma is one of hers.
#Your Judgement#: No

#Dialogue History#: {question}
#Response#: {answer}
#Your Judgement#:"""

SUMMARIZATION = """Say whether the summary of a document holds anything that the document does not say or that it \
contradicts. Yes: something is made up. No: nothing is.

#Document#: The library opens at nine on weekdays and stays closed on Sundays.
#Summary#: The library opens at nine, also on Sundays.
#Your Judgement#: Yes

#Document#: The library opens at nine on weekdays and stays closed on Sundays.
#Summary#: The library is closed on Sundays.
#Your Judgement#: No

#Document#: {context}
#Summary#: {answer}
#Your Judgement#:"""

HALUEVAL: Mapping[str, Task] = {
    "qa": Task(system=_ROLE.format(what="an answer"), message=QA),
    "dialogue": Task(system=_ROLE.format(what="a response in a dialogue"), message=DIALOGUE),
    "summarization": Task(system=_ROLE.format(what="a summary"), message=SUMMARIZATION),
}
"""The parts of HaluEval that have a judge's protocol. The history of a dialogue stands in the case's question."""

LYNX = """You are given a QUESTION, a DOCUMENT and an ANSWER. Decide whether the ANSWER is faithful to the DOCUMENT: it \
says nothing that the DOCUMENT does not say, and contradicts nothing in it. PASS: it is faithful. FAIL: it is not.

QUESTION (no source of facts):
{question}

--
DOCUMENT:
{context}

--
ANSWER:
{answer}

--
Reply with one JSON object: "REASONING", a list of short steps, then "SCORE", which is "PASS" or "FAIL".
"""
