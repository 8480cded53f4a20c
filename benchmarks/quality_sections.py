"""The sections of docs/quality.md below the tables over all sets, each from one file of benchmarks/results/.

A section whose file is not there is left out. Left out: the measuring, which the script does that each section names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from page_text import figure_of, number, share, table, wide

from groundwire.evals.bootstrap import mean_figure
from groundwire.training import chatter, fusion

Result = dict[str, Any]


def sections(results: Path, order: Sequence[str]) -> str:
    """Write every section that has a result in the folder; `order` is that of the sets."""
    writers: dict[str, Callable[[Result], str]] = {
        "ablations": lambda found: _ablations(found, order),
        "ceiling": lambda found: _ceiling(found, order),
        "joining": _joining,
        "flips": _flips,
        "framings": _framings,
        "first_minute": _first_minute,
        "spans": _spans,
        "distractors": _distractors,
        "rerank": _rerank,
    }
    there = {name: results / f"{name}.json" for name in writers if (results / f"{name}.json").is_file()}
    parts = [writers[name](json.loads(path.read_text(encoding="utf-8"))) for name, path in there.items()]
    shipped = [json.loads(path.read_text(encoding="utf-8")) for path in (fusion.SHIPPED, chatter.SHIPPED)]
    return "".join([*parts, _calibration(shipped[0]), _chatter(shipped[1])])


def _made(found: Result) -> str:
    return f"weights `{found['model_sha256'][:12]}`, measured {found['date']}"


ABLATIONS = """
## With and without

What each part of the default is worth (`benchmarks/quality.py --ablations`): variants that lack or change one part, on
the same rows, a seeded sample of at most {limit} of each set. Mean AUC over {sets} sets; the difference is to the
default, paired over the rows of each set. The fusion's weights stay those fitted for the default, which favours it;
only *without the model* and *without lexical evidence* have a fusion of their own, of what remains, fitted on the same
rows. Pairs of evidence and claim a row say what a variant costs (without the gathered premise the best window is asked
twice in its place, at no cost).
Recipe, weights and fusion `{fingerprint}`, measured {date}.

"""


def _ablations(found: Result, order: Sequence[str]) -> str:
    names = [name for name in order if name in found["sets"]]
    variants = [v for v in found["sets"][names[0]] if all(v in found["sets"][name] for name in names)]
    rows = []
    for variant in variants:
        measured = [found["sets"][name][variant] for name in names]
        auc, difference = (mean_figure([figure_of(one[key]) for one in measured]) for key in ("auc", "difference"))
        pairs = sum(one["pairs"] for one in measured) / sum(one["n"] for one in measured)
        apart = "" if variant == "default" else wide(difference, sign=True)
        rows.append([variant, number(auc.value), apart, f"{pairs:.1f}"])
    intro = ABLATIONS.format(
        limit=found["limit"],
        sets=len(names),
        fingerprint=found["fingerprint"],
        date=found["date"],
    )
    by_set = [[v, *(number(found["sets"][name][v]["auc"]["value"]) for name in names)] for v in variants]
    return (
        intro
        + table(["variant", "mean AUC", "difference", "pairs a row"], rows)
        + "\nThe same by set:\n\n"
        + table(["variant", *names], by_set)
    )


CEILING = """
## What a better rule could gain

The default against a rule over the same signals that was fitted to each set's own labels (`benchmarks/ceiling.py`; five-fold
cross-validation, rows with the same evidence in one fold, at most {limit} rows a set). The fitted rule has seen labels of the
set that it is measured on, which no checker has: it shows what the signals hold, and where it is no better, only a better
model helps. {made}.

