"""What an assistant is told of the tools: names, what they are for, what goes in and what comes out, as JSON Schema.

Left out: what the tools do (`calls`), and the checks of what goes in (`asked`), which say more than a schema can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcp_types import Tool, ToolAnnotations

from groundwire.server.own.models import ID_CHARS, MOST_CONTEXTS
from groundwire.server.settings import Limits
from groundwire.types import Label

CHECK, VERIFY, FIND = "check_answer", "verify_answer", "find_evidence"
MOST_EVIDENCE, EVIDENCE = 50, 5
"""How much evidence can be asked for, and how much is given when nobody says."""

INSTRUCTIONS = (
    "Checks what a language model says against evidence. Use check_answer when you have the passages an answer should rest "
    "on, verify_answer when they have to be found in an index, find_evidence to see what a text or an index says about a "
    "question or a claim. Verdicts are supported, contradicted, not_enough_info or not_checkable; scores are in [0, 1] and "
    "higher is more grounded. Small models judge; read the evidence that they cite."
)

Schema = dict[str, Any]


def tools(indexes: Sequence[str], limits: Limits) -> list[Tool]:
    """Return the tools of a server with these indexes; without any there is nothing to verify against."""
    made = [_check(limits), *([_verify(indexes, limits)] if indexes else []), _find(indexes, limits)]
    return [tool.model_copy(update={"annotations": _HARMLESS}) for tool in made]


_HARMLESS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_NUMBER, _TEXT, _WHOLE = {"type": "number"}, {"type": "string"}, {"type": "integer", "minimum": 0}
_SCORE = {"type": ["number", "null"], "minimum": 0, "maximum": 1}


def _text(limits: Limits, told: str) -> Schema:
    return {"type": "string", "maxLength": limits.text_chars, "description": told}


def _contexts(limits: Limits) -> Schema:
    passage = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": limits.text_chars},
            "id": {"type": "string", "maxLength": ID_CHARS},
            "title": {"type": "string", "maxLength": limits.text_chars},
        },
        "required": ["text"],
    }
    told = "The passages: texts, or objects with a text, and an id and a title where there are any."
    one = {"anyOf": [_text(limits, "A passage."), passage]}
    return {"type": "array", "items": one, "maxItems": MOST_CONTEXTS, "description": told}


def _index(indexes: Sequence[str]) -> Schema:
    told = "Which corpus to look in." + (" It may be left out: there is one." if len(indexes) == 1 else "")
    return {"type": "string", "enum": list(indexes), "description": told}


def _object(properties: Schema, required: Sequence[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _result(properties: Schema, required: Sequence[str]) -> Schema:
    """A result may say more than this."""
    return {"type": "object", "properties": properties, "required": list(required)}


_PLACE = {"text": _TEXT, "start": _WHOLE, "end": _WHOLE}
_CLAIM = _result(
    {
        **_PLACE,
        "verdict": {"enum": [str(label) for label in Label]},
        "score": _SCORE,
        "citations": {
            "type": "array",
            "items": _result({**_PLACE, "context_id": _TEXT, "index": _WHOLE, "score": _SCORE}, ["context_id", "text"]),
        },
    },
    ["text", "start", "end", "verdict", "score", "citations"],
)
RECORD = _result(
    {
        "verdict": {"enum": [str(label) for label in Label]},
        "score": _SCORE,
        "threshold": _NUMBER,
        "grounded": {"type": "boolean"},
        "claims": {"type": "array", "items": _CLAIM},
        "warnings": {"type": "array", "items": _TEXT},
    },
    ["verdict", "score", "threshold", "grounded", "claims", "warnings"],
)
_FOUND = _result(
    {
        **_PLACE,
        "rank": {"type": "integer", "minimum": 1},
        "context_id": _TEXT,
        "score": _NUMBER,
        "says": {"enum": ["supports", "refutes", "neutral"]},
    },
    ["rank", "context_id", "start", "end", "text", "score"],
)
EVIDENCE_RESULT = _result(
    {"evidence": {"type": "array", "items": _FOUND}, "warnings": {"type": "array", "items": _TEXT}},
    ["evidence", "warnings"],
)


def _check(limits: Limits) -> Tool:
    properties = {
        "question": _text(limits, "The question that was answered, if there was one."),
        "answer": _text(limits, "The answer to check, as it stands."),
        "contexts": _contexts(limits),
    }
    return Tool(
        name=CHECK,
        title="Check an answer against passages",
        description="Say for every sentence of an answer whether the given passages support it, contradict it or say "
        "nothing of it, and where they do.",
        input_schema=_object(properties, ["answer", "contexts"]),
        output_schema=RECORD,
    )


def _verify(indexes: Sequence[str], limits: Limits) -> Tool:
    properties = {
        "question": _text(limits, "The question that was answered, if there was one."),
        "answer": _text(limits, "The answer to verify, as it stands."),
        "index": _index(indexes),
    }
    return Tool(
        name=VERIFY,
        title="Verify an answer against a corpus",
        description="Find passages in an index that have to do with a question and its answer, and say for every sentence "
        "of the answer whether they support it, contradict it or say nothing of it.",
        input_schema=_object(properties, ["answer"] if len(indexes) == 1 else ["answer", "index"]),
        output_schema=RECORD,
    )


def _find(indexes: Sequence[str], limits: Limits) -> Tool:
    properties = {
        "query": _text(limits, "What to look for. Give this or a claim."),
        "claim": _text(limits, "A statement: what supports or refutes it is found. Give this or a query."),
        **({"index": _index(indexes)} if indexes else {}),
        "contexts": _contexts(limits),
        "k": {"type": "integer", "minimum": 1, "maximum": MOST_EVIDENCE, "default": EVIDENCE},
    }
    where = "an index or the given contexts" if indexes else "the given contexts"
    return Tool(
        name=FIND,
        title="Find evidence",
        description=f"Find the passages of {where} that have most to do with a query, or that say most clearly that a "
        "claim is so or is not so.",
        input_schema=_object(properties, [] if indexes else ["contexts"]),
        output_schema=EVIDENCE_RESULT,
    )
