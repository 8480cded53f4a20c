"""The data sets that are known by name: what each is, under which licence, and which function reads it.

A name is that of a data set, with its part behind a colon: `halubench`, `halueval:qa`, `true:qags-cnndm`. Readers are named
and imported when they are asked for. Counts are those of Provenance's Table 2 or of the data set's own card.

Left out: reading (one file a family), finding the files (`place.py`), and the data itself, none of which comes with us.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.errors import UnknownName, UsageError
from groundwire.evals.datasets.described import DatasetInfo
from groundwire.evals.datasets.families import HALUEVAL_SETS, TRUE_SETS

_GITHUB = "https://github.com/"

_CHECKED_SETS = (
    DatasetInfo(
        name="halubench",
        title="HaluBench: answers over passages of six data sets (Ravi et al. 2024)",
        licence="CC BY-NC 2.0",
        url="https://huggingface.co/datasets/PatronusAI/HaluBench",
        columns=("id", "passage", "question", "answer", "label", "source_ds"),
        rows=14900,
        supported=7730,
        unsupported=7170,
        reader="pairs:halubench",
        files=("halubench*.jsonl", "halubench*.json", "halubench*.csv", "data/test-*.parquet", "test-*.parquet"),
        kept=("halubench",),
        hub="PatronusAI/HaluBench",
    ),
    DatasetInfo(
        name="ragtruth",
        title="RAGTruth: answers of six models over given sources, wrong spans marked by people",
        licence="MIT",
        url=_GITHUB + "ParticleMedia/RAGTruth",
        columns=("id", "source_id", "response", "labels", "split"),
        rows=17790,
        note="source_info.jsonl lies beside response.jsonl; gold spans; an answer with any span is not supported, "
        "contradicted where one is a conflict; all splits unless one is asked for",
        reader="ragtruth:rows",
        files=("response.jsonl", "dataset/response.jsonl"),
        kept=("ragtruth",),
        splits=("test", "train"),
    ),
    DatasetInfo(
        name="llm-aggrefact",
        title="LLM-AggreFact: claims over documents of eleven data sets (Tang et al. 2024)",
        licence="CC BY-ND 4.0, for evaluation alone",
        url="https://huggingface.co/datasets/lytang/LLM-AggreFact",
        columns=("dataset", "doc", "claim", "label"),
        rows=29320,
        reader="pairs:aggrefact",
        files=("{split}.jsonl", "{split}.csv", "{split}-*.parquet", "data/{split}-*.parquet"),
        kept=("llm-aggrefact-{split}", "llm-aggrefact"),
        splits=("test", "dev"),
        hub="lytang/LLM-AggreFact",
    ),
    DatasetInfo(
        name="faithbench",
        title="FaithBench: summaries on which detectors disagree, spans marked by people (Bao et al. 2025)",
        licence="CC BY-NC-SA 4.0",
        url=_GITHUB + "vectara/FaithBench",
        columns=("sample_id", "source", "summary", "annotations", "metadata"),
        note="unwanted or questionable in anybody's eyes is not supported, benign is; gold spans; "
        "also FaithBench.csv (source, summary, LLM, worst-label, best-label), without spans",
        reader="faithbench:rows",
        files=("data_for_release/batch_*.json", "batch_*.json", "FaithBench.csv"),
        kept=("faithbench",),
    ),
    DatasetInfo(
        name="vitaminc",
        title="VitaminC: claims over revisions of Wikipedia, three classes (Schuster et al. 2021)",
        licence="CC BY-SA 3.0",
        url=_GITHUB + "TalSchuster/VitaminC",
        columns=("unique_id", "case_id", "claim", "evidence", "label"),
        rows=63054,
        supported=31484,
        unsupported=31570,
        note="the pairs of one revision are one group",
        reader="pairs:vitaminc",
        files=("{split}.jsonl", "vitaminc/{split}.jsonl"),
        kept=("vitaminc-{split}", "vitaminc"),
        splits=("dev", "test", "train"),
        hub="tals/vitaminc",
    ),
    DatasetInfo(
        name="fever",
        title="FEVER in its NLI form: claims with the sentences that were retrieved (Nie et al. 2019)",
        licence="CC BY-SA 3.0",
        url=_GITHUB + "easonnie/combine-FEVER-NSMN",
        columns=("cid", "query", "context", "label"),
        note="with the shared task's file beside it its labels count; rows without context are left out",
        reader="fever:retrieved",
        files=("{split}_fitems.jsonl",),
        kept=("fever-nli-{split}", "fever"),
        splits=("dev", "train", "test"),
    ),
    DatasetInfo(
        name="fever:shared-task",
        title="FEVER's shared task: claims with the sentences that people cited (Thorne et al. 2018)",
        licence="CC BY-SA 3.0",
        url="https://fever.ai/dataset/fever.html",
        columns=("id", "claim", "label", "evidence"),
        note="wiki-pages/wiki-*.jsonl lie beside it; claims without enough information have no evidence and no contexts",
        reader="fever:cited",
        files=("shared_task_{split}.jsonl", "paper_{split}.jsonl"),
        kept=("fever-shared-task",),
        splits=("dev", "train", "test"),
    ),
    DatasetInfo(
        name="wice",
        title="WiCE: claims of Wikipedia over the whole articles that they cite (Kamoi et al. 2023)",
        licence="ODC-BY (annotations), CC BY-SA and Common Crawl terms (text)",
        url=_GITHUB + "ryokamoi/wice",
        columns=("claim", "evidence", "label", "supporting_sentences", "meta"),
        rows=358,
        note="partially supported is not supported",
        reader="wice:claims",
        files=(
            "data/entailment_retrieval/claim/{split}.jsonl",
            "entailment_retrieval/claim/{split}.jsonl",
            "{split}.jsonl",
        ),
        kept=("wice-claim-fullarticle-{split}",),
        splits=("test", "dev", "train"),
    ),
    DatasetInfo(
        name="wice:tokens",
        title="WiCE, partially supported claims with their unsupported tokens",
        licence="ODC-BY (annotations), CC BY-SA and Common Crawl terms (text)",
        url=_GITHUB + "ryokamoi/wice",
        columns=("claim", "claim_tokens", "non_supported_spans", "evidence", "label"),
        note="gold spans; no claim is supported, so only spans can be measured on it",
        reader="wice:tokens",
        files=("data/non_supported_tokens/{split}.jsonl", "non_supported_tokens/{split}.jsonl", "{split}.jsonl"),
        kept=("wice-tokens-{split}",),
        splits=("test", "dev", "train"),
    ),
    DatasetInfo(
        name="summedits",
        title="SummEdits: edited summaries of ten domains (Laban et al. 2023)",
        licence="Apache-2.0 (repository)",
        url=_GITHUB + "salesforce/factualNLG",
        columns=("id", "doc", "summary", "label"),
        rows=6348,
        note="one file a domain; the edits of one summary are one group",
        reader="pairs:summedits",
        files=("summedits_*.json", "data/summedits/summedits_*.json", "summedits*.jsonl"),
        kept=("summedits",),
        hub="Salesforce/summedits",
    ),
    DatasetInfo(
        name="summac",
        title="SummaC: six sets of summaries as its loader writes them (Laban et al. 2022)",
        licence="Apache-2.0 (repository); those of its sets",
        url=_GITHUB + "tingofurro/summac",
        columns=("document", "claim", "label"),
        note="JSON or JSON lines of what its loader gives, also by set; `cut` is the split; all splits unless asked for",
        reader="pairs:summac",
        files=("summac*.jsonl", "summac*.json"),
        kept=("summac",),
        splits=("test", "val"),
    ),
)

_QUESTION_SETS = (
    DatasetInfo(
        name="msmarco-qna",
        title="MS MARCO QnA: questions to Bing, ten passages, answers that people wrote",
        licence="for research alone, not commercial",
        url="https://microsoft.github.io/msmarco/",
        columns=("query_id", "query", "passages", "answers"),
        note="answers are supported; questions without one are left out. Rows, or the published file by columns, which is "
        "held in memory. Provenance's 252 made-up answers are not published",
        reader="questions:msmarco",
        files=("{split}_v2.1.json", "{split}_v2.1.jsonl", "{split}_v1.1.json", "data/{split}-*.parquet"),
        kept=("msmarco-qna",),
        splits=("dev", "train"),
        hub="microsoft/ms_marco",
    ),
    DatasetInfo(
        name="truthfulqa",
        title="TruthfulQA: questions that people answer wrongly, each correct and each incorrect answer (Lin et al. 2022)",
        licence="Apache-2.0",
        url=_GITHUB + "sylinrl/TruthfulQA",
        columns=("Question", "Correct Answers", "Incorrect Answers"),
        note="no contexts: find evidence first. The answers of one question are one group",
        reader="questions:truthfulqa",
        files=("TruthfulQA.csv", "data/v1/TruthfulQA.csv"),
        kept=("truthfulqa", "truthfulqa-v0"),
    ),
    DatasetInfo(
        name="hotpotqa",
        title="HotpotQA: questions over two articles among ten (Yang et al. 2018)",
        licence="CC BY-SA 4.0",
        url="https://hotpotqa.github.io/",
        columns=("_id", "question", "answer", "context"),
        note="answers are supported; with HaluEval's qa_data.json beside it, its made-up answers stand in one group with "
        "the right ones, over the same ten articles",
        reader="questions:hotpotqa",
        files=("hotpot_{split}_distractor_v1.json", "hotpot_{split}_v1.1.json", "hotpot_{split}_fullwiki_v1.json"),
        kept=("hotpotqa",),
        splits=("dev", "train"),
    ),
)

_SEARCHED = "searched, not checked: groundwire index add, groundwire search"

_SEARCHED_SETS = (
    DatasetInfo(
        name="beir",
        title="Any collection in BEIR's layout",
        licence="that of the collection",
        url=_GITHUB + "beir-cellar/beir",
        columns=("_id", "title", "text"),
        note=f"{_SEARCHED}; a folder of corpus.jsonl, queries.jsonl and qrels/*.tsv",
    ),
    DatasetInfo(
        name="trec",
        title="TREC runs, judgements and topics",
        licence="that of the collection",
        url="https://trec.nist.gov/",
        columns=("query", "0", "passage", "grade"),
        note=_SEARCHED,
    ),
    DatasetInfo(
        name="msmarco-passage",
        title="MS MARCO v1 passages as collection.tsv",
        licence="for research alone, not commercial",
        url="https://microsoft.github.io/msmarco/",
        columns=("pid", "passage"),
        rows=8841823,
        note=_SEARCHED,
    ),
    DatasetInfo(
        name="ir_datasets",
        title="ir_datasets:NAME, any collection of that catalogue",
        licence="that of the collection",
        url="https://ir-datasets.com/",
        columns=("doc_id", "text"),
        note=f"{_SEARCHED}; needs the extra ir",
    ),
)

_ROWS = DatasetInfo(
    name="rows",
    title="Rows of our own form, or of any names that `groundwire check` takes",
    licence="yours",
    url="",
    columns=("answer", "contexts", "label"),
    note="what `groundwire data convert` writes",
    reader="canonical:rows",
)

SETS: Mapping[str, DatasetInfo] = {
    info.name: info for info in (*TRUE_SETS, *HALUEVAL_SETS, *_CHECKED_SETS, *_QUESTION_SETS, _ROWS, *_SEARCHED_SETS)
}
"""Every data set by its name, those with labels first."""


def names() -> list[str]:
    """Return the names of the data sets that have labels, those that `open` reads."""
    return [name for name, info in SETS.items() if info.reader]


def info(name: str) -> DatasetInfo:
    """Return what is known of a data set. Raises UnknownName, UsageError with its parts for a family's name alone."""
    if name in SETS:
        return SETS[name]
    parts = [known for known in SETS if known.startswith(f"{name}:")]
    if parts:
        raise UsageError(f"{name} is a family of data sets", f"one of {', '.join(parts)}")
    raise UnknownName("data set", name, SETS)
