/* The editor: a transparent textarea over its coloured text, with a number for each line. */

import { blankWords, drawText, findTokens } from "./colours.js";
import { erasePair, findPair, indent, openLine, toggleComment, typeBracket } from "./editing.js";

const INSET = [8, 6]; // of the text, in pixels
const TYPING = new Set(["Backspace", "Delete", "Enter", "Tab", "Process", "Unidentified"]); // keys that type, apart from letters

/* The text of the spec with its lines. The options are functions to call: `onChange` after an edit, `onMove` with the
   function from old to new numbers of lines, `onToggle` with a line to leave out, `onHover` and `onPin` with the lines of a
   clause. */
export class Editor {
  constructor({ onChange, onMove, onToggle, onHover, onPin }) {
    Object.assign(this, { onChange, onMove, onToggle, onHover, onPin, diagnostics: [], before: [], marks: [], matches: [], pair: [], typed: -Infinity, lit: new Set(), leftOut: new Set(), redundant: new Set(), related: new Set(), pins: [] });
    const byId = (id) => document.getElementById(id);
    [this.area, this.colours, this.gutter, this.box] = [byId("text"), byId("colours"), byId("gutter"), byId("editor")];
    this.area.addEventListener("input", () => this.handleInput());
    document.addEventListener("selectionchange", () => this.markPair());
    this.area.addEventListener("scroll", () => this.scroll());
    this.area.addEventListener("keydown", (event) => this.handleKey(event));
    this.gutter.addEventListener("click", ({ target: { dataset: { line } }, shiftKey }) => { if (line && shiftKey) onPin(this.findClause(Number(line))); else if (line) onToggle(Number(line)); });
    this.box.addEventListener("mousemove", (event) => this.hoverLine(this.findLine(event)));
    this.box.addEventListener("mouseleave", () => this.hoverLine(0));
    this.area.addEventListener("keyup", ({ key }) => { if (/^(Arrow|Home|End|Page)/.test(key)) this.hoverLine(this.line); });
    this.area.addEventListener("blur", () => this.hoverLine(0));
    document.addEventListener("brush", ({ detail: { related, pins } }) => {
      Object.assign(this, { related, pins });
      this.drawNumbers();
    });
  }

  /* Return the text. */
  get text() { return this.area.value; }

  /* Return the line of the cursor. */
  get line() { return this.getPlace(this.area.selectionStart).line; }

  /* Return all lines of the clause at a line: it ends at a line with a full stop, or before an empty line. */
  findClause(line) {
    const isContinued = blankWords(this.text).split("\n").map((words) => /[^.]$/.test(words.trim()));
    let first = line, last = line;
    while (isContinued[first - 2]) first -= 1;
    while (isContinued[last - 1]) last += 1;
    return Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
  }

  /* Report the clause under the mouse or the cursor; line 0 means none. */
  hoverLine(line) {
    if (line === this.brushed) return;
    this.brushed = line;
    this.onHover(line ? this.findClause(line) : []);
  }

  /* Replace the text, without undo. */
  open(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.before = text.split("\n");
    this.marks = [];
    this.draw();
  }

