// The frame: which view is shown, told by the address behind the #. Left out: the views.

import { get } from "./api.js";
import { view as check } from "./check.js";
import { fill, h } from "./dom.js";
import { view as corpus } from "./corpus.js";
import { view as generate } from "./generate.js";
import { view as operate } from "./operate.js";
import { view as verify } from "./verify.js";

const VIEWS = [
  ["check", "Check", check],
  ["verify", "Verify", verify],
  ["generate", "Generate", generate],
  ["corpus", "Corpus", corpus],
  ["operate", "Operate", operate],
];

const main = document.getElementById("main");
const made = new Map();
let shownView = null;

const begin = async () => {
  let about;
  try {
    about = await get("page/about.json");
  } catch (error) {
    fill(main, h("p", { class: "warning", role: "alert" }, error.line ?? error.message));
    return;
  }
  fill(
    document.getElementById("about"),
    `Groundwire ${about.version} · recipe ${about.recipe} · model ${about.model} · everything stays between this browser and this server`,
  );
  fill(
    document.getElementById("views"),
    VIEWS.map(([name, title]) => h("a", { href: `#${name}`, "data-view": name }, title)),
  );
  addEventListener("hashchange", () => show(about, true));
  show(about, false);
};

const show = (about, moved) => {
  const asked = location.hash.slice(1).split("/")[0];
  if (asked === "main") {
    main.focus();
    return;
  }
  const [name, title, make] = VIEWS.find(([known]) => known === asked) ?? VIEWS[0];
  if (!made.has(name)) made.set(name, make(about));
  const next = made.get(name);
  if (shownView !== next) {
    shownView?.leave?.();
    shownView = next;
    fill(main, next.element);
  }
  document.title = `${title} · Groundwire`;
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  next.arrive?.();
  if (moved) next.element.querySelector("h1")?.focus({ preventScroll: true });
};

begin();