"""


def _ceiling(found: Result, order: Sequence[str]) -> str:
    rows = [
        [
            name,
            *(wide(figure_of(one[key])) for key in ("default", "fitted")),
            wide(figure_of(one["difference"]), sign=True),
        ]
        for name, one in ((name, found["sets"][name]) for name in order if name in found["sets"])
    ]
    means = [
        mean_figure([figure_of(one[key]) for one in found["sets"].values()])
        for key in ("default", "fitted", "difference")
    ]
    rows.append(["**mean**", *(wide(mean, sign=n == 2) for n, mean in enumerate(means))])
    intro = CEILING.format(limit=found["limit"], made=_made(found).capitalize())
    return intro + table(["set", "default", "fitted to the set", "difference"], rows)


JOINING = """
## An answer's claims

How the scores of an answer's claims become the answer's (`benchmarks/joining.py`), settled on data that is free to tune
on: neighbouring claims of the model responses in {set}, put together again to answers of several sentences over the
passages of all of them; supported when every claim is. AUC, intervals over answers. The product is that of independent
claims; the default takes the minimum, because then score, label and the marks beside the sentences never disagree.
{made}.

"""


def _joining(found: Result) -> str:
    ways = list(found["claims"]["all"]["auc"])
    rows = []
    for name, measured in found["claims"].items():
        cells = [wide(figure_of(measured["auc"][way])) for way in ways]
        rows.append([name, str(measured["n"]), str(measured["supported"]), *cells])
    intro = JOINING.format(set=found["set"], made=_made(found).capitalize())
    return intro + table(["claims", "answers", "supported", *ways], rows)


FLIPS = """
## One changed number

{pairs} sentences with a number, from running text that the model was not trained on (web passages, abstracts, reports),
about as many of each kind of number; no label of those sets is used. The evidence is the sentence with its neighbours.
Each is asked twice, lightly reworded alike (in {verbatim} no rewording applied): as it is, and with one number changed
(`benchmarks/flips.py`). **Caught at 5 % alarms** is the share of changed sentences under the one threshold that
rejects at most 5 % of the unchanged ones; it is read off these very rows. The last three columns need no such choice:
at the default threshold the shares of changed sentences caught and of unchanged ones rejected, and how often a sentence
scores higher than its changed twin. Intervals are over pairs. {made}.

"""
SYSTEMS = {
    "default": "default",
    "alone": "model alone",
    "numbers": "no model: share of the sentence's numbers that stand in the evidence",
}
COLUMNS = ("caught", "caught_at_default", "alarms_at_default", "ranked")
HEAD = ("n", "caught at 5 % alarms", "caught at .5", "rejected at .5", "ranked rightly")


def _flips(found: Result) -> str:
    systems = found["systems"]
    overall = [
        [SYSTEMS[name], *_flip_row(system["by"]["all"], figure_of(system["caught"]).to_dict())]
        for name, system in systems.items()
    ]
    by = systems["default"]["by"]
    groups = [*sorted(found["kinds"]), *sorted(found["changes"])]
    return (
        FLIPS.format(pairs=found["pairs"], verbatim=found["verbatim"], made=_made(found).capitalize())
        + table(["system", *HEAD], overall)
        + "\nThe default by kind of number, then by what became of it (near: a small step; far: half to tenfold; other:"
        + "\nanother number of the same kind from the same evidence; shifted: a year by 1 to 30; transposed: two digits):\n\n"
        + table(["", *HEAD], [[name, *_flip_row(by[name], by[name]["caught"])] for name in groups])
    )


def _flip_row(shares: Result, caught: Result) -> list[str]:
    return [str(shares["n"]), share(caught), *(share(shares[name]) for name in COLUMNS[1:])]


FRAMINGS = """
## The same, put otherwise

{claims} claims that the model was not trained on, each asked as it is and then as models and pages write it, which changes
nothing of what is said (`benchmarks/framings.py`). **Kept**: the share of the supported claims that stay over the threshold;
**turned**: the share of all verdicts that change between supported and not. *As written* is `default(plain=no)`, which reads
markup and frames as part of the claim. As they are, the claims rank at {auc} and {kept} of the supported ones are over the
threshold. The rules and the training know the kinds of frames, not these claims; those under *not foreseen* stand in neither.
{made}.

