/* The panels beside the picture: the queue, the log, the spec, and the values of one vertex. */

import { findStarts, summarize, traceCauses } from "./causes.js";
import { createHtml, getHeight, scrollToMiddle } from "./dom.js";
import { TERMS } from "./film.js";
import { shorten } from "./reasons.js";

const LINE = 20; // the height of a line of the log and of the spec, in pixels
const SHOWN = 60; // maximum number of queue entries that are listed

/* The panel of the propagation queue, its head first: vertices, values with one remaining place, and propagators. */
export class Queue {
  constructor(film, place, inspect) {
    Object.assign(this, { film, place });
    place.addEventListener("scroll", () => { this.isScrolled = place.scrollLeft > 0; });
    place.addEventListener("click", ({ target: { dataset } }) => {
      if (dataset.vertex || dataset.constraint) inspect(Number(dataset.vertex ?? film.data.constraints[dataset.constraint].scope[0]));
    });
  }

  /* List the first entries of the queue. */
  update() {
    const { film, place } = this, { queue, data: { waiting, vertices, constraints } } = film;
    const entries = queue.slice(0, SHOWN).map((entry, i) => {
      const [name, v, c] = waiting[entry], label = name || (vertices[v] ?? constraints[c]).name, next = i ? "" : "next: ";
      const kind = [i ? "" : "head", v < 0 ? "group" : film.marked[v] ? "marked" : ""].join(" ").trim();
      const what = v < 0 ? (name ? `one place is left: ${name}` : `propagator: ${label}`) : film.marked[v] ? `${label} is marked` : `${label} is fixed`;
      return createHtml("b", { class: kind, title: next + what, ...(v < 0 ? { "data-constraint": c } : { "data-vertex": v }) }, label);
    });
    const more = queue.length > SHOWN ? [` and ${queue.length - SHOWN} more`] : [];
    place.replaceChildren(createHtml("span", { title: `marked: ${TERMS.marked}` }, `queue: ${queue.length || "empty"} `), ...entries, ...more);
    if (this.isScrolled) place.scrollLeft = 0;
  }
}

/* The algorithm in words: each line has the kinds of records at which it is lit. */
export class Algorithm {
  constructor(film, place) { Object.assign(this, { film, lines: [...place.children] }); }

  /* Light the line that the present record carries out. */
  update() {
    const kind = this.film.getRecord()?.kind;
    this.lines.forEach((line) => {
      const isNow = line.dataset.kinds.split(" ").includes(kind);
      line.classList.toggle("now", isNow);
      line.setAttribute("aria-current", isNow);
    });
  }
}

/* The panel of all captions. Only lines near the visible part are on the page, because thousands would slow every step. */
export class Log {
  constructor(film, list, seek) {
    Object.assign(this, { film, list, seek, cursor: 0, causes: new Map() });
    this.lines = [{ kind: "round", text: film.opening }, ...film.data.records];
    this.top = 0;
    list.addEventListener("scroll", () => { this.top = list.scrollTop; this.draw(); });
    list.addEventListener("click", ({ target }) => { if (target.dataset.at) seek(Number(target.dataset.at)); });
    list.addEventListener("keydown", (event) => this.handleKey(event));
    let high = getHeight(list);
    new ResizeObserver(() => { if (!high && list.clientHeight) this.update(); high = list.clientHeight; }).observe(list); // the panel becomes visible
  }

