// Verify: an answer against what an index holds. Yes, No or Not Related, why, and where each part of the stack ranked what was read.
//
// Left out: the sentences and their evidence (`verdict.js`).

import { ask } from "./api.js";
import { fill, h, number, say } from "./dom.js";
import { area, asking, count, field, form, status } from "./fields.js";
import { indexChoice } from "./indexes.js";
import { ASKED } from "./labels.js";
import { verdictPanel } from "./verdict.js";

const SAID = { supported: "Yes", contradicted: "No", not_enough_info: "Not Related", not_checkable: "Not checkable" };

export const view = (about) => {
  const indexes = indexChoice();
  const question = field("Question", area({ rows: 1, placeholder: "What was asked" }));
  const answer = field(
    "Answer",
    area({ rows: 2, placeholder: "What a model said" }),
    "Left empty, a server with a language model answers itself.",
  );
  const passages = field("Passages", count(5, 1, 50));
  const state = status();
  const panel = verdictPanel(about, { head });
  const found = h("section", { class: "ranks", hidden: true });
  const { go, stop, start } = asking("Verify", state, (signal) => run(signal));
  const parts = form(
    "What to verify",
    start,
    indexes.box,
    question.box,
    answer.box,
    h("div", { class: "row end" }, passages.box, go, stop),
  );

  const run = async (signal) => {
    const given = { question: question.control.value.trim(), answer: answer.control.value.trim() };
    if (!given.question && !given.answer) {
      state.fail(new Error("A question or an answer is needed."));
      question.control.focus();
      return;
    }
    if (!indexes.control.value) {
      state.fail(new Error("This server has no index to look into."));
      return;
    }
    state.tell("Looking for evidence …", { busy: true });
    panel.hide();
    found.hidden = true;
    const wanted = {
      index: indexes.control.value,
      ...filled(given),
      passages: Number(passages.control.value) || 5,
      threshold: ASKED,
      explain: true,
    };
    const record = await ask("v1/verify", wanted, { signal });
    const contexts = contextsOf(record);
    state.tell("");
    const whole = { question: given.question, answer: record.answer ?? given.answer, contexts };
    panel.begin(whole);
    panel.end(record, whole);
    found.hidden = false;
    fill(found, ranks(record, contexts));
    panel.box.focus({ preventScroll: true });
  };

  const title = h("h1", { tabindex: -1 }, "Does the corpus bear it out?");
  const lead = h(
    "p",
    { class: "lead soft" },
    "Passages are found for the question and the answer; the answer is judged against them.",
  );
  return {
    element: h("div", { class: "view" }, title, lead, parts, state.node, panel.box, found),
    arrive: () => indexes.load().catch((error) => state.fail(error)),
  };
};

const filled = (given) => Object.fromEntries(Object.entries(given).filter(([, text]) => text));

// The judged passages with their texts, in the order of the record's indices.
const contextsOf = (record) => {
  if (record.contexts) return record.contexts;
  const ids = record.retrieval?.context_ids ?? [];
  return ids.map((id) => ({
    id,
    text: record.claims.flatMap((claim) => claim.citations).find((c) => c.context_id === id)?.text ?? "",
  }));
};

const head = (record) => {
  const claim = record.claims.find((one) => one.verdict === record.verdict) ?? record.claims[0];
  const cited = claim?.citations?.[0];
  const about = cited
    ? [h("bdi", null, `[${cited.index + 1}] ${cited.context_id}`), ": ", h("q", { dir: "auto" }, cited.text)]
    : null;
  const words = {
    supported: "Every sentence is borne out. The weakest rests on ",
    contradicted: "The corpus says otherwise. ",
    not_enough_info: "Nothing that was found says so. Nearest is ",
  }[record.verdict];
  return {
    title: SAID[record.verdict] ?? record.verdict,
    why: h(
      "p",
      { class: "because" },
      words && about ? [words, about] : null,
      record.score === null ? null : h("span", { class: "soft" }, ` Score ${number(record.score)}.`),
    ),
  };
};

// A row a passage, a column a part of the stack.
const ranks = (record, contexts) => {
  const rankings = record.retrieval?.rankings ?? [];
  if (!contexts.length) return h("p", { class: "warning" }, "No passage was found.");
  const rankOf = (ranking, id) => ranking.hits.find((hit) => hit.context_id === id);
  const rows = contexts.map((context, n) =>
    h(
      "tr",
      null,
      h(
        "th",
        { scope: "row" },
        h("span", { class: "place" }, `[${n + 1}] `),
        h("bdi", null, context.title || context.id),
      ),
      rankings.map((ranking) => place(rankOf(ranking, context.id))),
    ),
  );
  const headings = ["Passage", ...rankings.map((ranking) => ranking.by)].map((name) =>
    h("th", { scope: "col" }, h("bdi", null, name)),
  );
  say(`${contexts.length} passages were read.`);
  return [
    h("h2", null, "How the passages were found"),
    record.retrieval
      ? h("p", { class: "soft small" }, "Searched for: ", h("q", { dir: "auto" }, record.retrieval.query))
      : null,
    record.reading ? h("p", null, "The reader says: ", h("q", { dir: "auto" }, record.reading)) : null,
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranks by part of the stack" },
      h("table", { class: "numbers" }, h("thead", null, h("tr", null, headings)), h("tbody", null, rows)),
    ),
  ];
};

const place = (hit) =>
  h("td", null, hit ? [h("strong", null, `#${hit.rank}`), h("span", { class: "soft" }, ` ${number(hit.score)}`)] : "–");
