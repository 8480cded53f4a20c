// A verdict on the page: the head, the threshold, the answer with its sentences, and beside it what was found for one.
//
// Left out: where it comes from (`check.js`, `verify.js`), and its parts.

import { drawnAnswer, legend } from "./answer.js";
import { button } from "./fields.js";
import { fill, h, moves, number, plural, say, sentenced } from "./dom.js";
import { drawnEvidence, reveal } from "./evidence.js";
import { saveHtml, saveJson } from "./export.js";
import { counts, LABELS, labelOf, relabelled, weakestRule } from "./labels.js";
import { ruler } from "./ruler.js";
import { waterfall } from "./waterfall.js";

const NARROW = "(max-width: 60rem)";
const PAUSE_MS = 80;

// Draws verdicts of one view. `head(record)` may say the verdict in other words; `extra` stands above the answer.
export const verdictPanel = (about, { head = null, slides = true } = {}) => {
  const box = h("section", { class: "result", "aria-label": "Verdict", tabindex: -1, hidden: true });
  // Where the evidence stands below the answer, and only there, this leads back to the sentence.
  const up = [h("span", { "aria-hidden": "true" }, "↑ "), "Back to the answer"];
  const back = h("div", { class: "back" }, button(up, () => home(), { look: "bare" }));
  const found = h("div");
  const parts = {
    top: h("div"),
    answer: h("div"),
    side: h("div", { class: "side", role: "region", "aria-label": "Evidence for the chosen sentence" }, back, found),
    score: h("section", { class: "score" }),
  };
  const state = { whole: null, case: null, chosen: null, threshold: about.threshold, done: false };
  const measure = slides
    ? ruler(about.threshold, (threshold) => {
        state.threshold = threshold;
        draw();
      })
    : null;

  const record = () => (slides ? relabelled(state.whole, state.threshold) : state.whole);
  const pick = (n, { keyboard = false } = {}) => {
    state.chosen = n;
    draw();
    parts.answer.querySelector(`.claim[data-n="${n}"]`)?.focus({ preventScroll: !keyboard });
    const claim = record().claims[n];
    say(
      `Sentence ${n + 1}: ${labelOf(claim.verdict).name}. ${claim.citations?.[0] ? `Evidence: ${claim.citations[0].text}` : ""}`,
    );
    if (!keyboard && matchMedia(NARROW).matches)
      parts.side.scrollIntoView({ block: "nearest", behavior: moves() ? "smooth" : "auto" });
  };
  const home = () => {
    const claim = parts.answer.querySelector('.claim[aria-pressed="true"]');
    claim?.focus({ preventScroll: true });
    claim?.scrollIntoView({ block: "center", behavior: moves() ? "smooth" : "auto" });
  };
  let waiting = null;
  const draw = () => {
    clearTimeout(waiting);
    waiting = null;
    const now = record();
    const focused = parts.answer.contains(document.activeElement) ? document.activeElement.dataset.n : null;
    fill(
      parts.top,
      state.case.question ? h("p", { class: "asked", dir: "auto" }, state.case.question) : null,
      heading(now, state, head, about),
      now.claims.length ? legend(now) : null,
    );
    measure?.update(now);
    fill(
      parts.answer,
      now.claims.length
        ? drawnAnswer(state.case.answer, now, { chosen: state.chosen, pick })
        : state.case.answer
          ? h("div", { class: "answer prose", dir: "auto" }, state.case.answer)
          : null,
    );
    const claim = now.claims[state.chosen];
    back.hidden = !claim;
    fill(
      found,
      claim
        ? drawnEvidence(state.case.answer, claim, state.case.contexts)
        : now.claims.length
          ? h("p", { class: "soft" }, "Choose a sentence to see what was found for it.")
          : null,
    );
    const steps = claim ? waterfall(claim, now.threshold, about) : null;
    fill(parts.score, steps ? [h("h3", null, `How sentence ${state.chosen + 1} got its score`), steps] : null);
    reveal(parts.side);
    if (focused) parts.answer.querySelector(`.claim[data-n="${focused}"]`)?.focus({ preventScroll: true });
  };
  const exported = () => ({ record: record(), case: state.case, about });
  const share = h(
    "div",
    { class: "row share" },
    button("Save as HTML", () => saveHtml(exported())),
    button("Save as JSON", () => saveJson(exported())),
  );

  return {
    box,
    // Begin with an answer of which nothing is judged yet.
    begin(given) {
      Object.assign(state, {
        case: given,
        chosen: null,
        done: false,
        whole: { claims: [], score: null, verdict: null, threshold: 1, warnings: [] },
      });
      share.hidden = true;
      fill(box, parts.top, measure?.box, h("div", { class: "beside" }, parts.answer, parts.side), parts.score, share);
      if (measure) measure.box.hidden = true;
      box.hidden = false;
      draw();
    },
    // One more claim is judged.
    claim(claim) {
      state.whole.claims.push(claim);
      waiting ??= setTimeout(draw, PAUSE_MS); // many claims at once are drawn at once
    },
    // All is judged. The weakest sentence is chosen, for it decides.
    end(whole, given = state.case) {
      Object.assign(state, { whole, case: given, done: true });
      state.chosen ??= weakest(whole.claims);
      share.hidden = false;
      if (measure) measure.box.hidden = whole.score === null || !whole.claims.length;
      draw();
      say(summary(record()));
    },
    hide() {
      box.hidden = true;
    },
  };
};

const weakest = (claims) => {
  const scored = claims.map((claim, n) => [claim.score, n]).filter(([score]) => score !== null);
  return scored.length ? scored.reduce((a, b) => (b[0] < a[0] ? b : a))[1] : claims.length ? 0 : null;
};

const heading = (now, { done }, head, about) => {
  if (!done) return h("h2", { class: "verdict busy" }, `Checking … ${plural(now.claims.length, "sentence")} so far`);
  const told = head?.(now);
  const { look, mark, name } = labelOf(now.verdict);
  const title = h(
    "h2",
    { class: `verdict ${look}` },
    h("span", { class: "seal", "aria-hidden": "true" }, mark),
    h("span", null, told?.title ?? `${name[0].toUpperCase()}${name.slice(1)}`),
  );
  const score =
    now.score === null ? null : h("p", { class: "soft" }, `Score ${number(now.score)}${weakestRule(about)}.`);
  const reason = now.reason ? h("p", null, sentenced(now.reason)) : null;
  return [
    title,
    told?.why ?? null,
    reason,
    told ? null : score,
    ...(now.warnings ?? []).map((warning) => h("p", { class: "warning small" }, warning)),
  ];
};

// A verdict in one line.
export const summary = (now) => {
  const parts = counts(now.claims).map(([verdict, count]) => `${count} ${LABELS[verdict].name}`);
  const found = parts.length ? `: ${parts.join(", ")}` : "";
  return `The answer is ${labelOf(now.verdict).name}. ${plural(now.claims.length, "sentence")}${found}.`;
};