"""


def _framings(found: Result) -> str:
    ours, written = found["systems"]["default"], found["systems"]["as written"]
    rows = []
    for group, frames in ours["groups"].items():
        rows.append([f"*{group}*", "", "", "", "", ""])
        for name, figures in frames.items():
            before = written["groups"][group][name]
            cells = [number(one["auc"]["value"]) for one in (figures, before)]
            cells.append(wide(figure_of(figures["difference"]), sign=True))
            shares = [f"{100 * one[key]['value']:.1f} %" for key in ("kept", "turned") for one in (figures, before)]
            rows.append([name.replace("|", "\\|"), *cells, f"{shares[0]} ({shares[1]})", f"{shares[2]} ({shares[3]})"])
    head = [
        "put",
        "AUC",
        "as written",
        "difference to the claims as they are",
        "kept (as written)",
        "turned (as written)",
    ]
    plain = ours["plain"]
    auc, kept = wide(figure_of(plain["auc"])), f"{100 * plain['kept']['value']:.1f} %"
    made = _made(found).capitalize()
    return FRAMINGS.format(claims=found["claims"], auc=auc, kept=kept, made=made) + table(head, rows)


FIRST_MINUTE = """
## What people try first

{rows} answers to a few short sentences each, written by hand for this (`benchmarks/first_minute.py`): 60 subjects, each with
a supported paraphrase, two answers that the texts deny (by a negation or an opposite; by another value, name or role) and one
that they leave open. Its writer had not seen what the model is trained on, and words in common do not separate the classes,
so *overlap* is at chance. Nothing is fitted to it, but its figures were seen while these weights and signals were chosen.
Three-way: the share of answers with the right one of three labels, where guessing the commonest gives .5. Intervals are over
subjects. {made}.

"""


def _first_minute(found: Result) -> str:
    names = {
        "default": "default",
        "alone": "model alone",
        "overlap": "no model: share of words and word pairs in the texts",
    }
    figures = ("auc", "balanced_accuracy", "three_way")
    rows = [
        [names[name], *(wide(figure_of(system[key])) if key in system else "" for key in figures)]
        for name, system in ((name, found["systems"][name]) for name in names)
    ]
    classes = {"supports": "supported", "refutes": "denied", "nei": "left open"}
    by = [
        [names[name], *(share(found["systems"][name]["by_class"][key]) for key in classes)]
        for name in ("default", "alone")
    ]
    return (
        FIRST_MINUTE.format(rows=found["rows"], made=_made(found).capitalize())
        + table(["system", "AUC", "balanced accuracy at .5", "three-way accuracy"], rows)
        + "\nThe share of each kind of answer that gets its own label:\n\n"
        + table(["system", *classes.values()], by)
    )


SPANS = """
## Which words are not backed

Claims that are not supported and whose wrong words are known (`benchmarks/spans.py`): precision, recall and F1 of the
marked words, intervals over claims. *absent* marks every word that stands in no context, *all* every word. On minimal
pairs the threshold of the marks was fitted, so those figures are of a fit; `wice-tokens-dev` was marked by people and is
for evaluation only. {made}.

"""


def _spans(found: Result) -> str:
    rows = []
    for name, measured in found["sets"].items():
        size = f"{measured['claims']} claims, {measured['words_not_backed']} of {measured['words']} words"
        for system, figures in measured["systems"].items():
            cells = [wide(figure_of(figures[key])) for key in ("precision", "recall", "f1")]
            rows.append([f"{name} ({size})", system, *cells])
    return SPANS.format(made=_made(found).capitalize()) + table(["set", "marked by", "precision", "recall", "F1"], rows)


DISTRACTORS = """
## Distractors

How many verdicts of the default recipe change when contexts of the other sets of this table, which have nothing to
do with the answer, are added at random places (`benchmarks/distractors.py`). A claim flips when its label changes;
an answer when it changes between grounded and not.

