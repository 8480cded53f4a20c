// The answer with its sentences, each in the state that it was judged to be in: a mark, a pattern and a colour.
//
// One sentence is chosen with the mouse, or with the arrow keys in the one place that Tab leads to. Left out: its evidence.

import { h, number, plural, unseen } from "./dom.js";
import { LABELS, counts, labelOf } from "./labels.js";
import { pieces, unitsOf } from "./offsets.js";

// The answer; `pick(n)` is told which claim was chosen, and `chosen` is the number of the one that is.
export const drawnAnswer = (answer, record, { chosen = null, pick = null } = {}) => {
  const units = unitsOf(answer);
  const numbered = record.claims.map((claim, n) => ({ ...claim, n }));
  const parts = pieces(answer, numbered, units).map(({ text, span }) =>
    span === null
      ? text
      : sentence(span, marked(text, span, units), { chosen: span.n === chosen, tab: span.n === (chosen ?? 0), pick }),
  );
  const told = pick
    ? {
        role: "group",
        "aria-label": `The answer, ${plural(record.claims.length, "sentence")}; arrow keys go from one to the next`,
      }
    : {};
  const box = h("div", { class: "answer prose", dir: "auto", ...told }, parts);
  if (pick) box.addEventListener("keydown", (event) => walked(event, box, pick));
  return box;
};

// A label as its mark and its name.
export const badge = (verdict, said = labelOf(verdict).name) => {
  const { look, mark } = labelOf(verdict);
  return h("span", { class: `badge ${look}` }, h("span", { "aria-hidden": "true" }, `${mark} `), said);
};

// What the patterns mean, and how many sentences have each.
export const legend = (record) => {
  const bare = record.claims.some((claim) => claim.spans?.length);
  const keys = counts(record.claims).map(([verdict, count]) => {
    const { look, mark, name } = LABELS[verdict];
    return h(
      "li",
      null,
      h("span", { class: `claim swatch ${look}`, "aria-hidden": "true" }, mark),
      ` ${number(count, 0)} ${name}`,
    );
  });
  const words = h(
    "li",
    null,
    h("span", { class: "unbacked open", "aria-hidden": "true" }, "words"),
    " nothing backs these words",
  );
  return h("ul", { class: "keys small", "aria-label": "Sentences by state" }, keys, bare ? words : null);
};

const sentence = (claim, content, { chosen, tab, pick }) => {
  const { look, mark, name } = labelOf(claim.verdict);
  const score = claim.score === null ? "" : `, score ${number(claim.score)}`;
  const told = `Sentence ${claim.n + 1}, ${name}${score}: `;
  const sign = h("span", { class: "mark", "aria-hidden": "true" }, mark);
  if (!pick) return h("a", { class: `claim ${look}`, href: `#s${claim.n + 1}` }, sign, unseen(told), content);
  const props = {
    role: "button",
    tabindex: tab ? 0 : -1,
    "aria-pressed": chosen ? "true" : "false",
    "data-n": claim.n,
  };
  return h(
    "span",
    { class: `claim ${look}`, ...props, on: { click: () => pick(claim.n) } },
    sign,
    unseen(told),
    content,
  );
};

// The words of a claim, those that nothing backs set apart.
export const marked = (text, claim, units) => {
  const from = units(claim.start);
  const inside = (claim.spans ?? []).map(({ start, end }) => ({ start: units(start) - from, end: units(end) - from }));
  return pieces(text, inside, (at) => at).map((piece) =>
    piece.span ? h("u", { class: "unbacked", title: "nothing backs these words" }, piece.text) : piece.text,
  );
};

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const walked = (event, box, pick) => {
  const all = [...box.querySelectorAll(".claim")];
  const at = all.indexOf(event.target);
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const to =
    { Home: 0, End: all.length - 1, Enter: at, " ": at }[event.key] ??
    (event.key in STEPS ? at + STEPS[event.key] : null);
  if (to === null) return;
  event.preventDefault();
  const next = all[Math.min(Math.max(to, 0), all.length - 1)];
  pick(Number(next.dataset.n), { keyboard: true });
};
