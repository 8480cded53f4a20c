// The stage that makes one score of what was found: the fused rule's sum, term by term, or a named policy over the sources.
//
// Left out: the other stages (`waterfall.js`).

import { number, s } from "./dom.js";

const NAMES = {
  bias: "start",
  backed: "backed, and relevant",
  overlap_relevant: "words shared",
  refutes: "refuted anywhere",
  refutes_best: "refuted by the best",
  numbers_missing: "numbers not found",
  names_missing: "names not found",
};
const WIDE = 340;
const LEFT = 142;
const RIGHT = 46;
const ROW = 22;
const TOLERANCE = 0.002;

export const sigmoid = (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));

// What each signal adds to the log-odds, the largest first behind the start; null where it does not come to the score.
export const contributions = (claim, fusion) => {
  const names = Object.keys(fusion?.weights ?? {});
  if (!names.length || !names.every((name) => Number.isFinite(claim.signals?.[name]))) return null;
  const parts = names
    .map((name) => [name, fusion.weights[name] * claim.signals[name]])
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const all = [["bias", fusion.bias], ...parts];
  const total = all.reduce((sum, [, part]) => sum + part, 0);
  return Math.abs(sigmoid(total) - claim.score) < TOLERANCE ? { parts: all, total } : null;
};

export const aggregation = (claim, found, about) => {
  const name = "Aggregation";
  const sum = contributions(claim, about?.fusion);
  if (sum) {
    const rows = sum.parts.map(([key, part]) => [NAMES[key] ?? key, signed(part)]);
    return {
      name,
      drawing: drawn(sum),
      note: `What each signal adds to the log-odds; ${signed(sum.total)} is a score of ${number(claim.score)}.`,
      rows: [...rows, ["log-odds in all", signed(sum.total)], ["score", number(claim.score, 4)]],
    };
  }
  const policy = {
    max: "The largest support of any source",
    min: "The smallest support of any source",
    weighted: "The mean of the supports by weight",
    mean: "The mean of the supports",
  }[about?.over_sources];
  const note = `${policy ?? "The sources' readings together"}: ${number(claim.score)}${found.length ? "" : "."}`;
  return { name, drawing: one(claim.score), note, rows: [["score", number(claim.score, 4)]] };
};

const signed = (value) => (value > 0 ? "+" : "") + number(value);

const one = (score) =>
  s(
    "svg",
    { class: "steps", viewBox: "0 0 220 24", role: "img", "aria-label": `score ${number(score)}` },
    s("rect", { class: "trough", x: 0, y: 5, width: 180, height: 13, rx: 2 }),
    s("rect", { class: "part plain", x: 0, y: 5, width: (180 * score).toFixed(1), height: 13, rx: 2 }),
    s("text", { class: "strong", x: 220, y: 16, "text-anchor": "end" }, number(score)),
  );

const drawn = ({ parts, total }) => {
  const seen = parts.filter(([, part]) => Math.abs(part) >= 0.005);
  const ends = seen.reduce((sums, [, part]) => [...sums, sums.at(-1) + part], [0]);
  const [low, high] = [Math.min(...ends, 0), Math.max(...ends, 0)];
  const across = (x) => LEFT + ((x - low) / Math.max(high - low, 1e-9)) * (WIDE - LEFT - RIGHT);
  const rows = seen.map(([key, part], n) => step(NAMES[key] ?? key, ends[n], part, n, across));
  const last = seen.length;
  const height = (last + 1) * ROW + 6;
  const spoken = seen.map(([key, part]) => `${NAMES[key] ?? key} ${signed(part)}`).join(", ");
  return s(
    "svg",
    {
      class: "steps wide",
      viewBox: `0 0 ${WIDE} ${height}`,
      role: "img",
      "aria-label": `log-odds: ${spoken}; in all ${signed(total)}`,
    },
    s("line", { class: "zero", x1: across(0), x2: across(0), y1: 0, y2: height }),
    rows,
    s("text", { class: "strong", x: 0, y: last * ROW + 18 }, "log-odds in all"),
    s("circle", {
      class: total >= 0 ? "end supported" : "end contradicted",
      cx: across(total).toFixed(1),
      cy: last * ROW + 14,
      r: 5,
    }),
    s("text", { class: "strong", x: WIDE, y: last * ROW + 18, "text-anchor": "end" }, signed(total)),
  );
};

const step = (name, from, part, n, across) => {
  const [a, b] = [across(Math.min(from, from + part)), across(Math.max(from, from + part))];
  const y = n * ROW + 3;
  const look = part >= 0 ? "supported" : "contradicted";
  const joint = across(from + part).toFixed(1);
  return [
    s("text", { x: 0, y: y + 12 }, name),
    s("rect", { class: `part ${look}`, x: a.toFixed(1), y, width: Math.max(b - a, 1.5).toFixed(1), height: 15 }),
    s("line", { class: "joint", x1: joint, x2: joint, y1: y + 15, y2: y + ROW }),
    s("text", { class: "strong", x: WIDE, y: y + 12, "text-anchor": "end" }, signed(part)),
  ];
};
