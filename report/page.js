"use strict";
// What makes the page handier: filters, and stepping through an interleaving. It only moves and marks what the
// page has; all texts are set as text.
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  document.documentElement.classList.add("js");
  for (const e of all("[data-js]")) e.hidden = false;
  const contents = document.querySelector("nav details");
  if (contents && window.innerWidth < 900) contents.open = false;

  // Filters.
  const selects = all("select[data-filter]"), shown = document.querySelector("[data-shown]");
  const filter = () => {
    let count = 0, total = 0;
    for (const cause of all("section.cause")) {
      let here = 0;
      for (const v of all(".violation", cause)) {
        v.hidden = selects.some(s => s.value !== "" && v.getAttribute("data-" + s.dataset.filter) !== s.value);
        total++;
        if (!v.hidden) here++;
      }
      cause.hidden = here === 0;
      const entry = document.querySelector('nav [data-for="' + cause.id + '"]');
      if (entry) entry.hidden = here === 0;
      count += here;
    }
    if (shown) shown.textContent = count === total ? "" : count + " of " + total + " shown";
  };
  for (const s of selects) s.addEventListener("change", filter);
  for (const b of all("button[data-fold]")) {
    b.addEventListener("click", () => {
      for (const v of all(".violation")) v.open = b.dataset.fold === "open";
    });
  }

  // The place that the address names is opened, in whatever it is folded into.
  const open = () => {
    let e = document.getElementById(location.hash.slice(1));
    if (!e) return;
    for (let d = e; d; d = d.parentElement) if (d.tagName === "DETAILS") d.open = true;
    e.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  if (location.hash) open();

  // Stepping.
  const players = new Map();
  const player = figure => {
    let p = players.get(figure);
    if (!p) {
      const cells = all("[data-cell]", figure);
      p = {at: 0, rows: all("tr[data-step]", figure), cells: cells, start: cells.map(c => c.textContent)};
      players.set(figure, p);
    }
    return p;
  };
  const lines = (id, into) => {
    into.replaceChildren();
    const line = id && document.getElementById(id), around = innerWidth < 640 ? 2 : 5;
    into.hidden = !line;
    if (!line) return;
    let first = line;
    for (let i = 0; i < around && first.previousElementSibling && !first.classList.contains("gap"); i++) {
      first = first.previousElementSibling;
    }
    for (let e = first, after = 0; e && after <= around; e = e.nextElementSibling) {
      if (e !== first && e.classList.contains("gap")) break;
      const copy = e.cloneNode(true);
      copy.removeAttribute("id");
      copy.classList.remove("gap");
      if (e === line) copy.classList.add("lit");
      into.append(copy);
      if (e === line || after) after++;
    }
  };
  const go = (figure, to) => {
    const p = player(figure);
    p.at = Math.max(0, Math.min(p.rows.length, to));
    figure.classList.add("playing");
    figure.querySelector(".side").hidden = false;
    const texts = p.start.slice(), changed = new Set();
    let waits = [[], "Nobody holds a lock or waits."];
    p.rows.forEach((row, i) => {
      const now = i === p.at - 1;
      row.classList.toggle("now", now);
      if (now) row.setAttribute("aria-current", "step"); else row.removeAttribute("aria-current");
      if (i < p.at && row.dataset.waits) waits = JSON.parse(row.dataset.waits);
      if (i >= p.at || !row.dataset.change) return;
      for (const [cell, text] of JSON.parse(row.dataset.change)) {
        texts[cell] = text;
        if (now) changed.add(cell);
      }
    });
    p.cells.forEach((c, i) => {
      c.textContent = texts[i];
      c.classList.toggle("changed", changed.has(i));
      c.classList.toggle("idle", c.cellIndex > 1 && texts[i] === p.start[i]); // what was not read yet
    });
    all("[data-arrow]", figure).forEach((arrow, i) => arrow.toggleAttribute("hidden", !(waits[0] || []).includes(i)));
    for (const said of all("[data-waits-said]", figure)) said.textContent = waits[1];
    const row = p.rows[p.at - 1];
    figure.querySelector(".said").textContent = row
      ? "Step " + p.at + " of " + p.rows.length + ". " + row.dataset.said : "Before the first step";
    const back = figure.querySelector('[data-go="back"]'), on = figure.querySelector('[data-go="on"]');
    back.disabled = figure.querySelector('[data-go="first"]').disabled = p.at === 0;
    on.disabled = figure.querySelector('[data-go="last"]').disabled = p.at === p.rows.length;
    if (document.activeElement && document.activeElement.disabled) figure.focus();
    lines(row && row.dataset.line, figure.querySelector(".lines"));
    if (row) row.scrollIntoView({block: "nearest"});
  };
  const moves = {first: () => 0, back: p => p.at - 1, on: p => p.at + 1, last: p => p.rows.length};
  const keys = {ArrowLeft: "back", ArrowUp: "back", ArrowRight: "on", ArrowDown: "on", Home: "first", End: "last"};
  document.addEventListener("click", event => {
    const figure = event.target.closest(".player");
    if (!figure || event.target.closest("a")) return;
    const button = event.target.closest("button[data-go]"), row = event.target.closest("tr[data-step]");
    if (button) go(figure, moves[button.dataset.go](player(figure)));
    else if (row) go(figure, player(figure).rows.indexOf(row) + 1);
  });
  document.addEventListener("keydown", event => {
    const figure = event.target.closest && event.target.closest(".player"), key = keys[event.key];
    if (!figure || !key || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("pre")) return;
    event.preventDefault();
    go(figure, moves[key](player(figure)));
  });
})();
