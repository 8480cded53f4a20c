"""Tokenizers of pulled models: a tokenizer.json, read once and never changed, and how one is made from a checkpoint.

Texts are encoded one by one, without special tokens, truncation or padding; the pair engine puts them together. What a
text says is text: "[SEP]" or "</s>" in it becomes ordinary pieces (or the unknown one), never the special token, so
that no answer can forge the end of its evidence. Needs the package `tokenizers` (extra `hub`). Left out: WordPiece,
which the core does itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from groundwire._optional import require
from groundwire.errors import CorruptModel, InputError

FILE = "tokenizer.json"
_PIECES: Mapping[str, str] = {
    "albert": "spiece.model",
    "deberta-v2": "spm.model",
    "hhem-t5": "spiece.model",
    "t5": "spiece.model",
}
"""SentencePiece file by model type, for checkpoints that carry no tokenizer.json."""
_SLOT = re.compile(r"\{[abc]\}")
_WORDPIECE = frozenset({"bert", "electra", "distilbert", "mobilebert"})


@dataclass(frozen=True, slots=True)
class Frame:
    """The ids around a pair: `before` a `between` b `after`; `types` are the token types of these five parts."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    types: tuple[int, int, int, int, int]


class HubTokenizer:
    """A tokenizer.json, safe for any number of threads: nothing in it changes once it is read.

    `frame` is what stands around a pair: the tokenizer's own special tokens, or the words of `prompt` ({a} before
    {b}), in which special tokens such as <pad> do count. `around` has the ids before, between and after the texts, also
    where a prompt takes three of them. Raises CorruptModel for a file that cannot be read.
    """

    frame: Frame
    around: tuple[tuple[int, ...], ...]

    def __init__(self, text: str, prompt: str | None = None) -> None:
        """Read the text of a tokenizer.json."""
        tokenizers = require("tokenizers", "hub")
        try:
            self._tokenizer = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # the package raises bare Exception
            raise CorruptModel(f"{FILE} cannot be read: {error}", "pull the model again with --force") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        if prompt is None:
            self.frame = self._special_tokens()
            self.around = (self.frame.before, self.frame.between, self.frame.after)
        else:
            self.around = before, between, *rest = self._prompt_tokens(prompt)
            after = tuple(i for part in rest for i in part)
            self.frame = Frame(before=before, between=between, after=after, types=(0, 0, 0, 0, 0))
        self._tokenizer.encode_special_tokens = True
        self._forged, self._unknown = _reserved(json.loads(text))

    @classmethod
    def open(cls, path: Path, prompt: str | None = None) -> Self:
        """Read a tokenizer.json."""
        return cls(path.read_text(encoding="utf-8"), prompt)

    @classmethod
    def of_vocabulary(cls, path: Path, *, lowercase: bool) -> Self:
        """Build BERT's WordPiece from a vocab.txt; for comparing at export, where the core's own is not the judge."""
        wordpiece = require("tokenizers", "hub").BertWordPieceTokenizer(str(path), lowercase=lowercase)
        return cls(wordpiece.to_str())

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without special tokens. Never raises: a lone surrogate reads as U+FFFD."""
        ids: list[int] = self._tokenizer.encode(_valid(text), add_special_tokens=False).ids
        if self._forged.isdisjoint(ids):
            return ids
        return [self._unknown if i in self._forged else i for i in ids]

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the (start, end) of each token of `encode(text)`, in code points of the text."""
        return list(self._tokenizer.encode(_valid(text), add_special_tokens=False).offsets)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The pieces by id; an id that has none is the empty string."""
        ids: Mapping[str, int] = self._tokenizer.get_vocab(with_added_tokens=True)
        pieces = [""] * (max(ids.values()) + 1)
        for piece, i in ids.items():
            pieces[i] = piece
        return tuple(pieces)

    def _special_tokens(self) -> Frame:
        pair = self._tokenizer.encode("a", "b")
        first, second = ([i for i, s in enumerate(pair.sequence_ids) if s == which] for which in (0, 1))
        bounds = (0, first[0], first[-1] + 1, second[0], second[-1] + 1, len(pair.ids))
        parts = [slice(*pair_of_bounds) for pair_of_bounds in pairwise(bounds)]
        types = [next(iter(pair.type_ids[part]), 0) for part in parts]
        return Frame(
            before=tuple(pair.ids[parts[0]]),
            between=tuple(pair.ids[parts[2]]),
            after=tuple(pair.ids[parts[4]]),
            types=(types[0], types[1], types[2], types[3], types[4]),
        )

    def _prompt_tokens(self, prompt: str) -> tuple[tuple[int, ...], ...]:
        """Encode the prompt's own words; white space divides words here, so parts encode as they do in the whole."""
        words = [part.strip() for part in _SLOT.split(prompt)]
        parts = [tuple(self._tokenizer.encode(part, add_special_tokens=False).ids) for part in words]
        single = self._tokenizer.encode("a")
        last = max(i for i, sequence in enumerate(single.sequence_ids) if sequence == 0)
        return (*parts[:-1], parts[-1] + tuple(single.ids[last + 1 :]))


def write(source: Path, model_type: str, target: Path) -> dict[str, Any]:
    """Put the tokenizer of a checkpoint folder into `target` and return the `tokenizer` object of config.json.

    In this order: the plain WordPiece of a BERT kind (its vocab.txt), the checkpoint's own tokenizer.json, one built
    from its SentencePiece file. Raises InputError when there is none of them.
    """
    settings = _json(source / "tokenizer_config.json")
    if model_type in _WORDPIECE and _is_plain_wordpiece(source, settings):
        (target / "vocab.txt").write_bytes((source / "vocab.txt").read_bytes())
        return {"kind": "wordpiece", "file": "vocab.txt", "lowercase": bool(settings.get("do_lower_case", True))}
    if (source / FILE).is_file():
        tokenizer = require("tokenizers", "hub").Tokenizer.from_file(str(source / FILE))
    else:
        tokenizer = _from_pieces(source, model_type, settings)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(target / FILE))
    return {"kind": "tokenizer_json", "file": FILE}


def _from_pieces(source: Path, model_type: str, settings: Mapping[str, Any]) -> Any:
    from groundwire.models import pieces

    file = _PIECES.get(model_type)
    if file is None or not (source / file).is_file():
        missing = FILE if file is None else f"{FILE} and no {file}"
        raise InputError(f"the checkpoint has no tokenizer that can be read: there is no {missing}")
    return pieces.build(source / file, model_type, settings)


def _is_plain_wordpiece(source: Path, settings: Mapping[str, Any]) -> bool:
    lowercase = bool(settings.get("do_lower_case", True))
    return (
        (source / "vocab.txt").is_file()
        and settings.get("strip_accents") in (None, lowercase)
        and bool(settings.get("tokenize_chinese_chars", True))
    )


def _reserved(tokenizer: Mapping[str, Any]) -> tuple[frozenset[int], int]:
    """Return the ids that a text must not give, and the id to give instead.

    A unigram vocabulary holds its special tokens as pieces, so that their spelling in a text would match them.
    """
    model = tokenizer["model"]
    if model.get("type") != "Unigram":
        return frozenset(), 0
    special = {token["id"] for token in tokenizer["added_tokens"] if token["special"]}
    return frozenset(special - {model["unk_id"]}), model["unk_id"]


def _json(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _valid(text: str) -> str:
    """Return the text with lone surrogates, which UTF-8 cannot carry, replaced one for one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text
