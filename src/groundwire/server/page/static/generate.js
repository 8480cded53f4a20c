// Generate: an answer that is grown generation by generation, shown while it grows, and checked at the end.
//
// Left out: the tree (`tree.js`), and the sentences with their evidence (`verdict.js`).

import { events } from "./api.js";
import { course } from "./charts.js";
import { contextList } from "./contexts.js";
import { fill, h, number, plural, say, sentenced } from "./dom.js";
import { area, asking, count, field, form, status } from "./fields.js";
import { indexChoice } from "./indexes.js";
import { ASKED, labelOf } from "./labels.js";
import { tree } from "./tree.js";
import { verdictPanel } from "./verdict.js";

const OWN = "";

export const view = (about) => {
  const indexes = indexChoice([[OWN, "the contexts below"]]);
  const question = field("Question", area({ rows: 1, placeholder: "What should be answered" }));
  const contexts = contextList((whole) => {
    if (whole.question && !question.control.value) question.control.value = whole.question;
  });
  const generations = field("Generations at most", count(8, 1, 50));
  const seed = field("Seed", count(0, 0, 2 ** 31 - 1));
  const state = status();
  const panel = verdictPanel(about, { head });
  const grown = tree();
  const counted = h("p", { class: "soft small" });
  const charts = h("div", { class: "charts" });
  const evolution = h(
    "section",
    { class: "evolution", hidden: true },
    h("h2", null, "Evolution"),
    counted,
    grown.box,
    h("h2", null, "Fitness of the best, by generation"),
    charts,
  );
  const { go, stop, start } = asking("Generate", state, (signal) => run(signal));
  const parts = form(
    "What to generate",
    start,
    question.box,
    indexes.box,
    contexts.box,
    h("div", { class: "row end" }, generations.box, seed.box, go, stop),
  );
  const sources = () => (contexts.box.hidden = indexes.control.value !== OWN);
  indexes.control.addEventListener("change", sources);

  const run = async (signal) => {
    const asked = question.control.value.trim();
    const given =
      indexes.control.value === OWN
        ? contexts.value().map((one, n) => ({ ...one, id: one.id ?? `passage ${n + 1}` }))
        : null;
    const missing = !asked
      ? [question.control, "A question is needed."]
      : given && !given.length
        ? [contexts.box.querySelector("textarea"), "At least one context is needed, or an index."]
        : null;
    if (missing) {
      state.fail(new Error(missing[1]));
      missing[0].focus();
      return;
    }
    const wanted = {
      question: asked,
      ...(given ? { contexts: given } : { index: indexes.control.value }),
      generations: Number(generations.control.value) || 8,
      seed: Number(seed.control.value) || 0,
      threshold: ASKED,
      explain: true,
    };
    const growth = { best: new Map(), turns: [] };
    grown.clear();
    fill(charts);
    fill(counted);
    panel.hide();
    evolution.hidden = true;
    state.tell("Growing …", { busy: true });
    let ended = false;
    for await (const { event, data } of events("v1/generate", wanted, { signal })) {
      if (event === "generation") turned(growth, data);
      if (event === "answer") {
        ended = true;
        finished(growth, data.answer?.text === undefined ? data : data.answer, asked);
      }
    }
    if (!ended) throw new Error("The connection broke off before the answer. Try again.");
  };

  const turned = (growth, { generation, best }) => {
    growth.turns.push(generation);
    if (best) growth.best.set(best.id, best);
    evolution.hidden = false;
    state.tell(`Generation ${generation.number}: ${plural(generation.new, "new candidate")}.`, { busy: true });
    grown.update([...growth.best.values()], growth.turns, best?.id ?? generation.best);
    fill(counted, cost(growth.turns));
    drawCharts(
      charts,
      growth.turns.map((turn) => [turn.number, growth.best.get(turn.best)]),
    );
  };

  const finished = (growth, answer, asked) => {
    state.tell("");
    const turns = answer.generations?.length ? answer.generations : growth.turns;
    const lineage = answer.lineage ?? [];
    if (lineage.length) {
      const best = lineage.find((one) => one.text === answer.text) ?? lineage[0];
      evolution.hidden = false;
      grown.update(lineage, turns, best.id);
      const byId = new Map(lineage.map((one) => [one.id, one]));
      drawCharts(
        charts,
        turns.map((turn) => [turn.number, byId.get(turn.best)]),
      );
      fill(counted, cost(turns), answer.stopped ? ` Stopped: ${answer.stopped}.` : null);
    }
    if (!answer.text) {
      state.fail(new Error(answer.reason ? sentenced(answer.reason) : "No answer came of it."));
      return;
    }
    const whole = { question: asked, answer: answer.text, contexts: answer.sources };
    panel.begin(whole);
    panel.end({ ...answer.verdict, warnings: answer.warnings ?? answer.verdict.warnings }, whole);
    say(`The answer is there: ${answer.text}`);
  };

  const title = h("h1", { tabindex: -1 }, "Grow an answer from its sources");
  const lead = h(
    "p",
    { class: "lead soft" },
    "Candidates are bred from the sources, the fittest stay, and the answer that is left is checked sentence by sentence.",
  );
  return {
    element: h("div", { class: "view" }, title, lead, parts, state.node, panel.box, evolution),
    arrive: () => indexes.load().then(sources, (error) => state.fail(error)),
  };
};

const head = (record) => {
  const { name } = labelOf(record.verdict);
  return {
    title: "The answer",
    why: h(
      "p",
      { class: "soft" },
      `Checked against its sources: ${name}${record.score === null ? "" : `, score ${number(record.score)}`}.`,
    ),
  };
};

const cost = (turns) => {
  const sum = (key) => turns.reduce((all, turn) => all + (turn[key] ?? 0), 0);
  const bred = turns.filter((turn) => turn.number > 0).length;
  const lost = [
    ["repeated", sum("repeated")],
    ["failed", sum("failed")],
  ]
    .filter(([, n]) => n)
    .map(([name, n]) => `${number(n, 0)} ${name}`);
  const calls = sum("calls") ? `, ${plural(sum("calls"), "call")}` : "";
  const besides = lost.length ? ` (${lost.join(", ")} besides)` : "";
  const seconds = number(sum("seconds"), 1);
  return `${plural(bred, "generation")}, ${plural(sum("new"), "candidate")}${besides}${calls}, ${seconds} s.`;
};

const drawCharts = (charts, courses) => {
  const known = courses.filter(([, one]) => one);
  const terms = [...new Set(known.flatMap(([, one]) => Object.keys(one.fitness)))].sort(
    (a, b) => (b === "total") - (a === "total"),
  );
  const drawn = terms.map((term) => [
    term,
    known.filter(([, one]) => Number.isFinite(one.fitness[term])).map(([g, one]) => [g, one.fitness[term]]),
  ]);
  fill(
    charts,
    drawn.filter(([, points]) => points.length > 1).map(([term, points]) => course(term, points)),
  );
};
