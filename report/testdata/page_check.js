"use strict";
// Looks at the page that it was put into, as a reader would, and tells the tests what is wrong with it.
addEventListener("load", () => {
  const problems = [], all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const fail = text => { if (problems.length < 20) problems.push(text); };
  const loaded = performance.now();
  const name = e => e.tagName.toLowerCase() + (e.className ? "." + e.className : "") + " " +
    JSON.stringify((e.textContent || "").trim().slice(0, 40));
  const isPhone = innerWidth < 640;

  // Ids are unique, and links lead somewhere.
  const ids = new Set();
  for (const e of all("[id]")) {
    if (ids.has(e.id)) fail("two elements with id " + e.id);
    ids.add(e.id);
  }
  for (const a of all("a[href^='#']")) {
    if (!document.getElementById(a.getAttribute("href").slice(1))) fail("no target: " + a.getAttribute("href"));
  }

  // Something is open at first, and all can be opened.
  const violations = all(".violation");
  if (violations.length > 0) {
    if (!violations.some(v => v.open) && violations.some(v => v.dataset.harm !== "none")) fail("nothing is open at first");
    document.querySelector("[data-fold=open]").click();
    if (!violations.every(v => v.open)) fail("not all are open");
  }
  for (const d of all("details")) d.open = true;

  // Stepping, by the keyboard alone.
  const press = (e, key) => e.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const players = all(".player").slice(0, 25);
  for (const p of players) {
    const rows = all("tr[data-step]", p), now = () => rows.findIndex(r => r.classList.contains("now"));
    const state = () => all("[data-cell]", p).map(c => c.textContent).join("|"), before = state();
    p.focus();
    if (document.activeElement !== p) fail("cannot be focused: " + name(p));
    let moved = false, waits = [[], ""], arrows = 0;
    rows.forEach((row, i) => {
      if (press(p, i % 2 ? "ArrowRight" : "ArrowDown")) fail("the browser scrolls at a key, too");
      if (now() !== i || row.getAttribute("aria-current") !== "step") fail("after " + (i + 1) + " keys at step " + (now() + 1));
      if (!p.querySelector(".said").textContent.includes("Step " + (i + 1) + " of " + rows.length)) fail("does not say the step");
      const lit = all(".lines .lit", p), line = document.getElementById(row.dataset.line || "");
      if (line && (lit.length !== 1 || lit[0].textContent !== line.textContent)) fail("not lit: " + row.dataset.line);
      if (!line && lit.length) fail("lit without a place: " + name(row));
      const box = row.cells[0].getBoundingClientRect();
      const there = document.elementFromPoint(box.left + box.width / 2, box.top + 8);
      if (!there || !row.contains(there)) fail("step " + (i + 1) + " is not in sight: " + (there ? name(there) : ""));
      const shown = lit[0] && lit[0].getBoundingClientRect();
      if (isPhone && shown && (shown.top < 0 || shown.bottom > innerHeight)) fail("the line is not in sight: " + name(lit[0]));
      moved = moved || state() !== before;
      if (row.dataset.waits) waits = JSON.parse(row.dataset.waits);
      const drawn = all("[data-arrow]", p).flatMap((a, k) => a.getBoundingClientRect().width > 0 ? [k] : []);
      if (p.querySelector(".waits") && drawn.join() !== (waits[0] || []).join()) {
        fail("step " + (i + 1) + " draws the arrows " + drawn.join() + ", not " + waits[0]);
      }
      if (drawn.length && p.querySelector("[data-waits-said]").textContent !== waits[1]) fail("the picture is not told in words");
      arrows += drawn.length;
    });
    if (p.querySelector(".waits") && !arrows) fail("a picture in which nobody holds or waits for anything");
    for (const text of all(".waits text", p)) {
      const [inner, outer] = [text, text.parentElement.querySelector("rect")].map(e => e.getBoundingClientRect());
      if (inner.left < outer.left || inner.right > outer.right) fail("wider than its node: " + name(text));
      if (outer.height < 20) fail("a picture too small to be read");
    }
    if (p.querySelector(".state") && !moved) fail("the state never changes: " + name(p));
    press(p, "ArrowRight");
    if (now() !== rows.length - 1) fail("goes past the end");
    press(p, "ArrowLeft");
    if (now() !== rows.length - 2) fail("does not go back");
    press(p, "End");
    if (now() !== rows.length - 1) fail("End does not go to the end");
    press(p, "Home");
    if (now() !== -1 || state() !== before) fail("Home does not go to the start");
    const on = p.querySelector("[data-go=on]");
    on.click();
    if (now() !== 0) fail("the button does not go on");
    rows[rows.length - 1].cells[1].click();
    if (now() !== rows.length - 1) fail("a click on a row does not go there");
    if (all("button", p).some(b => !b.getAttribute("aria-label"))) fail("a button without a name");
  }

  // Filters.
  for (const s of all("select[data-filter]")) {
    for (const o of Array.from(s.options)) {
      s.value = o.value;
      s.dispatchEvent(new Event("change"));
      const wanted = violations.filter(v => o.value === "" || v.getAttribute("data-" + s.dataset.filter) === o.value);
      const shown = violations.filter(v => v.offsetParent !== null);
      if (wanted.length === 0 || wanted.length !== shown.length || wanted.some(v => !shown.includes(v))) {
        fail(s.dataset.filter + "=" + o.value + ": " + shown.length + " shown, not " + wanted.length);
      }
      for (const c of all("section.cause")) {
        const entry = document.querySelector('nav [data-for="' + c.id + '"]');
        if (!entry || (entry.offsetParent === null) !== (c.offsetParent === null)) fail("contents and causes differ: " + c.id);
      }
    }
    s.value = "";
    s.dispatchEvent(new Event("change"));
  }

  // Layout: nothing is cut off.
  if (document.documentElement.scrollWidth > innerWidth) {
    fail("wider than the window: " + document.documentElement.scrollWidth);
  }
  for (const e of all("body *").slice(0, 4000)) { // a violation cuts off what is outside of it
    const box = e.getBoundingClientRect();
    if (box.width && (box.right > innerWidth + 1 || box.left < -1) && !e.closest("pre")) fail("outside the window: " + name(e));
  }
  for (const cell of all(".steps td").slice(0, 2000)) {
    const box = cell.getBoundingClientRect();
    if (cell.scrollWidth > cell.clientWidth + 1) fail("cut off: " + name(cell));
    if (!isPhone || !cell.textContent) continue;
    if (box.width < 0.8 * cell.closest("table").getBoundingClientRect().width) fail("not stacked: " + name(cell));
    if (!getComputedStyle(cell, "::before").content.includes(cell.dataset.g)) fail("of which goroutine? " + name(cell));
  }
  const range = document.createRange();
  for (const text of all(".state td").slice(0, 500).map(c => c.firstChild).filter(t => t)) {
    for (const word of text.data.matchAll(/[a-z]+/g)) { // plain words: of names as long as they like a part is fine
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (range.getClientRects().length > 1) fail("a broken word: " + word[0] + " of " + text.data);
    }
  }
  for (const table of isPhone ? [] : all(".steps").slice(0, 50)) {
    const heads = all("thead th", table);
    for (const cell of all("tbody td", table).filter(c => c.textContent)) {
      if (heads[cell.cellIndex].textContent !== cell.dataset.g) fail("in the wrong column: " + name(cell));
    }
  }

  // Contrast of every text with what it stands on.
  const parse = color => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] === 1) return c;
      if (c[3] > 0) fail("half transparent: " + name(e));
    }
    return [255, 255, 255];
  };
  let texts = 0;
  const measure = (e, pseudo) => {
    const style = getComputedStyle(e, pseudo);
    if (pseudo && (style.content === "none" || style.content === "normal")) return;
    const [a, b] = [luminance(parse(style.color)), luminance(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    texts++;
    if (ratio < 4.5) fail("contrast " + ratio.toFixed(2) + ": " + (pseudo || "") + " " + name(e));
    if (parseFloat(style.fontSize) < 12) fail("small: " + name(e));
  };
  for (const e of all("body *").slice(0, 4000)) {
    if (["SCRIPT", "OPTION"].includes(e.tagName) || e.offsetParent === null) continue;
    if (Array.from(e.childNodes).some(n => n.nodeType === 3 && n.textContent.trim())) measure(e);
    if (e.matches("pre span, td[data-g], td[data-h]")) measure(e, "::before");
  }

  const output = parent.document.createElement("output");
  output.id = "checked";
  output.textContent = JSON.stringify({Problems: problems, Texts: texts, Players: players.length, Loaded: loaded});
  parent.document.body.append(output);
});
