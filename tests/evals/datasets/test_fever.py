from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]
NLI = [
    {
        "cid": "91198",
        "fid": "1",
        "query": "Kaepernick was a starter.",
        "context": "He remained the starter.",
        "label": "SUPPORTS",
    },
    {"cid": "2", "fid": "2", "query": "He sang.", "context": "He played.", "label": "REFUTES"},
    {"cid": "3", "fid": "3", "query": "He cooked.", "context": "", "label": "NOT ENOUGH INFO"},
]


def test_the_nli_form_leaves_out_what_has_no_context(written: Written) -> None:
    cases = list(read("fever", written("dev_fitems.jsonl", NLI)))
    assert [(case.id, case.label) for case in cases] == [("91198", Label.SUPPORTED), ("2", Label.CONTRADICTED)]


@pytest.mark.parametrize("name", ["fever", "true:fever"])
def test_labels_of_the_original_file_go_before(written: Written, name: str) -> None:
    folder = written("dev_fitems.jsonl", NLI).parent
    written("paper_dev.jsonl", [{"id": 91198, "label": "NOT ENOUGH INFO", "claim": "c", "evidence": []}])
    assert [case.label for case in read(name, folder)] == [Label.NOT_ENOUGH_INFO, Label.CONTRADICTED]


CLAIMS = [
    {
        "id": 75397,
        "verifiable": "VERIFIABLE",
        "label": "SUPPORTS",
        "claim": "He worked with Fox.",
        "evidence": [[[92206, 104971, "Nikolaj_C", 1], [92206, 104971, "Fox_(a)", 0]], [[1, 2, "Nikolaj_C", 1]]],
    },
    {
        "id": 2,
        "verifiable": "NOT VERIFIABLE",
        "label": "NOT ENOUGH INFO",
        "claim": "c",
        "evidence": [[[1, None, None, None]]],
    },
]
PAGES = [
    {"id": "Nikolaj_C", "text": "…", "lines": "0\tHe acts .\tact\n1\tHe was in Fox 's show .\tFox\tFox\n2\t"},
    {"id": "Other", "text": "", "lines": "0\tNot needed ."},
]


def test_the_shared_task_stands_over_the_cited_sentences(written: Written) -> None:
    folder = written("shared_task_dev.jsonl", CLAIMS).parent
    written("wiki-pages/wiki-001.jsonl", PAGES)
    written("wiki-pages/wiki-002.jsonl", [{"id": "Fox_(a)", "text": "", "lines": "0\tFox broadcasts ."}])
    supported, open_ = read("fever:shared-task", folder)
    assert [(p.title, p.text) for p in supported.contexts] == [
        ("Nikolaj C", "He was in Fox 's show ."),
        ("Fox (a)", "Fox broadcasts ."),
    ]
    assert (supported.id, supported.label) == ("75397", Label.SUPPORTED)
    assert (open_.contexts, open_.label, open_.reason) == ((), Label.NOT_ENOUGH_INFO, "the data set has no contexts")


def test_the_shared_task_wants_wikipedia(written: Written) -> None:
    with pytest.raises(InputError, match="has no wiki-pages/wiki"):
        list(read("fever:shared-task", written("shared_task_dev.jsonl", CLAIMS)))
