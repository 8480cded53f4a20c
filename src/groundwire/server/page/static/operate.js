// Operate: what the server does now and did in the last minutes, asked for every few seconds while the view is shown.
//
// Its history counts by steps of some seconds. What the server does not tell is left out. Left out: the drawings (`charts.js`).

import { get } from "./api.js";
import { sparkline, stacked } from "./charts.js";
import { fill, h, number } from "./dom.js";
import { status } from "./fields.js";
import { LABELS, ORDER } from "./labels.js";

const EVERY = 3000;

export const view = () => {
  const state = status();
  const tiles = h("div", { class: "tiles" });
  const verdicts = h("section", { class: "card", hidden: true });
  const said = h("p", { class: "small" });
  let timer = null;

  const look = async () => {
    try {
      const now = await get("v1/operate");
      state.tell("");
      const history = now.history ?? [];
      fill(said, standing(now));
      fill(tiles, tilesOf(now, history));
      fill(verdicts, verdictsOf(now, history));
      verdicts.hidden = false;
    } catch (error) {
      state.fail(error);
      if (error.status === 404 || error.status === 401) return;
    }
    if (timer !== null) timer = setTimeout(look, EVERY);
  };

  return {
    element: h(
      "div",
      { class: "view" },
      h("h1", { tabindex: -1 }, "How is it doing?"),
      said,
      state.node,
      tiles,
      verdicts,
    ),
    arrive: () => {
      if (timer !== null) return;
      timer = 0;
      look();
    },
    leave: () => {
      clearTimeout(timer);
      timer = null;
    },
  };
};

const standing = (now) => {
  const [look, words] = now.draining
    ? ["open", "draining: no new requests"]
    : now.ready === false
      ? ["open", "not ready yet"]
      : ["supported", "ready"];
  const up = Number.isFinite(now.uptime_s) ? ` for ${duration(now.uptime_s)}` : "";
  return [h("span", { class: `badge ${look}` }, words), h("span", { class: "soft" }, up ? ` up${up}` : "")];
};

const tilesOf = (now, history) => {
  const course = (key) => history.map((point) => [point.at, point[key]]);
  const limit = now.queue?.limit ? `of ${number(now.queue.limit, 0)}` : "";
  const jobs = now.queue?.jobs === undefined ? "" : `, ${number(now.queue.jobs, 0)} jobs`;
  return [
    tile("Queue", now.queue?.tokens, 0, `tokens ${limit}${jobs}`.trim(), course("queue_tokens")),
    tile("Latency, median", now.latency_ms?.p50, 0, "ms", course("p50_ms")),
    tile("Latency, 95th percentile", now.latency_ms?.p95, 0, "ms", course("p95_ms")),
    tile(
      "Requests",
      now.requests,
      0,
      [now.refused ? `${number(now.refused, 0)} refused` : "", now.errors ? `${number(now.errors, 0)} failed` : ""]
        .filter(Boolean)
        .join(", ") || "since the start",
      course("requests"),
    ),
    tile("Throughput", now.rate_tokens_s, 0, "tokens a second", []),
    tile("Batch", now.batch?.items_mean, 1, "pairs on average", []),
    tile("Memory", Number.isFinite(now.memory_bytes) ? now.memory_bytes / 1e6 : undefined, 0, "MB", []),
  ].filter(Boolean);
};

const tile = (name, value, digits, unit, course) => {
  if (value === undefined) return null;
  const points = course.filter(([, y]) => Number.isFinite(y));
  return h(
    "article",
    { class: "card tile" },
    h("h2", null, name),
    h("p", { class: "value" }, h("strong", null, number(value, digits))),
    h("p", { class: "soft small unit" }, unit),
    points.length > 1 ? sparkline(points, name) : null,
  );
};

const verdictsOf = (now, history) => {
  const all = ORDER.map((verdict) => [verdict, now.verdicts?.[verdict] ?? 0]);
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  const rows = all.map(([verdict, count]) => {
    const { look, mark, name } = LABELS[verdict];
    return h(
      "li",
      null,
      h("span", { class: `claim swatch ${look}`, "aria-hidden": "true" }, mark),
      ` ${name} `,
      h("strong", null, number(count, 0)),
      h("span", { class: "soft" }, total ? ` (${number((100 * count) / total, 0)} %)` : ""),
    );
  });
  const steps = history.map((step) => ORDER.map((verdict) => step.verdicts?.[verdict] ?? 0));
  return [
    h("h2", null, "Verdicts over time"),
    total ? stacked(steps, history) : h("p", { class: "soft" }, "None yet."),
    h("ul", { class: "keys small" }, rows),
  ];
};

const duration = (seconds) =>
  seconds < 120
    ? `${number(seconds, 0)} s`
    : seconds < 7200
      ? `${number(seconds / 60, 0)} min`
      : `${number(seconds / 3600, 1)} h`;
