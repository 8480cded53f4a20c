// What was found for one sentence: the places in the contexts, each set apart in the whole of its text.
//
// Left out: how the score came about (`waterfall.js`).

import { badge, marked } from "./answer.js";
import { h, number, plural } from "./dom.js";
import { labelOf } from "./labels.js";
import { pieces, unitsOf } from "./offsets.js";
import { readings } from "./readings.js";

const FIRST = 2;

// The evidence of a claim. `contexts` are {id, title, text} by index; `level` is that of its heading.
export const drawnEvidence = (answer, claim, contexts, { level = 3, rest = true } = {}) => {
  const cards = byContext(claim, contexts).map((group) => card(claim, group, level + 1));
  const more = cards.slice(FIRST);
  const title = level === 3 ? "h3" : "h4";
  return [
    h(
      "div",
      { class: "chosen" },
      h(title, { class: "about" }, badge(claim.verdict), ...score(claim)),
      said(answer, claim),
      h("p", { class: "why soft" }, why(claim)),
    ),
    ...cards.slice(0, FIRST),
    more.length && rest
      ? h(
          "details",
          { class: "more" },
          h("summary", null, `${plural(more.length, "more context")} that were looked at`),
          ...more,
        )
      : null,
  ];
};

const score = (claim) =>
  claim.score === null ? [] : [h("span", { class: "soft small" }, ` score ${number(claim.score)}`)];

const said = (answer, claim) => {
  const units = unitsOf(answer);
  const text = answer.slice(units(claim.start), units(claim.end));
  return h("blockquote", { class: `said ${labelOf(claim.verdict).look}`, dir: "auto" }, marked(text, claim, units));
};

// One sentence that says why the label is what it is.
export const why = (claim) => {
  if (claim.reason) return `${claim.reason[0].toUpperCase()}${claim.reason.slice(1)}.`;
  const bare = (claim.spans ?? []).map((span) => `“${span.text}”`).join(", ");
  const lacking = bare ? ` Nothing backs ${bare}.` : "";
  if (claim.verdict === "supported") return "The words below say so.";
  if (claim.verdict === "contradicted") return `The words below say otherwise.${lacking}`;
  if (!claim.citations?.length) return "Nothing was found that speaks of it.";
  return `Nothing says so; below is what comes nearest.${lacking}`;
};

// Citations by context, the context of the best one first; with the readings of the pair where they were explained.
const byContext = (claim, contexts) => {
  const groups = new Map();
  const explained = (claim.evidence ?? []).map((found) => ({ ...found, score: found.supports }));
  for (const citation of explained.length ? explained : (claim.citations ?? [])) {
    if (!contexts[citation.index]) continue;
    if (!groups.has(citation.index))
      groups.set(citation.index, { index: citation.index, context: contexts[citation.index], cited: [] });
    groups.get(citation.index).cited.push(citation);
  }
  return [...groups.values()];
};

const card = (claim, { index, context, cited }, level) => {
  const name = h(
    `h${level}`,
    null,
    h("span", { class: "place" }, `[${index + 1}]`),
    " ",
    h("bdi", null, context.title || context.id || `Context ${index + 1}`),
  );
  const text = h(
    "div",
    { class: "prose passage", dir: "auto", tabindex: 0, role: "region", "aria-label": `Context ${index + 1}` },
    highlighted(context.text, cited, labelOf(claim.verdict).look),
  );
  return h("article", { class: "card source", "data-index": index }, h("header", null, name, readings(cited[0])), text);
};

// A text with its cited places set apart; those of `spans` that overlap an earlier one are left out.
export const highlighted = (text, spans, look) =>
  pieces(text, spans).map((piece) => (piece.span ? h("mark", { class: look }, piece.text) : piece.text));

// Bring the first cited words of each card into its view, without moving the page.
export const reveal = (panel) => {
  for (const passage of panel.querySelectorAll(".passage")) {
    const mark = passage.querySelector("mark");
    if (mark) passage.scrollTop = Math.max(0, mark.offsetTop - passage.offsetTop - passage.clientHeight / 3);
  }
};
