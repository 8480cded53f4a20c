// The evolution as a tree that grows: a column a generation, left to right; bold lines lead to the best so far.
//
// Left out: who stands where (`family.js`).

import { fill, h, number, plural, s } from "./dom.js";
import { familyOf, MOST_ROWS } from "./family.js";

const RADIUS = 12;

// Returns {box, update(candidates, turns, best)}. A node that is chosen is told in the panel beside the tree.
export const tree = () => {
  const drawing = s("svg", {
    class: "tree",
    role: "group",
    "aria-label": "Evolution tree; arrow keys go from node to node",
  });
  const panel = h("div", { class: "card candidate", "aria-live": "polite" });
  const frame = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Evolution tree, scrolls" },
    drawing,
  );
  const operators = h("ul", { class: "keys small", "aria-label": "Operators" });
  const looks = new Map();
  let family = null;
  let chosen = null;

  const pick = (id, focused = true) => {
    chosen = id;
    draw();
    if (focused) drawing.querySelector(`[data-id="${CSS.escape(id)}"]`)?.focus();
  };
  const draw = () => {
    const { width, height } = family;
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      drawing.setAttribute(name, value);
    const current = family.byId.has(chosen) ? chosen : family.best;
    fill(drawing, heads(family), edges(family, looks), ghosts(family), nodes(family, current, pick));
    fill(
      panel,
      family.byId.has(current)
        ? candidate(family, family.byId.get(current), pick)
        : h("p", { class: "soft" }, "The first candidates are on their way."),
    );
    fill(
      operators,
      measured(family),
      [...looks].map(([name, look]) => h("li", null, stroke(look), ` ${name}`)),
    );
  };
  drawing.addEventListener("keydown", (event) => {
    const id = event.target.dataset?.id;
    const to = id && step(family, id, event.key);
    if (to) {
      event.preventDefault();
      pick(to);
    }
  });
  return {
    box: h("div", { class: "beside grown" }, h("div", { class: "drawing card" }, frame, operators), panel),
    update(candidates, turns, best) {
      family = familyOf(candidates, turns, best);
      for (const one of candidates)
        if (one.parents.length && !looks.has(one.operator)) looks.set(one.operator, looks.size % 8);
      draw();
      frame.scrollLeft = frame.scrollWidth;
    },
    clear() {
      looks.clear();
      chosen = null;
    },
  };
};

const heads = (family) =>
  family.columns.map(({ number: n, count, hidden }, at) => [
    s("text", { class: "head", x: family.x(at), y: 16, "text-anchor": "middle" }, n === 0 ? "seeds" : n),
    s(
      "text",
      { class: "count", x: family.x(at), y: 31, "text-anchor": "middle" },
      hidden > 0 ? `${count - hidden} of ${count}` : n ? `${count} new` : count,
    ),
  ]);

const edges = (family, looks) => {
  const pairs = [...family.places.keys()].flatMap((id) =>
    [...new Set(family.byId.get(id).parents)]
      .filter((parent) => family.places.has(parent))
      .map((parent) => [parent, id]),
  );
  pairs.sort((a, b) => family.line.has(a[1]) - family.line.has(b[1]));
  return pairs.map(([parent, id]) =>
    s("path", {
      class: `edge op${looks.get(family.byId.get(id).operator) ?? 7}${family.line.has(id) ? " line" : ""}`,
      fill: "none",
      d: curve(family.places.get(parent), family.places.get(id)),
    }),
  );
};

const curve = (from, to) => {
  const [a, b] = [from.x + RADIUS, to.x - RADIUS];
  const bend = Math.max((b - a) / 2, 16);
  const lift = b - a > 90 ? 17 : 0;
  return `M${a} ${from.y}C${a + bend} ${from.y - lift} ${b - bend} ${to.y - lift} ${b} ${to.y}`;
};

// Candidates that are counted and not told of yet.
const ghosts = (family) =>
  family.columns.map((one, at) => {
    const room = Math.max(0, Math.min(one.unseen, MOST_ROWS - one.members.length));
    return Array.from({ length: room }, (_, n) =>
      s("circle", { class: "ghost", cx: family.x(at), cy: family.y(one.members.length + n), r: RADIUS - 4 }),
    );
  });

