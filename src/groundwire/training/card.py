"""The model card of the built-in checker, from the list of sources and the figures of an export.

Leaves out: figures on evaluation sets, which `groundwire eval` measures and docs/quality.md shows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groundwire.training.mixture import load_mixture
from groundwire.training.sources import SOURCES

HEAD = """# mini: Groundwire's built-in checker

A cross-encoder of 22.9 million parameters: (evidence, claim) → supports, refutes, not enough info; the relevance of
the evidence to the text; and, for every word of the claim, whether the evidence fails to back it. One pass gives all. The same
weights also make a vector of a text alone, to find and rank passages by.

- Body: all-MiniLM-L6-v2 (Apache-2.0), 6 layers of 384, fine-tuned with its word embeddings frozen. Licence of these
  weights: Apache-2.0.
- To each token's embedding is added one of four for how long a run of tokens it shares with the other text (none, one,
  two, three and more): the graph computes it, the layers judge what the difference means.
- Input: `[CLS] evidence [SEP] claim [SEP]`, lower-cased WordPiece, token types 0 and 1. Trained at up to 384 tokens,
  accepts 512.
- Output `logits` [batch, 4]: supports, refutes, not enough info (softmax over these three), relevance (sigmoid).
- Output `token_logits` [batch, length]: above 0 says "not backed", read on claim tokens only.
- Output `vector` [batch, 384]: a text that goes in alone (token types 0) gives its vector of length 1, the mean over its
  tokens; two texts are as near as their inner product. Trained to stay like all-MiniLM-L6-v2's own vectors, up to 128 tokens.
- Weights are stored as int8 per channel (weight-only) and computed in the runtime's floats.
"""

DATA = """Human-labelled pairs (often among evidence of other rows); questions and answers turned into claims; minimal
pairs made from the prose of the same sets: one number, date, name, role, word or negation changed, and every changed
wording also stands as a supported claim over evidence changed alike; digests of longer prose, which compress, merge and
reorder its sentences, and their twins; a sentence of prose alone, beside its neighbour, and the neighbour alone,
against the sentence and its denial; small worlds, which are drawn facts told in a sentence or two with claims that they
back, deny or leave open (made from templates of ours, no set behind them); claims written by hand on documents of one
sentence to 800 words that were written for this (news, dialogues, meetings, manuals, laws, papers, leaflets, stories,
also such that say what is not so; sentences about one word and what it amounts to, or about one way in which statements
follow from each other) and on passages of the sets below, as a model would sum them up, answer from them or reply,
rightly or with one thing wrong, with figures, dates and units in all their spellings, against a whole passage, a window
of it, or the few sentences that a checker gathers; answers to questions of these sets that were written from memory,
each sentence judged by the passage that had not been read; what was told of passages of these sets by somebody who saw
them with a third to a half of their words missing, each sentence judged by the whole passage; what was right of that
once more in other words and with one small thing changed; statements in two versions that say the opposite, with claims
that one backs and the other denies; pairs of sentences, one right and one wrong, that put together what stands in a
text; two of all these claims in one sentence; and questions with passages, graded by the embeddings of the base model.
In the last runs three claims in ten stood in a frame (an attribution to the evidence, a word that follows on, a list's
mark, a slip of the keyboard) and one text in eight under a title, in tags, in JSON or in broken lines. Once a larger
network (the body of all-mpnet-base-v2, Apache-2.0, trained on the same samples) read every batch, and its probabilities
were learned: of 470,000 labelled samples, and of 1.2 million pairs that nobody labelled, made of the texts of these
sets (claims on passages near them, with words exchanged, on evidence that lacks a sentence). The ten runs since, of
714,000 samples in all, were for two claims in one sentence, for what was told from a glimpse, for that in other words
and with a small change, for statements and their opposites, for what puts a text together, and for what is said of it
in talk; after the second and after the fifth a third of the weights before was mixed in, after the sixth and the
seventh half of the fifth's mean, after the eighth half of the weights before, after the ninth two thirds, after the
tenth a third. In the last runs the vectors of single texts
were held to the base model's. Rows that repeat an evaluation set's claim or passage were dropped. Every set was
admitted by hand:
"""

LIMITS = """## What it is bad at

- It is small and saw some 4 million pairs, many of them more than once, not tens of millions: inference over several
  sentences, arithmetic, counting, tables with many rows, and world knowledge are beyond it. Its scores are meant to be
  read together with exact lexical evidence, as the default recipe does, not alone.