  /* Move the cursor of the log with the arrow and page keys, Home and End; Enter moves the film to its line. */
  handleKey(event) {
    const last = this.lines.length - 1, page = Math.max(1, Math.floor(this.list.clientHeight / LINE) - 1);
    const to = { ArrowUp: this.cursor - 1, ArrowDown: this.cursor + 1, PageUp: this.cursor - page, PageDown: this.cursor + page, Home: 0, End: last };
    if (event.key === "Enter") this.seek(this.cursor);
    else if (event.key in to) {
      this.cursor = Math.min(last, Math.max(0, to[event.key]));
      this.top = scrollToMiddle(this.list, this.cursor * LINE, LINE);
      this.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /* Highlight the records of a chain of causes. */
  highlight(causes) {
    this.causes = causes;
    this.draw();
  }

  /* Scroll to the line of the present record. */
  update() {
    this.cursor = this.film.position;
    this.top = scrollToMiddle(this.list, this.cursor * LINE, LINE);
    this.draw();
  }

  /* Draw the visible lines, with empty space in place of the others, unless nothing has changed. */
  draw() {
    const { film, list, lines } = this, first = Math.max(0, Math.floor(Math.min(this.top, lines.length * LINE) / LINE) - 8);
    const last = Math.min(lines.length, first + Math.ceil(getHeight(list) / LINE) + 16);
    // Draw only if another line is visible, present, focused or highlighted.
    const space = (rows) => createHtml("div", { style: `height:${rows * LINE}px`, "aria-hidden": "true" });
    const lit = film.position - Math.max(1, film.getVisibleRecords().length);
    const state = [first, last, lit, film.position, this.cursor, ...this.causes.keys()].join();
    if (state === this.drawn) return;
    this.drawn = state;
    // Create the visible lines, with their states as classes.
    const drawn = lines.slice(first, last).map(({ kind, text: caption }, i) => {
      const at = first + i, now = at > lit && at <= film.position;
      const states = [kind === "round" || kind === "rest" ? "tick" : "", now ? "now" : "", this.causes.has(at - 1) ? "because" : ""];
      const line = createHtml("div", { "data-at": at, class: states.join(" "), role: "option", id: `log-${at}`, "aria-selected": now, title: caption }, shorten(caption));
      if (at === this.cursor) line.classList.add("cursor");
      return line;
    });
    list.replaceChildren(space(first), ...drawn, space(lines.length - last));
    list.setAttribute("aria-activedescendant", `log-${this.cursor}`);
  }
}

/* The panel of the spec and its included files. */
export class Source {
  constructor(film, list) {
    Object.assign(this, { film, list, highlighted: [], rows: new Map() });
    for (const [file, text] of Object.entries(film.data.sources)) {
      if (file) list.append(createHtml("li", { class: "file" }, file));
      text.trimEnd().split("\n").forEach((line, i) => {
        this.rows.set(`${file && `${file}:`}${i + 1}`, list.children.length);
        list.append(createHtml("li", { value: i + 1, tabindex: -1, "data-lines": `${file && `${file}:`}${i + 1}` }, line));
      });
    }
    list.parentElement.hidden = !list.textContent;
  }

  /* Return the lines of a constraint, or the lines of the constraints that it follows from. */
  findLines(c) {
    const { constraints } = this.film.data, { line, origins } = constraints[c];
    return (line ? [line] : (origins || []).map((origin) => constraints[origin].line)).filter(Boolean);
  }

  /* Highlight the lines of active constraints; without any, scroll to the line of the last active constraint. */
  update(scene) {
    this.highlighted.forEach((line) => line.classList.remove("lit"));
    const rows = (lines) => lines.map((line) => this.rows.get(String(line))).filter((row) => row !== undefined);
    const active = rows([...new Set([...scene.constraints].flatMap((c) => this.findLines(c)).concat(...scene.relies))]);
    this.highlighted = active.map((row) => this.list.children[row]);
    this.highlighted.forEach((line) => line.classList.add("lit"));
    // Scroll to the first highlighted line.
    const { data: { records }, position } = this.film;
    const last = records.findLast(({ constraint }, i) => i < position && constraint !== undefined);
    const first = Math.min(...(active.length || !last ? active : rows(this.findLines(last.constraint))));
    scrollToMiddle(this.list, (Number.isFinite(first) ? first : 0) * LINE, LINE);
  }
}

/* The panel of the values of one vertex: remaining values, and for each removed value its step and its causes. */
export class Inspector {
  constructor(film, place, seek, light, close) {
    Object.assign(this, { film, place, seek, light, close, vertex: null });
    this.why = createHtml("p", { class: "why", "aria-live": "polite" });
    for (const kind of ["focusin", "pointerover", "click"]) {
      place.addEventListener(kind, ({ target }) => {
        if (target.dataset?.record !== undefined) this.explain(target, kind === "click");
      });
    }
    this.update();
  }

  /* Explain a removal or a found value and highlight its chain of causes; `isSeeking` also moves the film there. */
  explain({ dataset: { code, record } }, isSeeking) {
    const { film } = this, whole = traceCauses(film, code ? [[Number(code), film.position]] : findStarts(film, this.vertex));
    this.why.textContent = `${film.data.records[record].text} · rests on ${summarize(film, new Map([...whole].slice(0, -1)))}`;
    this.light(whole);
    if (isSeeking) this.seek(Number(record) + 1);
  }

  /* Show the values of a vertex; null closes the panel. */
  open(v) {
    this.vertex = v;
    this.why.textContent = "";
    this.update();
  }

  /* List the values of the vertex; a focused value keeps the focus. */
  update() {
    const { film, vertex: v } = this;
    if (this.place.hidden !== (v === null)) this.place.hidden = v === null;
    if (v === null) return;
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.record : undefined;
    const items = film.data.vertices[v].domain.map((value) => createHtml("li", {}, this.createItem(v, value)));
    const mark = film.marked[v] ? " *" : "";
    const close = createHtml("button", { class: "close", "aria-label": "close" }, "×");
    close.addEventListener("click", () => this.close());
    this.place.replaceChildren(createHtml("h2", {}, film.data.vertices[v].name + mark, close), createHtml("ul", {}, ...items), this.why);
    if (focused !== undefined) this.place.querySelector(`[data-record="${focused}"]`)?.focus();
  }

  /* Create the entry of a value: a button if a record found or removed it, else plain text. */
  createItem(v, value) {
    const name = this.film.data.values[value];
    if (this.film.isRemaining(v, value)) {
      const by = this.film.findSettler(v);
      return by === undefined ? createHtml("span", { class: "left" }, name)
        : createHtml("button", { class: "left", "data-record": by, "aria-label": `${name} found: ${this.film.data.records[by].text}` }, name);
    }
    const at = this.film.findRemoverOf(v, value);
    if (at === undefined) return createHtml("span", { class: "missing" }, name); // before the film began
    const why = `${name} removed: ${this.film.data.records[at].text}`;
    return createHtml("button", { class: "missing", "data-record": at, "data-code": v * this.film.width + value, "aria-label": why }, name);
  }
}
