// Elements are made and never pasted together: a string is always text, whatever it holds.
//
// What could hide in a text or turn its direction (controls, direction marks, lone surrogates) is drawn as a visible
// escape, as `groundwire.pages.markup` does. Left out: what the elements mean.

const SVG = "http://www.w3.org/2000/svg";
const BREAKS = /\r\n?|[\v\f\x85\u2028\u2029]/g;
const BLANKS = /\p{Zs}/gu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
const KEPT = "\n\t\u200c\u200d";
const REFUSED = /^(?:on|style$|src|action$|formaction$|xlink)/i;

const escaped = (character) => {
  if (KEPT.includes(character)) return character;
  const code = character.codePointAt(0);
  const [letter, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(width, "0")}`;
};

// A text with its lines kept, and everything that is not plainly printable as a visible escape.
export const shown = (text) => String(text).replace(BREAKS, "\n").replace(BLANKS, " ").replace(HIDDEN, escaped);

// An HTML element. Properties are attributes, and `on` its listeners; children are nodes or texts, null is left out.
export const h = (tag, props, ...children) => dressed(document.createElement(tag), props, children);

// An SVG element.
export const s = (tag, props, ...children) => dressed(document.createElementNS(SVG, tag), props, children);

// Give an element these children and no others.
export const fill = (node, ...children) => {
  node.replaceChildren(...nodes(children));
  return node;
};

// A text for readers of screens alone. Its direction is its own, so that it does not decide that of the text around it.
export const unseen = (text) => h("span", { class: "unseen", dir: "ltr" }, text);

// A number for people: a true minus, a dash for none.
export const number = (value, digits = 2) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const written = Math.abs(value).toFixed(digits);
  const [whole, part] = written.split(".");
  const apart = whole.replace(/\B(?=(?:\d{3})+$)/g, "\u202f");
  return (value < 0 && Number(written) > 0 ? "−" : "") + apart + (part ? `.${part}` : "");
};

// A count with the name of what is counted.
export const plural = (count, name, many = `${name}s`) => `${number(count, 0)} ${count === 1 ? name : many}`;

// A reason as the server gives it, as a sentence.
export const sentenced = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Tell readers of screens.
export const say = (text) => {
  document.getElementById("live").textContent = shown(text);
};

// True where motion is welcome.
export const moves = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

const nodes = (children) =>
  children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(shown(child))));

const dressed = (node, props, children) => {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    } else if (REFUSED.test(name) || (name === "href" && !/^#|^blob:/.test(value))) {
      throw new Error(`an attribute that texts could misuse: ${name}`);
    } else {
      node.setAttribute(name, value === true ? "" : shown(value));
    }
  }
  node.append(...nodes(children));
  return node;
};