- English only. Code, formulas and other languages were not trained.
- Long evidence: it was trained on windows of 30 to 250 words, most of them under 160; hand it windows, not documents.
- "Refutes" against "not enough info" is blurred: half of its refuting pairs are sentences with one fact exchanged, and
  a fact that is merely absent is sometimes called refuted.
- Paraphrase: since it learned from written documents it reads what is said in other words far better than before (a claim
  over a document of a register that it had not seen is ranked at .89 instead of .68), and still not well: on the summaries,
  answers and claims of public sets it gained much less, and at its threshold it calls too much of them supported.
- A sentence that is nearly right: what somebody told of a text that was seen with gaps, nearly all of its words the text's and
  a small one guessed, is ranked at .77, and so is a sentence that condenses a text against its twin with one small change
  (words in common .55 and .50); about half of the wrong ones pass at the default threshold, of the small changes six in ten.
- Negation and opposites: of two versions of a statement, one of which backs a claim and the other denies it, the right one
  gets the higher score in 79 of 100 (a coin: 50); worst where scope decides (all, only, unless, hardly).
- What puts a text together wrongly (a deed given to another person of the text, two facts fused, one item too many in a list):
  of such a sentence and its right twin, both of the text's own words, the right one gets the higher score in 80 of 100, and
  in 64 where the sentence sums up many places; at the default threshold half to two thirds of the wrong ones pass.
- A sentence that says two things of which one is wrong: two written claims on one document, joined by "and", are ranked at .82
  (both right against not; .73 before such sentences were learned, when the two read one by one were ranked at .90).
- Several steps of reasoning, sums and comparisons over a table, conditions with exceptions, and claims over several
  passages are mostly beyond it. Yes-or-no questions and wrong answers taken from the same passage are read poorly.
- The written documents are of few hands. What they tell is invented or was not looked up, some of it false on purpose: they
  teach reading and no facts.
- Relevance: its logit separates a question's own passage from others, but does not order the passages of a good retriever;
  its vectors do that better (docs/quality.md).
- The training sets carry the biases of their authors and of Wikipedia and news prose.
"""


def sources_table() -> str:
    """Training data with licences and citations, as a Markdown table."""
    mixture = load_mixture()
    lines = ["| set | licence | citation | used for |", "|---|---|---|---|"]
    for name, source in sorted(SOURCES.items()):
        uses = [kind for kind, found in mixture.counts.items() if name in found]
        uses += ["fusion and threshold only"] if name in mixture.fusion else []
        lines.append(f"| {name} | {source.licence} | {source.citation} | {', '.join(uses) or '–'} |")
    return "\n".join(lines)


def figures_table(report: dict[str, Any]) -> str:
    """Validation figures (held-out passages of the training sets) as a Markdown table."""
    int8 = report["int8"]
    rows = [
        ("AUC, supported against not", int8["auc"]),
        ("three-way accuracy", int8["accuracy3"]),
        ("AUC, relevance", int8["auc_relevance"]),
        ("changed numbers and dates caught at 5 % false alarms", int8["caught_at_5"]),
        ("F1 of unbacked words on edited claims", int8["token_f1"]),
    ]
    by = [(f"AUC, {name.removeprefix('op:')}", value) for name, value in int8["auc_by"].items()]
    return "\n".join(
        ["| figure | value |", "|---|--:|", *(f"| {n} | {v:.3f} |" for n, v in rows + by if v is not None)]
    )


def _mean_of(runs: int) -> str:
    """Say that the weights are a mean, where they are."""
    return f"; the weights are the mean of {runs} of them" if runs > 1 else ""


def write_card(path: Path, report: dict[str, Any]) -> None:
    """Write CARD.md from an export's report."""
    cost, progress = report["cost"], report["progress"]
    parts = (
        HEAD,
        f"## Data\n\n{progress['samples']:,} samples, in runs that began where the last one ended"
        f"{_mean_of(progress['averaged'])}. {DATA}",
        sources_table(),
        f"## Figures\n\nOn {report['samples']:,} held-out samples of the training sets (no passage on both sides),\n"
        f"at step {progress['step']} of {progress['steps']}:",
        figures_table(report),
        f"Storing the weights as int8 costs {cost['auc']:+.4f} AUC. p(supports) agrees with fp32 at Pearson\n"
        f"{cost['pearson']:.5f} and Spearman {cost['spearman']:.5f}; mean difference {cost['mean_difference']:.4f}, "
        f"largest {cost['largest_difference']:.3f}.\nFigures on evaluation sets: docs/quality.md.",
        LIMITS,
    )
    path.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
