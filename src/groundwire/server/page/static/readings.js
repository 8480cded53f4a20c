// A model's three readings of one pair as one bar: supports, leaves open, refutes. Left out: where the pair came from.

import { h, number, s } from "./dom.js";

const PARTS = [
  ["supports", "supported", "supports"],
  ["neutral", "open", "leaves open"],
  ["refutes", "contradicted", "refutes"],
];

// The bar of {supports, refutes, neutral}, in 0 to 1; nothing where there is no such reading.
export const readings = (found) => {
  if (!Number.isFinite(found?.supports)) return null;
  return h("div", { class: "readings" }, bar(found, 120, 10), h("span", { class: "soft small" }, leading(found)));
};

export const told = (found) =>
  PARTS.filter(([key]) => Number.isFinite(found[key]))
    .map(([key, , name]) => `${name} ${number(found[key])}`)
    .join(", ");

const leading = (found) => {
  const [key, , name] = PARTS.filter(([k]) => Number.isFinite(found[k])).reduce((a, b) =>
    found[b[0]] > found[a[0]] ? b : a,
  );
  return `${name} ${number(found[key])}`;
};

export const bar = (found, width, height) => {
  const rest = { ...found, refutes: found.refutes ?? 0 };
  rest.neutral ??= Math.max(0, 1 - rest.supports - rest.refutes);
  let at = 0;
  const parts = PARTS.map(([key, look]) => {
    const wide = Math.max(0, rest[key] * width);
    const part = [
      s("rect", { class: `part ${look}`, x: at.toFixed(2), y: 0, width: wide.toFixed(2), height }),
      key === "refutes" ? hatch(at, wide, height) : null,
    ];
    at += wide;
    return part;
  });
  return s(
    "svg",
    { class: "bar", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": told(found) },
    parts,
  );
};

// Slanted lines over a part, so that it is told apart without colour.
export const hatch = (x, width, height, y = 0) => {
  const lines = [];
  for (let at = x + 4; at < x + width; at += 5)
    lines.push(`M${at.toFixed(1)} ${y}l${-Math.min(3, at - x).toFixed(1)} ${height}`);
  return lines.length ? s("path", { class: "hatch", d: lines.join("") }) : null;
};
