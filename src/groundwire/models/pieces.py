"""A tokenizer.json from a SentencePiece file: the ids are those of SentencePiece itself (Kudo 2018, arXiv 1804.10959).

Converters in use elsewhere differ from it on user-defined symbols, byte pieces or literal control tokens; checkpoints
that carry no tokenizer.json were trained with SentencePiece, so that is what is rebuilt. Needs the extra `models`.
Left out: BPE files, sampling, decoding.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundwire._optional import require
from groundwire.errors import InputError

_UNIGRAM = 1
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED = 1, 2, 3, 4
_NEVER = -1e4
"""Score of the pieces that SentencePiece does not match in text: control, unknown, unused and byte pieces."""
_T5 = frozenset({"hhem-t5", "t5"})


def build(path: Path, model_type: str, settings: Mapping[str, Any]) -> Any:
    """Return a `tokenizers.Tokenizer` for a SentencePiece file of an "albert", "deberta-v2", "t5" or "hhem-t5" checkpoint.

    `settings` is its tokenizer_config.json. Raises InputError for a file that is not a unigram model.
    """
    tokenizers = require("tokenizers", "models")
    proto = _read(path)
    pieces = _scored(proto, number_commas=model_type == "albert")
    if model_type in _T5:
        pieces += [(f"<extra_id_{i}>", _NEVER) for i in reversed(range(int(settings.get("extra_ids", 100))))]
    fallback = bool(proto.trainer_spec.byte_fallback)
    unigram = tokenizers.models.Unigram(pieces, unk_id=proto.trainer_spec.unk_id, byte_fallback=fallback)
    tokenizer = tokenizers.Tokenizer(unigram)
    special = [piece.piece for piece in proto.pieces if piece.type == _CONTROL]
    tokenizer.add_special_tokens([tokenizers.AddedToken(token, normalized=False, special=True) for token in special])
    tokenizer.normalizer = tokenizers.normalizers.Sequence(_normalisers(tokenizers, proto, model_type, settings))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="always")
    if model_type in _T5:
        single, pair, ends = "$A </s>", "$A </s> $B </s>", ["</s>"]
    else:
        single, pair, ends = "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ["[CLS]", "[SEP]"]
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[(token, tokenizer.token_to_id(token)) for token in ends]
    )
    return tokenizer


def _read(path: Path) -> Any:
    require("google.protobuf", "models")
    proto = require("transformers.convert_slow_tokenizer", "models").import_protobuf().ModelProto()
    try:
        proto.ParseFromString(path.read_bytes())
    except Exception as error:  # protobuf's DecodeError, which moves between its versions
        raise InputError(f"{path.name} is not a SentencePiece file") from error
    if proto.trainer_spec.model_type != _UNIGRAM or not proto.pieces:
        raise InputError(f"{path.name} is not a unigram model, the only kind that is read")
    return proto


def _scored(proto: Any, *, number_commas: bool) -> list[tuple[str, float]]:
    """Return (piece, score) by id, with the scores that SentencePiece's own search gives to special kinds of piece."""
    best = max(piece.score for piece in proto.pieces if piece.type == _NORMAL)
    scored = []
    for piece in proto.pieces:
        score = piece.score if piece.type == _NORMAL else _NEVER
        if piece.type == _USER_DEFINED:
            score = len(piece.piece) * best - 0.1
        elif number_commas and piece.piece[-1:] == "," and piece.piece[-2:-1].isdigit():
            # ALBERT parts a comma from the digit before it (Lan et al. 2020, reference tokenizer).
            score -= 100
        scored.append((piece.piece, score))
    return scored


def _normalisers(tokenizers: Any, proto: Any, model_type: str, settings: Mapping[str, Any]) -> list[Any]:
    made = tokenizers.normalizers
    steps = []
    if model_type == "albert":
        steps += [made.Replace("``", '"'), made.Replace("''", '"')]
        if not settings.get("keep_accents", False):
            steps += [made.NFKD(), made.StripAccents()]
    if settings.get("do_lower_case", model_type == "albert"):
        steps.append(made.Lowercase())
    if proto.normalizer_spec.precompiled_charsmap:
        steps.append(made.Precompiled(proto.normalizer_spec.precompiled_charsmap))
    if proto.normalizer_spec.remove_extra_whitespaces:
        steps += [made.Strip(), made.Replace(tokenizers.Regex(" {2,}"), " ")]
    return steps
