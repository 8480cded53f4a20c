// Check: an answer against given contexts, its sentences judged one after the other while they arrive.
//
// Left out: how a verdict is drawn (`verdict.js`).

import { events, get } from "./api.js";
import { contextList } from "./contexts.js";
import { h, moves, say } from "./dom.js";
import { area, asking, button, field, form, put, status } from "./fields.js";
import { ASKED } from "./labels.js";
import { verdictPanel } from "./verdict.js";

export const view = (about) => {
  const question = field("Question", area({ rows: 1, placeholder: "Optional" }));
  const answer = field("Answer", area({ rows: 3, placeholder: "What a model said" }));
  const contexts = contextList((whole) => {
    if (whole.question && !question.control.value.trim()) put(question.control, whole.question);
    if (whole.answer && !answer.control.value.trim()) put(answer.control, whole.answer);
  });
  const state = status();
  const panel = verdictPanel(about);
  const { go, stop, start } = asking("Check", state, (signal) => run(signal));
  const again = button("Edit the question, answer and contexts", () => edit(true), { hidden: true });
  const parts = form(
    "What to check",
    start,
    question.box,
    answer.box,
    contexts.box,
    h(
      "div",
      { class: "row" },
      go,
      stop,
      examples(fillIn, state),
      button("Clear", () => fillIn({ answer: "", contexts: [] })),
    ),
  );

  function fillIn(row) {
    put(question.control, row.question);
    put(answer.control, row.answer);
    contexts.set(row.contexts.map((context) => (typeof context === "string" ? { text: context } : context)));
    panel.hide();
    state.tell(row.note ?? "");
    edit(false);
  }

  const edit = (wanted) => {
    parts.hidden = false;
    again.hidden = true;
    if (wanted) answer.control.focus();
  };

  const run = async (signal) => {
    const given = { question: question.control.value.trim(), answer: answer.control.value, contexts: contexts.value() };
    const missing = !given.answer.trim()
      ? [answer.control, "An answer is needed."]
      : !given.contexts.length
        ? [contexts.box.querySelector("textarea"), "At least one context is needed."]
        : null;
    if (missing) {
      state.fail(new Error(missing[1]));
      missing[0].focus();
      return;
    }
    const named = given.contexts.map((context, n) => ({ ...context, id: context.id ?? `context ${n + 1}` }));
    const wanted = {
      ...(given.question ? { question: given.question } : {}),
      answer: given.answer,
      contexts: named,
      threshold: ASKED,
      explain: true,
    };
    panel.begin({ ...given, contexts: named });
    state.tell("Checking …", { busy: true });
    try {
      let ended = false;
      for await (const { event, data } of events("v1/check/stream", wanted, { signal })) {
        if (event === "claim") panel.claim(data.claim ?? data);
        if (event === "verdict") {
          ended = true;
          settle();
          panel.end(data.verdict?.claims ? data.verdict : data);
        }
      }
      if (!ended) throw new Error("The connection broke off before the verdict. Try again.");
    } catch (error) {
      panel.hide();
      throw error;
    }
  };

  const settle = () => {
    state.tell("");
    parts.hidden = true;
    again.hidden = false;
    panel.box.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: moves() ? "smooth" : "auto" });
  };

  const title = h("h1", { tabindex: -1 }, "Which sentence is backed by what?");
  const lead = h(
    "p",
    { class: "lead soft" },
    "Put in what a model answered and the texts that it should rest on. Each sentence is judged against these texts alone.",
  );
  return {
    element: h(
      "div",
      { class: "view" },
      title,
      lead,
      h("div", { class: "row again" }, again),
      parts,
      state.node,
      panel.box,
    ),
  };
};

// A button that puts in one example after the other.
const examples = (fillIn, state) => {
  let rows = null;
  let at = 0;
  return button("Try an example", async () => {
    try {
      rows ??= (await get("page/examples.json")).examples;
      fillIn(rows[at % rows.length]);
      at += 1;
      say("An example was put in.");
    } catch (error) {
      state.fail(error);
    }
  });
};
