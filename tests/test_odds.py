"""Log-odds and back."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.odds import CLAMP, logit, sigmoid


@given(st.floats(CLAMP, 1 - CLAMP))
def test_sigmoid_undoes_logit(p):
    assert sigmoid(logit(p)) == pytest.approx(p)


@given(st.floats(allow_nan=False))
def test_sigmoid_never_overflows(x):
    assert 0 <= sigmoid(x) <= 1


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_certainty_is_clamped(p):
    assert math.isfinite(logit(p))
