// How one sentence's score came about: relevance, selection weight, entailment, aggregation, threshold.
//
// Every number that is drawn also stands in a table. Left out: the evidence's words.

import { clamp, h, number, s } from "./dom.js";
import { aggregation, sigmoid } from "./fusion.js";
import { labelOf } from "./labels.js";
import { bar, told } from "./readings.js";

const WIDE = 220;
const WIDER = 340;
const ROW = 24;
const MOST = 4;

// The five stages of a claim at a threshold; nothing for one that was not scored. `about` is what the server said of
// its rule.
export const waterfall = (claim, threshold, about) => {
  if (claim.score === null || claim.score === undefined) return null;
  const found = placed((claim.evidence ?? []).slice(0, MOST));
  const stages = [
    relevance(found, claim),
    weights(found),
    entailment(found, claim),
    aggregation(claim, found, about),
    decision(claim, threshold),
  ];
  return h(
    "div",
    { class: "waterfall" },
    h(
      "ol",
      { class: "stages" },
      stages.map(({ name, drawing, note }) =>
        h(
          "li",
          { class: `stage ${drawing ? "" : "bare"}` },
          h("h4", null, name),
          drawing,
          h("p", { class: "soft small" }, note),
        ),
      ),
    ),
    h(
      "details",
      { class: "more" },
      h("summary", null, "The same numbers as a table"),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers of the score" }, table(stages)),
    ),
  );
};

const table = (stages) => {
  const rows = stages.flatMap(({ name, rows }) =>
    rows.map(([what, value], n) =>
      h(
        "tr",
        null,
        h("td", null, n ? "" : name),
        h("th", { scope: "row" }, h("bdi", null, what)),
        h("td", null, value),
      ),
    ),
  );
  return h(
    "table",
    { class: "numbers" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        ["Step", "Of", "Value"].map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h("tbody", null, rows),
  );
};

// The context of a piece of evidence; several of one context are told apart by letters.
const placed = (found) =>
  found.map((evidence, n) => {
    const same = found.filter((other) => other.index === evidence.index);
    const letter = same.length > 1 ? "abcd"[same.indexOf(found[n])] : "";
    return { ...evidence, place: `[${evidence.index + 1}]${letter}` };
  });

const place = (evidence) => evidence.place;

const relevance = (found, claim) => {
  const name = "Relevance";
  const ranked = found.filter((evidence) => Number.isFinite(evidence.relevance));
  const known = claim.signals?.relevance;
  if (ranked.length) {
    const shown = ranked.map((e) => [place(e), sigmoid(e.relevance), number(e.relevance)]);
    return {
      name,
      drawing: bars(shown, name),
      note: "Raw logits of the sources; a bar is their probability.",
      rows: ranked.map((e) => [place(e), number(e.relevance, 3)]),
    };
  }
  if (!Number.isFinite(known))
    return {
      name,
      drawing: null,
      note: "Sources are not ranked by this recipe.",
      rows: [["all sources", "not ranked"]],
    };
  return {
    name,
    drawing: bars([["best", sigmoid(known), number(known)]], name),
    note: "How much the most relevant text has to do with the sentence (logit).",
    rows: [["most relevant text, logit", number(known, 3)]],
  };
};

const weights = (found) => {
  const name = "Selection weight";
  const weighed = found.filter((evidence) => Number.isFinite(evidence.weight));
  if (!weighed.length) return { name, drawing: null, note: "No weights were told.", rows: [["all sources", "–"]] };
  return {
    name,
    drawing: bars(
      weighed.map((e) => [place(e), e.weight, number(e.weight)]),
      name,
    ),
    note: "The share of each source in what was judged.",
    rows: weighed.map((e) => [place(e), number(e.weight, 3)]),
  };
};

const entailment = (found, claim) => {
  const name = "Entailment";
  const cited = (claim.citations ?? []).slice(0, MOST).map((c) => ({ index: c.index, supports: c.score }));
  const read = found.length ? found : placed(cited);
  if (!read.length) return { name, drawing: null, note: "Nothing was judged.", rows: [["all sources", "–"]] };
  const height = read.length * ROW;
  const rows = read.map((e, n) => {
    const group = s("g", { transform: `translate(34 ${n * ROW + 5})` }, bar(e, WIDE - 74, 13));
    return [label(place(e), 0, n), group, value(number(e.supports), n)];
  });
  const spoken = read.map((e) => `${place(e)} ${told(e)}`);
  return {
    name,
    drawing: svg(height, WIDE, `${name}: ${spoken.join("; ")}`, rows),
    note: "Supports, leaves open, refutes; the number is support.",
    rows: read.map((e) => [place(e), told(e)]),
  };
};

const decision = (claim, threshold) => {
  const name = "Threshold";
  const held = claim.score >= threshold;
  const { look, name: label_, mark } = labelOf(claim.verdict);
  const across = (x) => (clamp(x, 0, 1) * (WIDER - 4) + 2).toFixed(1);
  const drawing = svg(58, WIDER, `score ${number(claim.score)}, threshold ${number(threshold)}: ${label_}`, [
    s("rect", { class: "trough", x: 2, y: 20, width: WIDER - 4, height: 14, rx: 3 }),
    s("rect", {
      class: `part ${look}`,
      x: 2,
      y: 20,
      width: (clamp(claim.score, 0, 1) * (WIDER - 4)).toFixed(1),
      height: 14,
      rx: 3,
    }),
    s("line", { class: "cut", x1: across(threshold), x2: across(threshold), y1: 12, y2: 42 }),
    s("text", { x: across(clamp(threshold, 0.06, 0.94)), y: 9, "text-anchor": "middle" }, number(threshold)),
    s(
      "text",
      { class: "strong", x: across(clamp(claim.score, 0.05, 0.95)), y: 54, "text-anchor": "middle" },
      number(claim.score),
    ),
  ]);
  const note = `${number(claim.score)} ${held ? "≥" : "<"} ${number(threshold)}: ${mark} ${label_}.`;
  return {
    name,
    drawing,
    note,
    rows: [
      ["score", number(claim.score, 4)],
      ["threshold", number(threshold)],
      ["state", label_],
    ],
  };
};

// Rows of {label, share in 0 to 1, value}.
const bars = (rows, name) =>
  svg(
    rows.length * ROW,
    WIDE,
    `${name}: ${rows.map(([what, , said]) => `${what} ${said}`).join(", ")}`,
    rows.map(([what, share, said], n) => [
      label(what, 0, n),
      s("rect", { class: "trough", x: 34, y: n * ROW + 5, width: WIDE - 74, height: 13, rx: 2 }),
      s("rect", {
        class: "part plain",
        x: 34,
        y: n * ROW + 5,
        width: (clamp(share, 0, 1) * (WIDE - 74)).toFixed(1),
        height: 13,
        rx: 2,
      }),
      value(said, n),
    ]),
  );

const label = (text, x, n) => s("text", { x, y: n * ROW + 16 }, text);
const value = (text, n) => s("text", { class: "strong", x: WIDE, y: n * ROW + 16, "text-anchor": "end" }, text);
const svg = (height, wide, told_, ...children) =>
  s(
    "svg",
    { class: wide > WIDE ? "steps wide" : "steps", viewBox: `0 0 ${wide} ${height}`, role: "img", "aria-label": told_ },
    children,
  );
