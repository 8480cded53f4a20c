// The threshold as a slider over the sentences' scores: what lies to its right is supported. Labels follow while it moves.
//
// Left out: the rule that labels (`labels.js`).

import { clamp, h, number, s } from "./dom.js";
import { labelOf } from "./labels.js";

const RADIUS = 8;
const HIGH = 66;
const ROWS = 3;
const MOST = 400;

// Returns {box, update(record)}; `moved(threshold)` is told of every move. `start` is the server's own threshold.
export const ruler = (start, moved) => {
  const slider = h("input", { type: "range", min: 0, max: 1, step: 0.01, value: start, id: "threshold" });
  const output = h("output", { for: "threshold" });
  const plot = s("svg", { class: "dots", width: "100%", height: HIGH, "aria-hidden": "true" });
  const back = h("button", { type: "button", class: "bare", hidden: true }, `back to ${number(start)}`);
  const set = (value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  };
  back.addEventListener("click", () => {
    set(start);
    slider.focus();
  });
  slider.addEventListener("input", () => moved(Number(slider.value)));
  const box = h(
    "div",
    { class: "ruler" },
    h("div", { class: "row" }, h("label", { for: "threshold" }, "Threshold"), output, back),
    plot,
    slider,
    scale(),
  );
  const update = (record) => {
    const at = record.threshold;
    output.value = number(at);
    back.hidden = Math.abs(at - start) < 0.005;
    slider.setAttribute("aria-valuetext", `${number(at)}: ${spoken(record)}`);
    plot.replaceChildren(...dots(record, at, plot.clientWidth || 600));
  };
  return { box, update };
};

const spoken = (record) => {
  const held = record.claims.filter((claim) => claim.verdict === "supported").length;
  return `${held} of ${record.claims.length} sentences supported, the answer ${labelOf(record.verdict).name}`;
};

const scale = () =>
  h(
    "div",
    { class: "scale small soft", "aria-hidden": "true" },
    h("span", null, "0 not grounded"),
    h("span", null, "score"),
    h("span", null, "grounded 1"),
  );

// A dot a sentence at its score; those that would touch stand above each other.
const dots = (record, threshold, wide) => {
  const near = (2 * RADIUS + 2) / wide;
  const percent = (value) => `${(clamp(value, 0, 1) * 100).toFixed(2)}%`;
  const scored = record.claims.map((claim, n) => ({ claim, n })).filter(({ claim }) => claim.score !== null);
  const taken = Array(ROWS).fill(-1);
  const drawn = [...scored]
    .sort((a, b) => a.claim.score - b.claim.score)
    .slice(0, MOST)
    .map(({ claim, n }) => {
      const free = taken.findIndex((at) => claim.score - at >= near);
      const row = free < 0 ? ROWS - 1 : free;
      taken[row] = claim.score;
      const { look } = labelOf(claim.verdict);
      const y = HIGH - 12 - row * (2 * RADIUS + 3);
      return s(
        "g",
        { class: `dot ${look}` },
        s("circle", { cx: percent(claim.score), cy: y, r: RADIUS }),
        s("text", { x: percent(claim.score), y: y + 3.5, "text-anchor": "middle" }, n < 99 ? n + 1 : "·"),
      );
    });
  const held = s("rect", { class: "held", x: percent(threshold), y: 0, width: percent(1 - threshold), height: HIGH });
  const line = s("line", { class: "cut", x1: percent(threshold), x2: percent(threshold), y1: 0, y2: HIGH });
  return [held, line, ...drawn];
};
