// Parts of forms: labelled fields, buttons, a line that says what is going on. Left out: contexts (`contexts.js`).

import { fill, h, say } from "./dom.js";

let made = 0;

// A label over a control. Returns {box, control}.
export const field = (label, control, hint = null) => {
  const id = `f${++made}`;
  control.id = id;
  const told = hint ? h("p", { class: "hint soft small", id: `${id}h` }, hint) : null;
  if (told) control.setAttribute("aria-describedby", told.id);
  return { box: h("div", { class: "field" }, h("label", { for: id }, label), control, told), control };
};

// A text area that grows with its text.
export const area = (props = {}) => {
  const node = h("textarea", { rows: 2, dir: "auto", spellcheck: "false", autocomplete: "off", ...props });
  node.addEventListener("input", () => grow(node));
  return node;
};

// Give a text area the text, and the height that it needs.
export const put = (node, text) => {
  node.value = text ?? "";
  grow(node);
};

export const grow = (node) => {
  if (node.isConnected && !CSS.supports("field-sizing", "content")) {
    node.style.height = "auto";
    node.style.height = `${node.scrollHeight + 2}px`;
  }
};

export const button = (label, act, { look = "quiet", ...props } = {}) =>
  h("button", { type: "button", class: look, on: { click: act }, ...props }, label);

export const choice = (options, props = {}) =>
  h(
    "select",
    props,
    options.map(([value, name]) => h("option", { value }, name)),
  );

export const count = (value, low, high, props = {}) =>
  h("input", { type: "number", value, min: low, max: high, inputmode: "numeric", ...props });

// A line that says what is going on or what went wrong. Errors are said at once, the rest when there is a pause.
export const status = () => {
  const node = h("p", { class: "status small" });
  return {
    node,
    tell(text, { busy = false } = {}) {
      node.className = `status small${busy ? " busy" : ""}`;
      node.removeAttribute("role");
      fill(node, text);
      if (text) say(text);
    },
    fail(error) {
      node.className = "status wrong";
      node.setAttribute("role", "alert");
      fill(node, error.line ?? error.message);
    },
  };
};

// A form that asks: its button, one question at a time, and a way to stop it. `run(signal)` is what is asked.
export const asking = (label, state, run) => {
  let running = null;
  const go = h("button", { type: "submit", class: "primary" }, label);
  const stop = button("Stop", () => running?.abort(), { hidden: true });
  const start = async () => {
    running?.abort();
    const mine = (running = new AbortController());
    stop.hidden = false;
    go.setAttribute("aria-busy", "true");
    try {
      await run(mine.signal);
    } catch (error) {
      if (error.name !== "AbortError") state.fail(error);
      else if (running === mine) state.tell("Stopped.");
    } finally {
      if (running === mine) {
        running = null;
        stop.hidden = true;
        go.removeAttribute("aria-busy");
      }
    }
  };
  return { go, stop, start };
};

// A form around parts; Ctrl+Enter in any of its fields asks too.
export const form = (name, start, ...children) =>
  h(
    "form",
    {
      class: "card ask",
      "aria-label": name,
      novalidate: true,
      on: {
        submit: (event) => {
          event.preventDefault();
          start();
        },
        keydown: (event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            start();
          }
        },
      },
    },
    children,
  );
