// Small courses over time, drawn as SVG, each with its course in words. Left out: what is measured.

import { clamp, h, number, s } from "./dom.js";
import { LABELS, ORDER } from "./labels.js";

// A course of [x, y] points, 0 at the bottom.
export const sparkline = (points, name) => {
  const [wide, high] = [220, 44];
  const last = points.at(-1)[1];
  const top = Math.max(...points.map(([, y]) => y), 1e-9);
  const first = points[0][0];
  const span = Math.max(points.at(-1)[0] - first, 1e-9);
  const at = ([x, y]) =>
    `${(((x - first) / span) * (wide - 6) + 1).toFixed(1)} ${(high - 3 - (clamp(y, 0, top) / top) * (high - 8)).toFixed(1)}`;
  const line = points.map(at).join("L");
  const [x, y] = at(points.at(-1)).split(" ");
  return s(
    "svg",
    {
      class: "spark",
      viewBox: `0 0 ${wide} ${high}`,
      role: "img",
      "aria-label": `${name}: from ${number(points[0][1], 0)} to ${number(last, 0)}, at most ${number(top, 0)}`,
    },
    s("path", { class: "area", d: `M1 ${high}L${line}L${x} ${high}Z` }),
    s("path", { class: "line", d: `M${line}` }),
    s("circle", { class: "now", cx: x, cy: y, r: 3 }),
  );
};

// Bars of counts by verdict, one a step of time; many steps are joined.
export const stacked = (steps, history) => {
  const joined = bundled(steps, 60);
  const [wide, high] = [720, 120];
  const top = Math.max(...joined.map((step) => step.reduce((a, b) => a + b, 0)), 1);
  const each = wide / Math.max(joined.length, 12);
  const bars = joined.flatMap((step, n) => {
    let y = high;
    return step.map((count, k) => {
      const tall = (count / top) * (high - 4);
      y -= tall;
      const x = n * each + 1;
      const rect = count
        ? s("rect", {
            class: `part ${LABELS[ORDER[k]].look}`,
            x: x.toFixed(1),
            y: y.toFixed(1),
            width: Math.max(each - 2, 1).toFixed(1),
            height: tall.toFixed(1),
          })
        : null;
      return ORDER[k] === "contradicted" && count ? [rect, slanted(x, y, Math.max(each - 2, 1), tall)] : rect;
    });
  });
  const span = history.length > 1 ? history.at(-1).at - history[0].at : 0;
  const told = ORDER.map(
    (verdict, k) => `${joined.reduce((sum, step) => sum + step[k], 0)} ${LABELS[verdict].name}`,
  ).join(", ");
  return h(
    "figure",
    { class: "over" },
    s(
      "svg",
      {
        preserveAspectRatio: "none",
        viewBox: `0 0 ${wide} ${high}`,
        role: "img",
        "aria-label": `in ${minutes(span)}: ${told}`,
      },
      s("line", { class: "zero", x1: 0, x2: wide, y1: high, y2: high }),
      bars,
    ),
    h(
      "figcaption",
      { class: "soft small" },
      h("span", null, `${minutes(span)} ago`),
      h("span", null, `at most ${number(top, 0)} a step`),
      h("span", null, "now"),
    ),
  );
};

// Slanted lines over a bar, so that it is told apart without colour.
const slanted = (x, y, wide, tall) => {
  const lines = [];
  for (let at = y + 3; at < y + tall; at += 5)
    lines.push(`M${x.toFixed(1)} ${at.toFixed(1)}l${wide.toFixed(1)} ${-Math.min(3, at - y).toFixed(1)}`);
  return lines.length ? s("path", { class: "hatch", d: lines.join("") }) : null;
};

const bundled = (steps, most) => {
  const size = Math.ceil(steps.length / most) || 1;
  const found = [];
  for (let at = 0; at < steps.length; at += size)
    found.push(ORDER.map((_, k) => steps.slice(at, at + size).reduce((sum, step) => sum + step[k], 0)));
  return found;
};

const minutes = (seconds) => (seconds < 90 ? `${number(seconds, 0)} s` : `${number(seconds / 60, 0)} min`);

// A term's course over the generations: the best so far. `points` are [generation, value].
export const course = (name, points) => {
  const [wide, high, left] = [260, 136, 46];
  const values = points.map(([, y]) => y);
  const [low, top] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(top - low, Math.abs(top) * 0.02, 0.01);
  const middle = (top + low) / 2;
  const last = Math.max(points.at(-1)[0], 1);
  const digits = room < 0.05 ? 3 : 2;
  const rungs = top - low < room / 4 ? [middle] : [low, top];
  const x = (g) => left + (g / last) * (wide - left - 10);
  const y = (v) => 12 + ((middle + room * 0.58 - v) / (room * 1.16)) * (high - 42);
  const told = `${name}: ${points.map(([g, v]) => `${number(v)} in generation ${g}`).join(", ")}`;
  return h(
    "figure",
    null,
    h("figcaption", null, h("bdi", null, name)),
    s(
      "svg",
      { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": told },
      rungs.map((v) => [
        s("path", { class: "grid", d: `M${left} ${y(v).toFixed(1)}H${wide - 6}` }),
        s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, number(v, digits)),
      ]),
      s("path", { class: "line", d: `M${points.map(([g, v]) => `${x(g).toFixed(1)} ${y(v).toFixed(1)}`).join("L")}` }),
      points.map(([g, v]) => s("circle", { class: "now", cx: x(g).toFixed(1), cy: y(v).toFixed(1), r: 3 })),
      s("text", { x: left, y: high - 16, "text-anchor": "middle" }, "0"),
      s("text", { x: x(last), y: high - 16, "text-anchor": "end" }, last),
      s("text", { x: (left + wide) / 2, y: high - 4, "text-anchor": "middle" }, "generation"),
    ),
  );
};
