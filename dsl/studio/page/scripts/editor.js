/* The editor: a textarea over its coloured text, with a number for each line. */

import { colour } from "./colours.js";

const INSET = [8, 6]; // of the text, in pixels
const TAB = 4; // columns

export class Editor {
  constructor({ changed, moved, leftOut, over, pin }) {
    Object.assign(this, { changed, moved, leftOut, over, pin, before: [], marks: [], lit: new Set(), off: new Set(), spare: new Set(), meant: new Set(), pins: [] });
    const byId = (id) => document.getElementById(id);
    [this.area, this.colours, this.gutter, this.box] = [byId("text"), byId("colours"), byId("gutter"), byId("editor")];
    this.area.addEventListener("input", () => this.edited());
    this.area.addEventListener("scroll", () => this.scroll());
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.gutter.addEventListener("click", ({ target: { dataset: { line } }, shiftKey }) => { if (line && shiftKey) pin(this.clause(Number(line))); else if (line) leftOut(Number(line)); });
    this.box.addEventListener("mousemove", (event) => this.brush(this.row(event)));
    this.box.addEventListener("mouseleave", () => this.brush(0));
    this.area.addEventListener("keyup", ({ key }) => { if (/^(Arrow|Home|End|Page)/.test(key)) this.brush(this.line); });
    this.area.addEventListener("blur", () => this.brush(0));
    document.addEventListener("brush", ({ detail: { meant, pins } }) => {
      Object.assign(this, { meant, pins });
      this.number();
    });
  }

  get text() { return this.area.value; }

  get line() { return this.place(this.area.selectionStart).line; }

  /* The lines of a clause, by one of them: to where one ends it, or is empty. */
  clause(line) {
    const goesOn = this.text.split("\n").map((one) => /[^.]$/.test(one.replace(/%.*/, "").trim()));
    let first = line, last = line;
    while (goesOn[first - 2]) first -= 1;
    while (goesOn[last - 1]) last += 1;
    return Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
  }

  /* Another line is what is meant, or none. */
  brush(line) {
    if (line === this.brushed) return;
    this.brushed = line;
    this.over(line ? this.clause(line) : []);
  }

  /* Another text, without a way back. */
  open(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.before = text.split("\n");
    this.marks = [];
    this.draw();
  }

