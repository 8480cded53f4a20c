// The list of contexts of a form: typed, pasted, or dropped as files. Left out: reading the files (`files.js`).

import { button, grow, put } from "./fields.js";
import { fill, h, plural, say, unseen } from "./dom.js";
import { KINDS, readFiles } from "./files.js";

const BLANK = { text: "" };

// Returns {box, value(), set(contexts)}; `whole` is told of a question and an answer that a file brought along.
export const contextList = (whole = () => {}) => {
  const list = h("ol", { class: "contexts" });
  const told = h("p", { class: "status small wrong" });
  const add = button("Add a context", () => rowOf(list, BLANK).querySelector("textarea").focus(), { look: "quiet" });
  const chosen = h("input", {
    type: "file",
    multiple: true,
    accept: KINDS,
    class: "unseen",
    tabindex: -1,
    "aria-label": "Files with contexts",
  });
  const pick = button("Choose files", () => chosen.click());
  const hint = h("span", { class: "soft small" }, "or drop .txt, .md, .json or .jsonl here");
  const box = h(
    "fieldset",
    { class: "drop" },
    h("legend", null, "Contexts"),
    list,
    h("div", { class: "row" }, add, pick, chosen, hint),
    told,
  );

  const take = async (files) => {
    const { found, question, answer, problems } = await readFiles(files);
    for (const row of [...list.children]) if (!row.querySelector("textarea").value.trim()) row.remove();
    for (const context of found) rowOf(list, context);
    if (!list.children.length) rowOf(list, BLANK);
    whole({ question, answer });
    fill(told, problems.length ? `Not read: ${problems.join("; ")}.` : null);
    if (found.length) say(`${plural(found.length, "context")} added.`);
  };
  chosen.addEventListener("change", async () => {
    await take(chosen.files);
    chosen.value = "";
  });
  dropped(box, take);
  rowOf(list, BLANK);
  return {
    box,
    value: () => [...list.children].map(contextOf).filter((context) => context.text.trim()),
    set: (contexts) => {
      list.replaceChildren();
      for (const context of contexts.length ? contexts : [BLANK]) rowOf(list, context);
      fill(told);
    },
  };
};

const dropped = (box, take) => {
  const over = (event) => {
    event.preventDefault();
    box.classList.add("over");
  };
  box.addEventListener("dragenter", over);
  box.addEventListener("dragover", over);
  box.addEventListener("dragleave", (event) => {
    if (!box.contains(event.relatedTarget)) box.classList.remove("over");
  });
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    box.classList.remove("over");
    if (event.dataTransfer.files.length) take(event.dataTransfer.files);
  });
};

const rowOf = (list, context) => {
  const text = h("textarea", {
    rows: 2,
    dir: "auto",
    spellcheck: "false",
    "aria-label": "Context",
    placeholder: "Paste a passage",
  });
  const name = context.title || context.id;
  const row = h(
    "li",
    { class: "context" },
    name ? h("p", { class: "small soft name" }, h("bdi", null, name)) : null,
    text,
  );
  row.append(
    button([h("span", { "aria-hidden": "true" }, "×"), unseen("Remove this context")], () => removed(list, row), {
      look: "bare",
      title: "Remove",
    }),
  );
  row.given = context;
  list.append(row);
  text.addEventListener("input", () => grow(text));
  put(text, context.text);
  return row;
};

const removed = (list, row) => {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  (next ?? rowOf(list, BLANK)).querySelector("textarea").focus();
  say("Context removed.");
};

const contextOf = (row) => {
  const { id, title } = row.given;
  return { ...(id ? { id } : {}), ...(title ? { title } : {}), text: row.querySelector("textarea").value };
};
