"""The two large families of data sets: TRUE's eleven and HaluEval's four parts.

Counts are those of Provenance's Table 2 (arXiv 2411.01022), which TRUE's rules give exactly where files are public.

Left out: every other data set (`catalogue.py`).
"""

from __future__ import annotations

from groundwire.evals.datasets.described import DatasetInfo

_GITHUB = "https://github.com/"
_NONE_STATED = "none stated"
_ITS_OWN = "see its repository"
_TRUE_NOTE = "also TRUE's own csv (grounding, generated_text, label)"


def _true(
    part: str,
    title: str,
    licence: str,
    url: str,
    counts: tuple[int, int],
    columns: str,
    files: str,
    note: str = "",
    kept: str = "",
    splits: str = "",
) -> DatasetInfo:
    """Return one of TRUE's eleven (Honovich et al. 2022, arXiv 2204.04991); `counts` are (not supported, supported)."""
    csv = part.replace("-", "_")
    return DatasetInfo(
        name=f"true:{part}",
        title=title,
        licence=licence,
        url=url,
        columns=tuple(columns.split(", ")),
        rows=sum(counts),
        supported=counts[1],
        unsupported=counts[0],
        note="; ".join(filter(None, (note, _TRUE_NOTE))),
        reader="true:rows",
        files=(*files.split(), f"{csv}_download.csv", f"{csv}_*_download.csv"),
        kept=(f"true-{part}", *(kept or part).split()),
        splits=tuple(splits.split()),
    )


TRUE_SETS = (
    _true(
        "begin",
        "BEGIN: dialogue responses over Wikipedia sentences, dev of May 2021",
        _ITS_OWN,
        _GITHUB + "google/BEGIN-dataset",
        (554, 282),
        "evidence, previous turn, response, gold label",
        "{split}_05_24_21.tsv",
        "only entailment is supported; the previous turn is the question",
        splits="dev test",
    ),
    _true(
        "dialfact",
        "DialFact: dialogue responses with their evidence, factual ones",
        "BSD-3-Clause (repository)",
        _GITHUB + "salesforce/DialFact",
        (5348, 3341),
        "response, evidence_list, response_label, type_label",
        "{split}_split.jsonl",
        "rows without evidence and personal responses are left out, as TRUE does; the turn before is the question",
        splits="valid test",
    ),
    _true(
        "fever",
        "FEVER in its NLI form, dev: claims with retrieved sentences",
        "CC BY-SA 3.0",
        _GITHUB + "easonnie/combine-FEVER-NSMN",
        (11816, 6393),
        "cid, query, context, label",
        "{split}_fitems.jsonl",
        "with the shared task's dev file beside it (paper_dev.jsonl, shared_task_dev.jsonl) its labels count, as in TRUE",
        splits="dev train test",
    ),
    _true(
        "frank",
        "FRANK: model summaries of CNN/DM and XSum, judged by the sentence",
        _NONE_STATED,
        _GITHUB + "artidoro/frank",
        (448, 223),
        "hash, model_name, article, summary, summary_sentences_annotations, split",
        "human_annotations_sentence.json",
        "supported when a majority finds no error in every sentence",
        splits="valid test",
    ),
    _true(
        "mnbm",
        "MNBM: model summaries of XSum, judged for hallucinations",
        "CC BY 4.0",
        _GITHUB + "google-research-datasets/xsum_hallucination_annotations",
        (2245, 255),
        "bbcid, system, summary, hallucination_type, worker_id",
        "hallucination_annotations_xsum_summaries.csv",
        "the articles are XSum's: put its rows (id, document) beside it as xsum*.jsonl, .json, .csv or .parquet",
    ),
    _true(
        "paws",
        "PAWS-Wiki, labelled, dev: paraphrases and their scrambled twins",
        "free for any purpose",
        _GITHUB + "google-research-datasets/paws",
        (4461, 3539),
        "id, sentence1, sentence2, label",
        "{split}.tsv final/{split}.tsv",
        splits="dev test train",
    ),
    _true(
        "q2",
        "Q2: responses of two systems on Wizard of Wikipedia",
        "Apache-2.0",
        _GITHUB + "orhonovich/q-squared",
        (460, 628),
        "knowledge, dodeca_response, dodeca_label, memnet_response, memnet_label",
        "cross_annotation.csv",
        "published labels are 1 for inconsistent; every row gives two cases",
    ),
    _true(
        "qags-cnndm",
        "QAGS: model summaries of CNN/DM, three people a sentence",
        _NONE_STATED,
        _GITHUB + "W4ngatang/qags",
        (122, 113),
        "article, summary_sentences",
        "mturk_cnndm.jsonl",
        "gold spans are the sentences without a majority",
    ),
    _true(
        "qags-xsum",
        "QAGS: model summaries of XSum, three people a sentence",
        _NONE_STATED,
        _GITHUB + "W4ngatang/qags",
        (123, 116),
        "article, summary_sentences",
        "mturk_xsum.jsonl",
        "gold spans are the sentences without a majority",
    ),
    _true(
        "summeval",
        "SummEval: sixteen systems on a hundred articles of CNN/DM",
        "MIT (repository)",
        _GITHUB + "Yale-LILY/SummEval",
        (294, 1306),
        "id, model_id, text, decoded, expert_annotations",
        "model_annotations.aligned.paired.jsonl",
        "supported when all three experts give consistency 5; articles come in by SummEval's own pairing",
    ),
    _true(
        "vitaminc",
        "VitaminC dev, two classes",
        "CC BY-SA 3.0",
        _GITHUB + "TalSchuster/VitaminC",
        (31570, 31484),
        "unique_id, case_id, claim, evidence, label",
        "{split}.jsonl",
        splits="dev test train",
    ),
)

_HALUEVAL = _GITHUB + "RUCAIBox/HaluEval"


def _halueval(part: str, title: str, counts: tuple[int, int], columns: str, note: str) -> DatasetInfo:
    return DatasetInfo(
        name=f"halueval:{part}",
        title=title,
        licence="MIT",
        url=_HALUEVAL,
        columns=tuple(columns.split(", ")),
        rows=sum(counts),
        supported=counts[1],
        unsupported=counts[0],
        note=note,
        reader="halueval:rows",
        files=(f"{part}_data.json", f"data/{part}_data.json"),
        kept=(f"halueval-{part}",),
    )


HALUEVAL_SETS = (
    _halueval(
        "qa",
        "HaluEval, question answering: HotpotQA's answers and ones that ChatGPT made up",
        (10000, 10000),
        "knowledge, question, right_answer, hallucinated_answer",
        "every row gives two cases of one group",
    ),
    _halueval(
        "dialogue",
        "HaluEval, dialogue: OpenDialKG's responses and ones that ChatGPT made up",
        (10000, 10000),
        "knowledge, dialogue_history, right_response, hallucinated_response",
        "every row gives two cases of one group; the history is the question",
    ),
    _halueval(
        "summarization",
        "HaluEval, summarization: summaries of CNN/DM and ones that ChatGPT made up",
        (10000, 10000),
        "document, right_summary, hallucinated_summary",
        "every row gives two cases of one group",
    ),
    _halueval(
        "general",
        "HaluEval, general: ChatGPT's answers to users, judged by three people",
        (815, 3692),
        "user_query, chatgpt_response, hallucination, hallucination_spans",
        "no contexts: it says whether an answer is right in the world, so find evidence first",
    ),
)