  /* Another text in the place of this one; Ctrl-Z goes back. Only what differs is typed. */
  put(text, focus = true) {
    const old = this.text;
    let start = 0, end = 0;
    while (start < Math.min(old.length, text.length) && old[start] === text[start]) start += 1;
    while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
    if (start === old.length && start === text.length) return;
    const before = document.activeElement, { selectionStart } = this.area;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, old.length - end);
    const put = text.slice(start, text.length - end);
    if (!document.execCommand(put ? "insertText" : "delete", false, put)) {
      this.area.setRangeText(put);
      this.edited();
    }
    if (!focus) {
      this.area.setSelectionRange(selectionStart, selectionStart);
      before?.focus({ preventScroll: true });
    }
  }

  /* Indent the selected lines, or outdent them; without a selection, insert spaces up to the next stop. */
  indent(isOut) {
    const { area, text } = this, { selectionStart: from, selectionEnd: to } = area;
    if (from === to && !isOut) {
      document.execCommand("insertText", false, " ".repeat(TAB - (this.place(from).column - 1) % TAB));
      return;
    }
    const last = from < to && text[to - 1] === "\n" ? to - 1 : to; // a line of which nothing is selected stays
    const start = text.slice(0, from).lastIndexOf("\n") + 1, end = text.indexOf("\n", last), stop = end < 0 ? text.length : end;
    const lines = text.slice(start, stop), moved = isOut ? lines.replace(/^ {1,4}/gm, "") : lines.replace(/^(?=.)/gm, " ".repeat(TAB));
    this.put(text.slice(0, start) + moved + text.slice(stop));
    if (from < to) area.setSelectionRange(start, start + moved.length);
    else area.setSelectionRange(...Array(2).fill(Math.max(start, from + moved.length - lines.length)));
  }

  apply(edits) {
    let { text } = this;
    const places = edits.map((edit) => [this.offset(edit.line, edit.column), edit]).sort((a, b) => b[0] - a[0]);
    for (const [start, edit] of places) text = text.slice(0, start) + edit.text + text.slice(start + edit.width);
    this.put(text);
  }

  /* Tell where the lines of the text before are now, if one has come or gone; a line that has gone is nowhere. */
  follow() {
    const old = this.before, now = this.before = this.text.split("\n"), more = now.length - old.length;
    if (!more) return;
    let first = 0, last = 0;
    while (last < Math.min(old.length, now.length) && old.at(-1 - last) === now.at(-1 - last)) last += 1;
    while (first < Math.min(old.length, now.length) - last && old[first] === now[first]) first += 1;
    this.moved((line) => (line > old.length - last ? line + more : line <= Math.max(first, now.length - last) ? line : 0));
  }

  edited() {
    this.follow();
    this.marks = this.found = [];
    this.spare = new Set();
    this.draw();
    this.changed();
  }

  key(event) {
    event.stopPropagation(); // the keys of the player are letters
    const isLeaving = this.escaped;
    if (event.key !== "Shift") this.escaped = event.key === "Escape";
    if (event.key === "Tab" && !isLeaving && !event.defaultPrevented) {
      event.preventDefault();
      this.indent(event.shiftKey);
    } else if (event.key === "F9") this.pin(this.clause(this.line));
    else if (event.key === "/" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.leftOut(this.line);
    }
  }

  /* Characters, counted as people count them, are two units where they are beyond the first plane. */
  offset(line, column) {
    let start = 0;
    for (let i = 1; i < line; i += 1) {
      const end = this.text.indexOf("\n", start);
      if (end < 0) return this.text.length;
      start = end + 1;
    }
    const rest = this.text.slice(start).split("\n", 1)[0];
    return start + [...rest].slice(0, column - 1).join("").length;
  }

  place(offset) {
    const before = this.text.slice(0, offset), start = before.lastIndexOf("\n") + 1;
    return { line: before.split("\n").length, column: [...before.slice(start)].length + 1 };
  }

  /* Where a place is in the editor, in pixels. */
  pixels({ line, column }) {
    const [wide, high] = this.letter();
    return [this.gutter.offsetWidth + INSET[0] + (column - 1) * wide - this.area.scrollLeft, INSET[1] + line * high - this.area.scrollTop];
  }

  /* The place under the mouse. */
  under({ clientX, clientY }) {
    const [wide] = this.letter(), box = this.area.getBoundingClientRect();
    const line = this.row({ clientY });
    const column = Math.floor((clientX - box.left - INSET[0] + this.area.scrollLeft) / wide) + 1;
    const words = this.text.split("\n")[line - 1];
    return words === undefined || column < 1 || column > words.length ? null : { line, column };
  }

  row({ clientY }) { return Math.floor((clientY - this.area.getBoundingClientRect().top - INSET[1] + this.area.scrollTop) / this.letter()[1]) + 1; }

  letter() {
    if (!this.size) {
      const probe = document.createElement("span");
      probe.textContent = "0".repeat(100);
      this.colours.append(probe);
      this.size = [probe.getBoundingClientRect().width / 100, 20];
      probe.remove();
    }
    return this.size;
  }

  /* What is wrong at a place, if anything is. */
  mistake({ line, column }) {
    return this.found?.find((one) => !one.file && one.line === line && column >= one.column && column < one.column + Math.max(1, one.width));
  }

  mark(found) {
    this.found = found;
    const marks = found.filter(({ file }) => !file).map(({ line, column, width, severity }) => {
      const start = this.offset(line, column);
      return [start, Math.max(start + 1, start + width), severity];
    });
    this.marks = marks.filter(([start], i) => !marks.slice(0, i).some(([, end]) => start < end));
    this.draw();
  }

  go(line, column) {
    const at = this.offset(line, column);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (line - 4) * 20);
  }

  light(lines, off = this.off) {
    Object.assign(this, { lit: new Set(lines), off });
    this.number();
  }

  /* Lines that could be left out; they are grey until something is typed. */
  grey(lines) {
    this.spare = new Set(lines);
    this.number();
  }

  draw() {
    colour(this.colours, this.text, this.marks.filter(([start]) => start <= this.text.length));
    this.number();
    this.scroll();
  }

  number() {
    const lines = this.text.split("\n").length;
    while (this.gutter.children.length > lines) this.gutter.lastChild.remove();
    while (this.gutter.children.length < lines) {
      const line = this.gutter.children.length + 1, button = document.createElement("button");
      button.textContent = line;
      Object.assign(button.dataset, { line });
      button.tabIndex = -1;
      button.setAttribute("aria-label", `line ${line}`);
      this.gutter.append(button);
    }
    [...this.gutter.children].forEach((button, i) => {
      const line = String(i + 1), own = { lit: this.lit.has(i + 1), off: this.off.has(i + 1), spare: this.spare.has(i + 1),
        meant: this.meant.has(line), "first-pin": this.pins[0]?.includes(line), "second-pin": this.pins[1]?.includes(line) };
      button.className = Object.keys(own).filter((name) => own[name]).join(" ");
    });
  }

  scroll() {
    this.colours.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    this.gutter.scrollTop = this.area.scrollTop;
  }
}
