"use strict";
(() => {
  document.documentElement.classList.add("js");

  for (const slider of document.querySelectorAll(".slider")) {
    const input = slider.querySelector("input");
    const output = slider.querySelector("output");
    const alarms = slider.dataset.alarms.split(" ").map(Number);
    const misses = slider.dataset.misses.split(" ").map(Number);
    const show = () => {
      const at = Number(input.value);
      const threshold = (at / (alarms.length - 1)).toFixed(2);
      output.textContent =
        `${threshold}: ${alarms[at].toFixed(0)} false alarms, ${misses[at].toFixed(0)} misses in 1 000 answers`;
    };
    input.addEventListener("input", show);
    show();
  }

  // A link to a folded cell unfolds it.
  const unfold = () => {
    const cell = document.getElementById(location.hash.slice(1));
    if (cell && cell.tagName === "DETAILS") cell.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
