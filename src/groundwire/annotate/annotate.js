"use strict";
(() => {
  const main = document.querySelector("main");
  const told = main.dataset;

  const field = document.getElementById("name");
  if (field) {
    const begin = () => {
      const name = field.value.trim();
      if (name) location.assign("?" + new URLSearchParams({ name }));
      else field.focus();
    };
    document.getElementById("begin").addEventListener("click", begin);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) begin();
    });
    field.focus();
    return;
  }

  // Only time in which the item could be seen counts.
  let seen = 0;
  let since = document.hidden ? null : performance.now();
  document.addEventListener("visibilitychange", () => {
    if (since !== null) seen += performance.now() - since;
    since = document.hidden ? null : performance.now();
  });
  const seconds = () => (seen + (since === null ? 0 : performance.now() - since)) / 1000;

  // In a long text the first highlighted words are brought before the eyes.
  for (const card of document.querySelectorAll(".card.prose")) {
    const mark = card.querySelector("mark");
    if (mark && card.scrollHeight > card.clientHeight) card.scrollTop = mark.offsetTop - card.clientHeight / 3;
  }

  const line = document.getElementById("said");
  const say = (text, wrong) => {
    if (!line) return;
    line.textContent = text;
    line.classList.toggle("wrong", Boolean(wrong));
  };
  const buttons = [...document.querySelectorAll("button")];
  const hold = (held) => buttons.forEach((button) => { button.disabled = held; });
  const drawn = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  // What this window has judged, for undo; another window has its own.
  const key = `judged ${told.name}${"adjudicating" in told ? " adjudicating" : ""}`;
  const past = () => { try { return JSON.parse(sessionStorage.getItem(key)) || []; } catch { return []; } };
  const remember = (list) => { try { sessionStorage.setItem(key, JSON.stringify(list)); } catch { /* no undo then */ } };

  // A press that failed keeps its number, so that sending it again writes it once.
  let busy = false;
  let pending = null;
  const send = async (at, choice, then) => {
    if (busy) return;
    busy = true;
    hold(true);
    say("saving …");
    if (!pending || pending.at !== at || pending.choice !== choice) {
      pending = { once: drawn(), at, choice, seconds: seconds() };
    }
    try {
      const reply = await fetch("judge", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...pending, name: told.name, adjudicate: "adjudicating" in told }),
        signal: AbortSignal.timeout(15000),
      });
      const said = await reply.json();
      if (!reply.ok) throw new Error(said.error);
      pending = null;
      then(said);
    } catch (error) {
      say(`Not saved: ${error.message}. Press the key again.`, true);
      hold(false);
      busy = false;
    }
  };

  const judge = (choice) => {
    const at = Number(told.at);
    send(at, choice, (said) => {
      remember([...past().filter((n) => n !== at), at].slice(-1000));
      location.assign(said.next);
    });
  };
  const undo = () => {
    const list = past();
    const at = list.length ? list[list.length - 1] : "judged" in told ? Number(told.at) : null;
    if (at === null) return say("Nothing to undo in this window.");
    send(at, null, (said) => {
      remember(list.slice(0, -1));
      location.assign(said.here);
    });
  };
  const go = (address, none) => (address ? location.assign(address) : say(none));

  const actions = {
    j: () => go(told.behind, "This is the last item."),
    k: () => go(told.before, "This is the first item."),
    n: () => go(told.open, ""),
    u: () => undo(),
    o: () => go(told.standing, ""),
  };
  const choices = [...document.querySelectorAll("[data-choice]")];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || busy) return;
    const at = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    const action = Object.hasOwn(actions, event.key.toLowerCase()) ? actions[event.key.toLowerCase()] : null;
    if (at >= 0 && at < choices.length) judge(at);
    else if (action) action();
    else return;
    event.preventDefault();
  });
  for (const button of choices) button.addEventListener("click", () => judge(Number(button.dataset.choice)));
  for (const button of document.querySelectorAll("[data-key]")) {
    button.addEventListener("click", () => actions[button.dataset.key]());
  }
})();
