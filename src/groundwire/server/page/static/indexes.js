// The indexes that the server has open, as a choice. Left out: what is done with them.

import { get } from "./api.js";
import { fill, h, number } from "./dom.js";
import { field } from "./fields.js";

export const listed = async () => {
  const told = await get("v1/indexes");
  const found = told.indexes ?? told.data ?? told;
  return Array.isArray(found) ? found : Object.entries(found).map(([name, info]) => ({ name, ...info }));
};

// A choice of index. `load()` asks the server, and the first time chooses the first index where there is one; `also` are
// options before the indexes.
export const indexChoice = (also = []) => {
  const { box, control } = field("Index", h("select"));
  const none = h(
    "p",
    { class: "warning small", hidden: true },
    "This server has no index. Start it with one: ",
    h("code", null, "groundwire serve --index NAME=DIR"),
    ".",
  );
  const whole = h("div", null, box, none);
  return {
    box: whole,
    control,
    async load() {
      const chosen = control.options.length ? control.value : null;
      const found = await listed();
      fill(
        control,
        also.map(([value, name]) => h("option", { value }, name)),
        found.map(({ name, passages }) =>
          h("option", { value: name }, passages === undefined ? name : `${name} (${number(passages, 0)} passages)`),
        ),
      );
      const wanted = chosen ?? found[0]?.name;
      if ([...control.options].some((option) => option.value === wanted)) control.value = wanted;
      none.hidden = found.length > 0 || also.length > 0;
      box.hidden = !none.hidden;
      return found;
    },
  };
};
