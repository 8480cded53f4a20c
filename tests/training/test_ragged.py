"""Pairs are taken apart into the texts they were made of, and put together again as they were."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.models

from groundwire.training.batches import Encoded, encode, load_tokenizer  # noqa: E402
from groundwire.training.ragged import Texts, apart, chosen, joined, padded, together  # noqa: E402
from groundwire.training.sample import UNKNOWN, Sample  # noqa: E402

TEXTS = Texts.of([np.array([5, 6, 7]), np.array([8]), np.array([], dtype=np.int32), np.array([9, 5])])


@pytest.fixture
def data(tokenizer_file: Path, samples: Sequence[Sample]) -> Encoded:
    return encode(samples, load_tokenizer(tokenizer_file, 64), 64)


def test_texts_are_taken_in_any_order_and_more_than_once() -> None:
    assert TEXTS.lengths.tolist() == [3, 1, 0, 2]
    taken = TEXTS.take(np.array([3, 0, 2, 0]))
    assert [taken[i].tolist() for i in range(len(taken))] == [[9, 5], [5, 6, 7], [], [5, 6, 7]]


def test_others_stand_behind() -> None:
    both = TEXTS + TEXTS.take(np.array([1, 3]))
    assert [both[i].tolist() for i in range(3, len(both))] == [[9, 5], [8], [9, 5]]


def test_texts_are_padded_between_marks_and_cut() -> None:
    ids, mask = padded(TEXTS, np.array([0, 2, 3]), 4, 8)
    assert ids.tolist() == [[101, 5, 6, 102, 0, 0, 0, 0], [101, 102, *[0] * 6], [101, 9, 5, 102, 0, 0, 0, 0]]
    assert mask.tolist() == [[1] * 4 + [0] * 4, [1, 1, *[0] * 6], [1] * 4 + [0] * 4]


def test_each_text_is_kept_once(data: Encoded, samples: Sequence[Sample]) -> None:
    evidence, _, of_evidence, of_claim = apart(data)
    assert len(evidence) == len({s.evidence.lower() for s in samples})
    assert len(of_evidence) == len(of_claim) == len(samples)
    assert of_evidence[0] == of_evidence[1]
    assert of_claim[0] != of_claim[1]


def test_what_was_taken_apart_goes_together_again(data: Encoded) -> None:
    evidence, claims, of_evidence, of_claim = apart(data)
    again = together(evidence.take(of_evidence), claims.take(of_claim), 64)
    for name in ("tokens", "starts", "claims"):
        assert getattr(again, name).tolist() == getattr(data, name).tolist(), name
    assert set(again.labels) == set(again.relevance) == set(again.targets) == {UNKNOWN}
    assert again.taught.shape == data.taught.shape


def test_the_evidence_is_cut_where_a_pair_is_too_long() -> None:
    pair = together(TEXTS.take(np.array([0])), TEXTS.take(np.array([3])), 7)
    assert pair.tokens.tolist() == [101, 5, 6, 102, 9, 5, 102]
    assert pair.claims.tolist() == [4]


def test_a_claim_that_is_too_long_by_itself_stays_whole() -> None:
    pair = together(TEXTS.take(np.array([3])), TEXTS.take(np.array([0])), 4)
    assert pair.tokens.tolist() == [101, 102, 5, 6, 7, 102]


def test_chosen_samples_are_the_same_ones(data: Encoded) -> None:
    part = chosen(data, np.array([4, 0]))
    for n, of in enumerate((4, 0)):
        for name in ("tokens", "targets"):
            found = getattr(part, name)[part.starts[n] : part.starts[n + 1]]
            assert found.tolist() == getattr(data, name)[data.starts[of] : data.starts[of + 1]].tolist()
    assert part.labels.tolist() == data.labels[[4, 0]].tolist()


def test_samples_of_two_sets_follow_one_another(data: Encoded) -> None:
    both = joined(data, together(TEXTS.take(np.array([0, 1])), TEXTS.take(np.array([1, 3])), 64))
    assert len(both.labels) == len(data.labels) + 2
    start, end = both.starts[-3:-1]
    assert both.tokens[start:end].tolist() == [101, 5, 6, 7, 102, 8, 102]