const nodes = (family, current, pick) =>
  [...family.places].map(([id, { x, y }]) => {
    const one = family.byId.get(id);
    const best = id === family.best;
    const look = tone(one);
    return s(
      "g",
      {
        class: `node ${look}${best ? " best" : ""}${family.line.has(id) ? " line" : ""}`,
        role: "button",
        tabindex: id === current ? 0 : -1,
        "aria-pressed": id === current ? "true" : "false",
        "aria-label": spoken(one, best),
        "data-id": id,
        on: { click: () => pick(id) },
      },
      best ? s("circle", { class: "ring", cx: x, cy: y, r: RADIUS + 4.5 }) : null,
      s("circle", { class: "disc", cx: x, cy: y, r: RADIUS }),
      s("text", { class: "value", x, y: y + 4, "text-anchor": "middle" }, short(one)),
    );
  });

// How grounded it is: what the evidence supports, else what it shares with the sources.
const grounded = (one) =>
  one.fitness.support ?? one.fitness[Object.keys(one.fitness).find((term) => term.startsWith("rouge"))];
const tone = (one) =>
  Number.isFinite(grounded(one)) ? `g${Math.min(Math.max(Math.floor(grounded(one) * 5), 0), 4)}` : "none";
const short = (one) =>
  Number.isFinite(grounded(one)) ? Math.round(Math.min(Math.max(grounded(one), 0), 1) * 100) : "";
const spoken = (one, best) =>
  [
    one.generation ? `generation ${one.generation}, by ${one.operator}` : "seed",
    ...Object.entries(one.fitness).map(([term, value]) => `${term} ${number(value)}`),
    best ? "the best" : "",
  ]
    .filter(Boolean)
    .join(", ");

// What the numbers in the nodes are.
const measured = (family) => {
  const one = [...family.byId.values()].find((candidate) => Number.isFinite(grounded(candidate)));
  if (!one) return null;
  const term = "support" in one.fitness ? "support" : Object.keys(one.fitness).find((name) => name.startsWith("rouge"));
  return h(
    "li",
    null,
    s(
      "svg",
      { width: 18, height: 18, class: "node g3", "aria-hidden": "true" },
      s("circle", { class: "disc", cx: 9, cy: 9, r: 7 }),
    ),
    ` ${term}, in per cent`,
  );
};

const stroke = (look) =>
  s(
    "svg",
    { width: 34, height: 10, "aria-hidden": "true" },
    s("path", { class: `edge line op${look}`, d: "M1 5H33", fill: "none" }),
  );

const candidate = (family, one, pick) => {
  const title = h(
    "h3",
    null,
    one.generation ? `Generation ${one.generation} · ` : "Seed",
    one.generation ? h("bdi", null, one.operator) : null,
    one.id === family.best ? h("span", { class: "crown" }, "best") : null,
  );
  const known = one.parents.filter((id) => family.places.has(id));
  const parents = known.map((id) =>
    h(
      "button",
      { type: "button", class: "quiet", on: { click: () => pick(id) } },
      family.byId.get(id).text.slice(0, 48),
      family.byId.get(id).text.length > 48 ? " …" : "",
    ),
  );
  const terms = Object.entries(one.fitness).map(([term, value]) =>
    h("tr", null, h("th", { scope: "row" }, h("bdi", null, term)), h("td", null, number(value, 3))),
  );
  return [
    title,
    h("p", { class: "prose", dir: "auto" }, one.text),
    one.passage ? h("p", { class: "soft small" }, "passage ", h("bdi", null, one.passage)) : null,
    parents.length
      ? h("div", { class: "parents" }, h("p", { class: "soft small" }, plural(parents.length, "parent")), parents)
      : null,
    terms.length
      ? h(
          "table",
          { class: "numbers" },
          h("caption", { class: "soft small" }, "Fitness by term"),
          h("tbody", null, terms),
        )
      : null,
  ];
};

// Left and right along the lineage, up and down within a generation.
const step = (family, id, key) => {
  const one = family.byId.get(id);
  const members = family.columns.find((c) => c.members.some((m) => m.id === id)).members.map((m) => m.id);
  const at = members.indexOf(id);
  if (key === "Enter" || key === " ") return id;
  if (key === "ArrowUp") return members[at - 1];
  if (key === "ArrowDown") return members[at + 1];
  if (key === "ArrowLeft") return one.parents.find((parent) => family.places.has(parent));
  if (key !== "ArrowRight") return undefined;
  const young = [...family.places.keys()].filter((other) => family.byId.get(other).parents.includes(id));
  return young.find((other) => family.line.has(other)) ?? young[0];
};
