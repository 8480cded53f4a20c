"""A real encoder over a real collection: all-MiniLM-L6-v2, exported and run as it is in use."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from groundwire import models
from groundwire.errors import Unavailable
from groundwire.index import LocalIndex
from groundwire.models import hub
from groundwire.models.checkpoints import FolderHub
from groundwire.stacks import build

pytestmark = pytest.mark.models


def test_all_minilm_finds_what_words_alone_do_not(
    made: Callable[..., LocalIndex], collection: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    network = pytest.importorskip("groundwire.training.network")
    try:
        pulled = hub.pull("all-minilm-l6-v2", hub=FolderHub(network.base_folder()))
    except Unavailable as error:
        pytest.skip(str(error))
    passages, _, _ = collection("cacm")
    name = f"dir:{pulled.path}"
    index = made(passages[:40], analyzer="english")
    done = index.embed(name)
    assert (done.model, done.size, done.encoded) == ("all-minilm-l6-v2", 384, 40)
    encoder, query = models.load_encoder(name), "how fast can numbers be put in order?"
    texts = [f"{passage.title} {passage.text}" if passage.title else passage.text for passage in passages[:40]]
    expected = encoder.encode(texts, query=False) @ encoder.encode([query], query=True)[0]
    for spec in ("dense", "minilm", "dense(model=all-minilm-l6-v2)"):
        (hits,) = build(spec, index).retrieve([query], 40)
        scores = {hit.passage.id: hit.score for hit in hits}
        assert [scores[p.id] for p in passages[:40]] == pytest.approx(expected.tolist(), abs=1e-5)
        assert build(spec, index).name == spec
    best = passages[int(np.argmax(expected))].id
    assert hits[0].passage.id == best
    assert {hit.passage.id for hit in build("rrf(bm25,dense)", index).retrieve([query], 40)[0]} == set(scores)