  /* Replace the text so that Ctrl-Z undoes it: only the part that differs is typed. */
  put(text, focus = true) {
    const oldText = this.text;
    // Find the equal parts at both ends.
    let start = 0, end = 0;
    while (start < Math.min(oldText.length, text.length) && oldText[start] === text[start]) start += 1;
    while (end < Math.min(oldText.length, text.length) - start && oldText.at(-1 - end) === text.at(-1 - end)) end += 1;
    if (start === oldText.length && start === text.length) return;
    // Type the part between them, because only typed text can be undone.
    const before = document.activeElement, { selectionStart } = this.area;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, oldText.length - end);
    const inserted = text.slice(start, text.length - end);
    if (!document.execCommand(inserted ? "insertText" : "delete", false, inserted)) {
      this.area.setRangeText(inserted);
      this.handleInput();
    }
    if (!focus) {
      this.area.setSelectionRange(selectionStart, selectionStart);
      before?.focus({ preventScroll: true });
    }
  }

  /* Replace the text and its selection by an edit of a key; other edits leave the focus where it is. */
  edit([text, from, to], focus = true) {
    this.put(text, focus);
    this.area.setSelectionRange(from, to);
  }

  /* Apply edits: texts that replace a width of characters at a line and a column. */
  apply(edits) {
    let { text } = this;
    const places = edits.map((edit) => [this.getOffset(edit.line, edit.column), edit]).sort((a, b) => b[0] - a[0]);
    for (const [start, edit] of places) text = text.slice(0, start) + edit.text + text.slice(start + edit.width);
    this.put(text);
  }

  /* Report the new numbers of lines if lines were added or removed; a removed line has the number 0. */
  follow() {
    const oldLines = this.before, newLines = this.before = this.text.split("\n"), growth = newLines.length - oldLines.length;
    if (!growth) return;
    // Find the equal lines at both ends; the lines between them are edited.
    let first = 0, last = 0;
    while (last < Math.min(oldLines.length, newLines.length) && oldLines.at(-1 - last) === newLines.at(-1 - last)) last += 1;
    while (first < Math.min(oldLines.length, newLines.length) - last && oldLines[first] === newLines[first]) first += 1;
    this.onMove((line) => (line > oldLines.length - last ? line + growth : line <= Math.max(first, newLines.length - last) ? line : 0));
  }

  /* Forget the diagnostics of the old text, and report the edit. */
  handleInput() {
    this.follow();
    this.marks = this.diagnostics = this.matches = this.pair = [];
    this.redundant = new Set();
    this.draw();
    this.onChange();
  }

  /* Run the command of a key: edit the text, pin a clause, or leave it out. */
  handleKey(event) {
    event.stopPropagation(); // the keys of the player are letters
    const isLeaving = this.escaped, isCtrl = event.ctrlKey || event.metaKey;
    if (event.key !== "Shift") this.escaped = event.key === "Escape";
    if (!isCtrl && (event.key.length === 1 || TYPING.has(event.key))) this.typed = performance.now();
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "F9") this.onPin(this.findClause(this.line));
    else if (event.key === "F8") this.onToggle(this.line);
    const { text, area: { selectionStart, selectionEnd } } = this, place = [text, selectionStart, selectionEnd];
    let edit = null;
    if (isCtrl) edit = event.key === "/" && toggleComment(...place);
    else if (event.key === "Tab") edit = !isLeaving && indent(...place, event.shiftKey);
    else if (event.key === "Enter") edit = !event.shiftKey && openLine(...place);
    else if (event.key === "Backspace") edit = erasePair(...place);
    else if (event.key.length === 1) edit = typeBracket(...place, event.key);
    if (!edit) return;
    event.preventDefault();
    this.edit(edit);
  }

  /* Return the offset of a line and a column. Columns count characters; a character beyond the first Unicode plane is two units. */
  getOffset(line, column) {
    let start = 0;
    for (let i = 1; i < line; i += 1) {
      const end = this.text.indexOf("\n", start);
      if (end < 0) return this.text.length;
      start = end + 1;
    }
    const rest = this.text.slice(start).split("\n", 1)[0];
    return start + [...rest].slice(0, column - 1).join("").length;
  }

  /* Return the line and the column of an offset. */
  getPlace(offset) {
    const before = this.text.slice(0, offset), start = before.lastIndexOf("\n") + 1;
    return { line: before.split("\n").length, column: [...before.slice(start)].length + 1 };
  }

  /* Return the position of the lower left corner of a place in the editor, in pixels. */
  getPixels({ line, column }) {
    const [wide, high] = this.measureLetter();
    return [this.gutter.offsetWidth + INSET[0] + (column - 1) * wide - this.area.scrollLeft, INSET[1] + line * high - this.area.scrollTop];
  }

  /* Return the place under the mouse, null if there is no text. */
  findPlace({ clientX, clientY }) {
    const [wide] = this.measureLetter(), box = this.area.getBoundingClientRect();
    const line = this.findLine({ clientY });
    const column = Math.floor((clientX - box.left - INSET[0] + this.area.scrollLeft) / wide) + 1;
    const words = this.text.split("\n")[line - 1];
    return words === undefined || column < 1 || column > words.length ? null : { line, column };
  }

  /* Return the line at the height of the mouse. */
  findLine({ clientY }) { return Math.floor((clientY - this.area.getBoundingClientRect().top - INSET[1] + this.area.scrollTop) / this.measureLetter()[1]) + 1; }

  /* Return the width and the height of a letter, in pixels; the font has letters of one width. */
  measureLetter() {
    if (!this.size) {
      const probe = document.createElement("span");
      probe.textContent = "0".repeat(100);
      this.colours.append(probe);
      this.size = [probe.getBoundingClientRect().width / 100, 20];
      probe.remove();
    }
    return this.size;
  }

  /* Return the diagnostic at a place, undefined for none. */
  findDiagnostic(place) {
    return this.diagnostics.find(({ file, line, column, width }) => (
      !file && line === place.line && column <= place.column && place.column < column + Math.max(1, width)));
  }

  /* Underline the diagnostics of this text; of overlapping ones, only the first. */
  showDiagnostics(diagnostics) {
    this.diagnostics = diagnostics;
    // Convert places to offsets; an empty place has one character.
    const marks = diagnostics.filter(({ file }) => !file).map(({ line, column, width, severity }) => {
      const start = this.getOffset(line, column);
      return [start, Math.max(start + 1, start + width), severity];
    });
    this.marks = marks.filter(([start], i) => !marks.slice(0, i).some(([, end]) => start < end));
    this.draw();
  }

  /* Move the cursor to a place, and scroll there. */
  goTo(line, column) {
    const at = this.getOffset(line, column);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.scrollTo(line);
  }

  /* Scroll so that a line is in view, below the strip of the search. */
  scrollTo(line) { this.area.scrollTop = Math.max(0, (line - 4) * 20); }

  /* Mark matches of a search: start, end and class. */
  mark(matches) {
    this.matches = matches;
    this.draw();
  }

  /* Mark the bracket at the caret and its partner. */
  markPair() {
    const { area } = this, isHere = document.activeElement === area && area.selectionStart === area.selectionEnd;
    const pair = isHere ? findPair(this.text, area.selectionStart) : [];
    if (String(pair) === String(this.pair)) return;
    this.pair = pair;
    this.draw();
  }

  /* Return the spans of the lines that are left out. */
  findLeftOut() {
    const lines = new Set([...this.leftOut].filter(Boolean).flatMap((line) => this.findClause(line)).map(Number)), spans = [];
    let start = 0;
    this.text.split("\n").forEach((line, i) => {
      if (lines.has(i + 1) && line) spans.push([start, start + line.length, "off"]);
      start += line.length + 1;
    });
    return spans;
  }

  /* Highlight the numbers of active lines, and strike out those of clauses that are left out. */
  highlight(lines, leftOut = this.leftOut) {
    const isDrawn = String([...leftOut]) === String([...this.leftOut]);
    Object.assign(this, { lit: new Set(lines), leftOut });
    if (isDrawn) this.drawNumbers();
    else this.draw();
  }

  /* Grey out the numbers of redundant lines, until the next edit. */
  greyOut(lines) {
    this.redundant = new Set(lines);
    this.drawNumbers();
  }

  /* Draw the coloured text and the numbers of its lines. */
  draw() {
    const { text } = this, marks = this.marks.filter(([start]) => start <= text.length);
    drawText(this.colours, text, [["span", findTokens(text)], ["u", marks], ["mark", this.matches.length ? this.matches : this.pair], ["span", this.findLeftOut()]]);
    this.drawNumbers();
    this.scroll();
  }

  /* Draw the numbers of the lines, with the classes of their states. */
  drawNumbers() {
    const lines = this.text.split("\n").length;
    // Add or remove buttons at the end, then set the classes of all.
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
      const line = String(i + 1), states = { lit: this.lit.has(i + 1), off: this.leftOut.has(i + 1), spare: this.redundant.has(i + 1),
        related: this.related.has(line), "first-pin": this.pins[0]?.includes(line), "second-pin": this.pins[1]?.includes(line) };
      button.className = Object.keys(states).filter((name) => states[name]).join(" ");
    });
  }

  /* Scroll the coloured text and the numbers with the textarea. */
  scroll() {
    this.colours.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    this.gutter.scrollTop = this.area.scrollTop;
  }
}
