// A verdict as a file of its own: one HTML page that needs no script and no network, or JSON.
//
// The page allows the style that it carries, named by its hash, and nothing else. Left out: the drawings.

import { drawnAnswer, legend } from "./answer.js";
import { h, number } from "./dom.js";
import { drawnEvidence, highlighted } from "./evidence.js";
import { labelOf, weakestRule } from "./labels.js";
import { waterfall } from "./waterfall.js";

// The verdict as JSON: the case by its usual names, then the record.
export const asJson = ({ record, case: given }) => {
  const { question, answer, contexts } = given;
  return JSON.stringify({ ...(question ? { question } : {}), answer, contexts, ...record }, null, 2).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
};

// The verdict as one HTML page. `style` is the whole style and `hash` what a policy calls it.
export const asHtml = (exported, style, hash) => {
  const whole = document.implementation.createHTMLDocument(`${labelOf(exported.record.verdict).name} · Groundwire`);
  const policy = `default-src 'none'; style-src '${hash}'; base-uri 'none'; form-action 'none'`;
  whole.documentElement.lang = "en";
  const charset = h("meta", { charset: "utf-8" });
  // The policy stands before all it has to hold for.
  whole.head.prepend(charset, h("meta", { "http-equiv": "Content-Security-Policy", content: policy }));
  whole.head.append(
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
  );
  whole.body.className = "exported";
  whole.body.append(page(exported));
  // The style comes last: an element of it would have to pass the policy of this page, where its hash is not known.
  const head = `<style>${style}</style></head>`;
  return `<!doctype html>\n${whole.documentElement.outerHTML.replace("</head>", () => head)}\n`;
};

export const saveJson = (exported) => saved(asJson(exported), "application/json", "verdict.json");

export const saveHtml = async (exported) => {
  const style = await (await fetch("page/look.css", { credentials: "same-origin" })).text();
  saved(asHtml(exported, style, exported.about.style), "text/html", "verdict.html");
};

const saved = (text, type, name) => {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

const page = ({ record, case: given, about }) => {
  const { look, mark, name } = labelOf(record.verdict);
  const score =
    record.score === null
      ? null
      : h(
          "p",
          { class: "soft" },
          `Score ${number(record.score)}, threshold ${number(record.threshold)}${weakestRule(about)}.`,
        );
  const sentences = record.claims.map((claim, n) =>
    h(
      "li",
      { id: `s${n + 1}` },
      drawnEvidence(given.answer, claim, given.contexts, { level: 4, rest: false }),
      scored(waterfall(claim, record.threshold, about)),
    ),
  );
  return h(
    "main",
    null,
    h("p", { class: "kicker" }, "Groundwire verdict"),
    given.question ? h("h1", null, given.question) : h("h1", null, "Is this answer backed by its evidence?"),
    h(
      "h2",
      { class: `verdict ${look}` },
      h("span", { class: "seal", "aria-hidden": "true" }, mark),
      `${name[0].toUpperCase()}${name.slice(1)}`,
    ),
    score,
    record.reason ? h("p", null, `${record.reason}.`) : null,
    record.warnings?.map((warning) => h("p", { class: "warning small" }, warning)),
    legend(record),
    drawnAnswer(given.answer, record),
    h("section", null, h("h2", null, "Sentence by sentence"), h("ol", { class: "told" }, sentences)),
    h(
      "section",
      null,
      h("h2", null, "Contexts"),
      given.contexts.map((context, index) => contextOf(context, index, record)),
    ),
    h(
      "p",
      { class: "soft small" },
      `Made by Groundwire ${about.version}, recipe ${about.recipe}, model ${record.model ?? about.model}.`,
      " Judged against these contexts alone, and never said to be true of the world.",
    ),
  );
};

const scored = (steps) =>
  steps ? h("details", { class: "more" }, h("summary", null, "How it got its score"), steps) : null;

const contextOf = (context, index, record) => {
  const cited = record.claims.flatMap((claim) => (claim.citations ?? []).slice(0, 1).filter((c) => c.index === index));
  const title = h(
    "h3",
    null,
    h("span", { class: "place" }, `[${index + 1}]`),
    " ",
    h("bdi", null, context.title || context.id || `Context ${index + 1}`),
  );
  return h(
    "article",
    { class: "card source" },
    title,
    h("div", { class: "prose passage", dir: "auto" }, highlighted(context.text, cited, "several")),
  );
};