"""


def _distractors(found: Result) -> str:
    rows = []
    for name, by_count in found["flips"].items():
        five, twenty = by_count["5"], by_count["20"]
        shares = (five["claim_flips"], twenty["claim_flips"], five["grounded_flips"], twenty["grounded_flips"])
        rows.append([name, f"{five['answers']:.0f}", f"{five['claims']:.0f}", *(f"{share:.1%}" for share in shares)])
    head = ["set", "answers", "claims", "claims flipped, +5", "+20", "answers flipped, +5", "+20"]
    return DISTRACTORS + table(head, rows)


RERANK = """
## Ranking passages

The model's other readings: BM25's first {depth} passages of {queries} queries (TREC Deep Learning 2019, judgements of the
passages in the pool) ranked again (`benchmarks/rerank.py`). nDCG@{k} as trec_eval computes it; intervals over queries, the
difference paired. *Vectors* is what `bm25+mini:cosine` ranks by: the cosine of query and passage, each read alone. *Both* is
what `bm25+mini` does: BM25's score (here that of the whole collection), standardised within the query, counts {weight:g}, the
cosine the rest, which was not tuned on this set. {made}; {logit:.0f} pairs a second read together, {vectors:.0f} passages a
second read alone.

"""
RANKERS = {
    "bm25": "BM25",
    "logit": "relevance logit",
    "vectors": "vectors",
    "both": "BM25 and vectors",
    "best possible": "best order of the same passages",
}


def _rerank(found: Result) -> str:
    rows = []
    for name, figure in found["ndcg"].items():
        difference = found["difference"].get(name)
        apart = ["", ""]
        if difference:
            apart = [wide(figure_of(difference), sign=True), f"{difference['better']} / {difference['worse']}"]
        rows.append([RANKERS[name], wide(figure_of(figure)), *apart])
    intro = RERANK.format(
        depth=found["depth"],
        queries=found["queries"],
        k=found["k"],
        made=_made(found).capitalize(),
        weight=found["weight_of_bm25"],
        **found["passages_per_second"],
    )
    return intro + table(["ranked by", f"nDCG@{found['k']}", "over BM25", "queries better / worse"], rows)


CALIBRATION = """
## Calibration

The default's score is a probability. Cross-validated in five folds on the {n:.0f} claims that the fusion is fitted on (none
of them in an evaluation set, none seen by the model), its expected calibration error over ten bins is **{ece}**: so far, on
average, does the score stand from the share that is supported. Sets and classes weigh the same, so it speaks of balanced
data of those kinds; where support is rarer, so is it at each score. The AUC on the same claims, and, in the last column, with
a rule that was fitted on the other kinds alone (*written*: claims over documents of registers that the model was not trained
on, `groundwire.training.written`, which words in common do not tell apart):

"""


def _calibration(fusion: Result) -> str:
    found = fusion["cross_validated"]
    groups = sorted(name.partition("/")[2] for name in found if name.startswith("auc_fused/"))
    others = fusion.get("fitted_on_the_others", {})
    rows = [["all", *(number(found[f"auc_{s}"]) for s in ("overlap", "supports", "fused")), ""]]
    rows += [
        [
            group,
            *(number(found.get(f"auc_{s}/{group}")) for s in ("overlap", "supports", "fused")),
            number(others.get(group)),
        ]
        for group in groups
    ]
    intro = CALIBRATION.format(n=found["n"], ece=number(found["ece"]))
    return intro + table(["claims of", "overlap", "model", "default", "fitted on the others"], rows)


CHATTER = """
## What is nothing to check

Whether a sentence states anything, by the regression over its words that `groundwire.training.chatter` fits to
{sentences:.0f} sentences of conversations and assistants' answers, written and labelled for it, and to {claims:.0f} claims on
documents. Cross-validated, replies kept whole: it finds {chatter_found:.1%} of the chatter, and takes {statements_lost:.1%} of
the replies' statements and {claims_lost:.2%} of the claims for it. The threshold was set for the last two.
"""


def _chatter(fitted: Result) -> str:
    return CHATTER.format(**fitted["cross_validated"])
