// What a page is looked at for; given the name of a check, returns what is wrong.
(what) => {
  const unnamed = () => {
    const named = (node) => {
      const by = (node.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join("");
      const labels = [...(node.labels ?? [])].map((label) => label.textContent).join("");
      return (node.getAttribute("aria-label") || by || labels || node.textContent || node.title || "").trim();
    };
    const seen = (node) => node.checkVisibility({ visibilityProperty: true });
    const controls =
      "button, a[href], input, textarea, select, summary, [role=button], [role=img], [role=region], [tabindex='0']";
    return [...document.querySelectorAll(controls)]
      .filter((node) => seen(node) && !named(node))
      .map((node) => node.outerHTML.slice(0, 120));
  };
  const contrast = () => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (top, under) => top.slice(0, 3).map((c, n) => c * top[3] + under[n] * (1 - top[3]));
    const behind = (node) => {
      const layers = [];
      for (let at = node; at instanceof Element; at = at.parentElement) {
        const style = getComputedStyle(at);
        layers.push(rgba(style.backgroundColor));
        // The darker or lighter strokes of a pattern count as if they covered everything.
        const stroke = style.backgroundImage.match(/(?:color|rgba?|oklab)\([^)]*\)/);
        if (stroke) layers.splice(-1, 0, rgba(stroke[0]));
        if (layers.at(-1)[3] === 1) break;
      }
      return layers
        .reverse()
        .reduce((under, top) => over(top, under), rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3));
    };
    const light = (c) => {
      const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const poor = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (
        !walker.currentNode.data.trim() ||
        node.closest("svg, noscript, .unseen, :disabled") ||
        !node.checkVisibility()
      )
        continue;
      const under = behind(node);
      const [a, b] = [light(over(rgba(getComputedStyle(node).color), under)), light(under)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5)
        poor.add(
          `${node.tagName}.${node.className}: ${ratio.toFixed(2)} "${walker.currentNode.data.trim().slice(0, 30)}"`,
        );
    }
    for (const node of document.querySelectorAll("svg text")) {
      const back = node.closest(".node")
        ? getComputedStyle(node.closest(".node").querySelector(".disc")).fill
        : node.closest(".dot")
          ? getComputedStyle(node.closest(".dot").querySelector("circle")).fill
          : null;
      const under = back ? rgba(back).slice(0, 3) : behind(node.closest("svg").parentElement);
      const [a, b] = [light(rgba(getComputedStyle(node).fill).slice(0, 3)), light(under)].sort((x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5)
        poor.add(`svg ${node.getAttribute("class")}: ${((a + 0.05) / (b + 0.05)).toFixed(2)} "${node.textContent}"`);
    }
    return [...poor];
  };
  const structure = () => {
    const problems = [];
    const count = (what) => document.querySelectorAll(what).length;
    for (const what of ["header", "main", "nav[aria-label]", "footer", "h1"])
      if (count(what) !== 1 && what !== "header") problems.push(`${count(what)} × ${what}`);
    const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5")]
      .filter((h) => h.checkVisibility())
      .map((h) => Number(h.tagName[1]));
    levels.forEach((level, n) => {
      if (n && level > levels[n - 1] + 1) problems.push(`h${level} behind h${levels[n - 1]}`);
    });
    const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
    if (new Set(ids).size !== ids.length) problems.push("an id stands twice");
    if (!document.documentElement.lang) problems.push("no language");
    if (count("[tabindex]:not([tabindex='0']):not([tabindex='-1'])")) problems.push("an order of focus of its own");
    for (const table of document.querySelectorAll("table"))
      if (!table.querySelector("th[scope]")) problems.push("a table without heads");
    for (const list of document.querySelectorAll("ul, ol"))
      for (const child of list.children) if (child.tagName !== "LI") problems.push("a list of others");
    if (count("#live[role=status]") !== 1) problems.push("nowhere to tell");
    return problems;
  };
  return { unnamed, contrast, structure }[what]();
};
