"use strict";
(() => {
  const root = document.documentElement;
  const tree = document.getElementById("tree");
  const panel = document.getElementById("panel");
  root.classList.add("js");

  // A citation's words may stand in several pieces: light all of them, not only the one that the link leads to.
  const light = () => {
    const name = location.hash.slice(1);
    for (const mark of document.querySelectorAll("mark.cited")) {
      mark.classList.toggle("lit", mark.dataset.cites.split(" ").includes(name));
    }
  };
  addEventListener("hashchange", light);
  light();
  if (!tree || !panel) return;

  const nodes = [...tree.querySelectorAll("a.node")];
  const byNumber = new Map(nodes.map((node) => [node.dataset.number, node]));
  const edges = [...tree.querySelectorAll(".edge")];
  const parents = (node) => node.dataset.parents.split(" ").filter((number) => byNumber.has(number));
  const children = (node) => nodes.filter((other) => parents(other).includes(node.dataset.number));

  // All that `start` descends from, itself included.
  const line = (start) => {
    const found = new Set();
    const waiting = [start];
    while (waiting.length) {
      const node = waiting.pop();
      if (found.has(node)) continue;
      found.add(node);
      waiting.push(...parents(node).map((number) => byNumber.get(number)));
    }
    return found;
  };

  const show = (node, chosen) => {
    const near = line(node);
    const offspring = new Set(children(node));
    for (const other of nodes) {
      if (other === node) other.setAttribute("aria-current", "true");
      else other.removeAttribute("aria-current");
      other.tabIndex = other === node ? 0 : -1;
      other.classList.toggle("near", near.has(other) || offspring.has(other));
    }
    for (const edge of edges) {
      const from = byNumber.get(edge.dataset.from);
      const to = byNumber.get(edge.dataset.to);
      edge.classList.toggle("near", (near.has(from) && near.has(to)) || from === node);
    }
    tree.classList.toggle("picked", chosen);
    panel.scrollTop = 0;
    for (const article of panel.children) {
      const wanted = article.querySelector(".body").id === "c" + node.dataset.number;
      article.classList.toggle("chosen", wanted);
      article.open = wanted;
    }
  };

  const inColumn = (node, step) => {
    const column = nodes.filter((other) => other.dataset.generation === node.dataset.generation);
    return column[column.indexOf(node) + step];
  };
  const inNextColumn = (node, step) => {
    const generations = [...new Set(nodes.map((other) => Number(other.dataset.generation)))].sort((a, b) => a - b);
    const wanted = generations[generations.indexOf(Number(node.dataset.generation)) + step];
    return nodes.find((other) => Number(other.dataset.generation) === wanted);
  };
  const steps = {
    ArrowUp: (node) => inColumn(node, -1),
    ArrowDown: (node) => inColumn(node, 1),
    ArrowLeft: (node) => byNumber.get(parents(node)[0]) || inNextColumn(node, -1),
    ArrowRight: (node) => children(node)[0] || inNextColumn(node, 1),
  };

  for (const node of nodes) node.addEventListener("focus", () => show(node, true));
  tree.addEventListener("keydown", (event) => {
    const node = event.target.closest("a.node");
    const next = node && steps[event.key] && steps[event.key](node);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#c"]');
    const node = link && byNumber.get(link.getAttribute("href").slice(2));
    if (!node) return;
    event.preventDefault();
    node.focus({ preventScroll: link === node });
    show(node, true);
    const below = panel.getBoundingClientRect().top > tree.getBoundingClientRect().bottom;
    if (below) panel.scrollIntoView({ block: "nearest" }); // on a narrow screen
  });
  panel.addEventListener("click", (event) => {
    if (event.target.closest("summary")) event.preventDefault(); // with the script it is a heading
  });
  for (const summary of panel.querySelectorAll("summary")) summary.tabIndex = -1;

  const wanted = byNumber.get(location.hash.slice(2));
  show(wanted || tree.querySelector("a.best") || nodes[0], Boolean(wanted));
})();
