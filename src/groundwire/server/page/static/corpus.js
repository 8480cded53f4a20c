// Corpus: the indexes of the server, their passages page by page, and a search. Left out: judging (`verify.js`).

import { ask, get } from "./api.js";
import { fill, h, number, plural, say } from "./dom.js";
import { asking, button, choice, field, form, status } from "./fields.js";
import { listed } from "./indexes.js";

const PAGE = 20;
const FACTS = [
  ["passages", "passages"],
  ["documents", "documents"],
  ["tokens", "words"],
  ["terms", "terms"],
  ["segments", "segments"],
  ["bytes", "size"],
  ["analyzer", "analyzer"],
];

export const view = () => {
  const state = status();
  const cards = h("ul", { class: "indexes", "aria-label": "Indexes" });
  const list = h("section", { class: "passages", hidden: true });
  const text = field("Search", h("input", { type: "search", dir: "auto", autocomplete: "off" }));
  const among = field(
    "Hits",
    choice([
      ["10", "10"],
      ["20", "20"],
      ["50", "50"],
    ]),
  );
  let chosen = null;

  const search = asking("Search", state, async (signal) => {
    const query = text.control.value.trim();
    if (!chosen || !query) return chosen && browse(chosen, 0);
    state.tell("Searching …", { busy: true });
    const told = await ask("v1/search", { index: chosen, query, k: Number(among.control.value) }, { signal });
    const hits = (told.hits ?? told.results ?? []).map((hit) => ({ ...(hit.passage ?? hit), score: hit.score }));
    state.tell("");
    const title = h("h2", null, `${plural(hits.length, "passage")} for `, h("q", { dir: "auto" }, query));
    fill(
      list,
      title,
      hits.length
        ? h(
            "ol",
            { class: "hits" },
            hits.map((hit, n) => passage(hit, `#${n + 1}`)),
          )
        : h("p", null, "No passage has to do with it."),
    );
    list.hidden = false;
    say(`${plural(hits.length, "passage")} found.`);
    return null;
  });
  const bar = form(
    "Search an index",
    search.start,
    h("div", { class: "row end" }, text.box, among.box, search.go, search.stop),
  );
  bar.hidden = true;

  const browse = async (name, offset) => {
    try {
      const told = await get(`v1/indexes/${encodeURIComponent(name)}/passages?offset=${offset}&limit=${PAGE}`);
      const found = told.passages ?? told.items ?? [];
      const { total = offset + found.length } = told;
      const last = offset + found.length;
      const step = (label, to, off) => button(label, () => browse(name, to), { disabled: off });
      const pager = h(
        "div",
        { class: "row pager" },
        step("Back", Math.max(0, offset - PAGE), offset === 0),
        h(
          "span",
          { class: "small" },
          total ? `${number(offset + 1, 0)}–${number(last, 0)} of ${number(total, 0)}` : "empty",
        ),
        step("Next", offset + PAGE, last >= total),
      );
      fill(
        list,
        h("h2", null, "Passages of ", h("bdi", null, name)),
        found.length
          ? h(
              "ol",
              { class: "hits" },
              found.map((one, n) => passage(one, number(offset + n + 1, 0))),
            )
          : null,
        pager,
      );
      list.hidden = false;
      say(total ? `Passages ${offset + 1} to ${last} of ${total}.` : "The index is empty.");
    } catch (error) {
      state.fail(error);
    }
  };

  const choose = (name) => {
    chosen = name;
    bar.hidden = false;
    for (const card of cards.querySelectorAll("button"))
      card.setAttribute("aria-pressed", card.dataset.name === name ? "true" : "false");
    browse(name, 0);
  };

  const arrive = async () => {
    try {
      const found = await listed();
      const none = h(
        "li",
        { class: "warning" },
        "This server has no index. Start it with one: ",
        h("code", null, "groundwire serve --index NAME=DIR"),
        ".",
      );
      fill(cards, found.length ? found.map((info) => cardOf(info, choose)) : none);
      if (found.length && !found.some(({ name }) => name === chosen)) choose(found[0].name);
      else if (chosen) choose(chosen);
    } catch (error) {
      state.fail(error);
    }
  };
  const lead = h("p", { class: "lead soft" }, "The indexes that this server has open, and what they hold.");
  return {
    element: h(
      "div",
      { class: "view" },
      h("h1", { tabindex: -1 }, "What is there to find?"),
      lead,
      cards,
      bar,
      state.node,
      list,
    ),
    arrive,
  };
};

const cardOf = (info, choose) => {
  const facts = FACTS.filter(([key]) => info[key] !== undefined && info[key] !== null).map(([key, name]) =>
    h(
      "div",
      null,
      h("dt", null, name),
      h(
        "dd",
        null,
        key === "bytes" ? size(info[key]) : typeof info[key] === "number" ? number(info[key], 0) : info[key],
      ),
    ),
  );
  const pick = h(
    "button",
    {
      type: "button",
      class: "pick",
      "aria-pressed": "false",
      "data-name": info.name,
      on: { click: () => choose(info.name) },
    },
    h("bdi", null, info.name),
  );
  return h("li", { class: "card index" }, pick, h("dl", { class: "facts" }, facts));
};

const passage = (one, place) => {
  const title = h("h3", null, h("span", { class: "place" }, place), " ", h("bdi", null, one.title || one.id));
  const about = h(
    "p",
    { class: "soft small" },
    one.title ? h("bdi", null, one.id) : null,
    Number.isFinite(one.score) ? `${one.title ? " · " : ""}score ${number(one.score)}` : null,
  );
  return h("li", { class: "card source" }, title, about, h("div", { class: "prose", dir: "auto" }, one.text));
};

const size = (bytes) => {
  const step = bytes < 1e6 ? [1e3, "kB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${number(bytes / step[0], 1)} ${step[1]}`;
};
