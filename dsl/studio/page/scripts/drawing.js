/* Draw constraints over cells of the picture: the facts of the chosen tool are written into the spec, or erased. The
   table of the tools is in dsl/studio/tools.py; dsl/studio/drawing.py edits the text. */

/* global player */
import { create } from "./states.js";

const { tools: TOOLS } = JSON.parse(document.getElementById("vocabulary").textContent);
const CELL = /^cell\(\d+,\d+\)$/; // the variables that the rules of the gallery use
const REACH = 0.42; // distance from the middle of a cell within which the pointer is in it, as a share of its width
const HINTS = { line: "drag along cells", area: "drag over cells, then write", cells: "click cells", edge: "drag from an outer cell inwards", copy: "drag over a shape and over its copy, then write" };
const PARTED = ["area", "copy"]; // kinds of tools whose cells need not be drawn in one stroke
const KEYS = [..."1234567890", "−", "␣", "⌫"];

/* The chosen tool, and the path of cells that is drawn or that a constraint of the spec already has. */
export class Drawing {
  constructor(studio) {
    Object.assign(this, { studio, tool: null, path: [], item: null, items: [] });
    const { byId } = studio;
    Object.assign(this, { choice: byId("tool"), form: byId("drawing"), hint: byId("hint"), value: byId("value"), unit: byId("unit"), keys: byId("digits"), writeButton: byId("write"), eraseButton: byId("erase") });
    const option = ({ name }) => create("option", { value: name }, name);
    this.choice.append(...TOOLS.filter(({ kind }) => kind !== "board").map(option), create("optgroup", { label: "whole board" }, ...TOOLS.filter(({ kind }) => kind === "board").map(option)));
    this.choice.addEventListener("change", () => this.choose(TOOLS.find(({ name }) => name === this.choice.value)));
    this.keys.append(...KEYS.map((key) => create("button", { type: "button", value: key }, key)));
    this.keys.addEventListener("click", ({ target }) => { if (target.value) this.type(target.value); });
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.write(); });
    this.form.addEventListener("keydown", (event) => { event.stopPropagation(); if (event.key === "Escape") this.leave(); });
    this.eraseButton.addEventListener("click", () => this.erase());
    byId("drawn").addEventListener("click", () => this.choose(null));
    document.addEventListener("pointerdown", (event) => this.startStroke(event), { capture: true });
    document.addEventListener("click", (event) => { if (this.findVertex(event) !== null) event.stopPropagation(); }, { capture: true });
    document.addEventListener("keydown", (event) => this.handleKey(event), { capture: true });
    document.addEventListener("focusin", (event) => { if (this.isExtending && this.findVertex(event) !== null) this.extend(this.findVertex(event)); });
  }

  /* Choose a tool, null for none; a tool for the whole board is used at once. */
  choose(tool) {
    this.clear();
    if (tool?.kind === "board") { this.setRule(tool); tool = null; }
    this.tool = tool || null;
    this.choice.value = this.tool?.name ?? "";
    this.form.hidden = !this.tool;
    document.body.classList.toggle("is-drawing", Boolean(this.tool));
    if (!this.tool) return;
    player.inspect(null);
    this.unit.textContent = `${tool.value} `;
    this.value.value = tool.usual;
    [this.unit.parentElement, this.keys].forEach((part) => { part.hidden = !tool.value; });
    this.show(this.advice);
  }

  /* Return the instruction how to use the tool; empty without one. */
  get advice() { return this.tool ? `${this.tool.name}: ${HINTS[this.tool.kind]}` : ""; }

  /* Add the rule of a tool for the whole board to the spec, or remove it. */
  setRule({ name }) { this.edit(this.items.some(({ tool }) => tool === name) ? "erase" : "draw", name, [], ""); }

  /* Return the vertex of a cell under an event; null for none, without a tool, and in predict mode. */
  findVertex({ target }) {
    const group = this.tool && !player.prediction.isOn ? target.closest?.("#picture .vertex") : null;
    return group && CELL.test(player.film.data.vertices[group.dataset.v].name) ? Number(group.dataset.v) : null;
  }

  /* Extend the path by the cells under the pointer until it is released. */
  startStroke(start) {
    const first = this.findVertex(start);
    if (first === null || start.button) return;
    start.preventDefault();
    start.stopPropagation();
    if (this.item || !PARTED.includes(this.tool.kind)) this.clear();
    let last = [start.clientX, start.clientY];
    this.extend(first);
    // Sample the way of the pointer, because events may be further apart than cells.
    const move = ({ clientX, clientY }) => {
      const boxes = player.picture.groups.map((group) => group.firstChild.getBoundingClientRect()); // the picture may be a new one
      const steps = Math.ceil(4 * Math.hypot(clientX - last[0], clientY - last[1]) / boxes[0].width);
      for (let i = 1; i <= steps; i += 1) {
        const [x, y] = [[clientX, last[0]], [clientY, last[1]]].map(([to, from]) => from + (to - from) * i / steps);
        const v = boxes.findIndex(({ left, top, width, height }) => Math.hypot(x - left - width / 2, y - top - height / 2) < REACH * width);
        if (v >= 0) this.extend(v);
      }
      last = [clientX, clientY];
    };
    const drop = () => {
      document.removeEventListener("pointermove", move);
      ["pointerup", "pointercancel"].forEach((end) => document.removeEventListener(end, drop));
      this.finish();
    };
    document.addEventListener("pointermove", move);
    ["pointerup", "pointercancel"].forEach((end) => document.addEventListener(end, drop));
  }

  /* Add a cell to the path; the cell before the last one takes back the last one. */
  extend(v) {
    const { path, tool } = this, { name } = player.film.data.vertices[v];
    if (tool.kind === "line" && path.at(-2) === name) path.pop();
    else if (CELL.test(name) && path.at(-1) !== name && (tool.kind === "copy" || !path.includes(name))) path.push(name);
    this.draw();
  }

  /* Draw with the keys: Shift and an arrow extend the path, x adds a cell, Enter ends the path, Delete erases. */
  handleKey(event) {
    const v = this.findVertex(event), { key } = event;
    this.isExtending = false;
    if (v === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key.startsWith("Arrow")) {
      if (event.shiftKey && this.item) this.clear();
      if (event.shiftKey && !this.path.length) this.extend(v);
      this.isExtending = event.shiftKey; // the focus moves next
      return;
    }
    const commands = { x: () => this.extend(v), Escape: () => this.leave(), Delete: () => this.erase(), Enter: () => {
      if (!this.path.length) this.extend(v);
      this.focused = player.film.data.vertices[v].name;
      this.finish();
    } };
    if (!commands[key]) return;
    event.preventDefault();
    event.stopPropagation();
    commands[key]();
  }

  /* End the path: choose the constraint on its cells; without one, write the path unless it needs a value or more cells. */
  finish() {
    const { path, tool } = this, item = this.findItem();
    if (item) { this.select(item); return; }
    if (["line", "edge"].includes(tool.kind) && path.length < 2) { this.clear(); return; }
    if (PARTED.includes(tool.kind) || (tool.value && !tool.usual)) {
      this.show(`${tool.name} · ${path.length} cells`);
      (tool.value ? this.value : this.writeButton).focus({ preventScroll: true });
    } else this.write();
  }

  /* Return the tool's constraint on the cells of the path; for a path of one cell, the last constraint with that cell. */
  findItem() {
    const { tool, path } = this, items = this.items.filter((item) => item.tool === tool.name);
    const isSame = ({ cells }) => (tool.kind === "edge" ? String(cells) === String(path.slice(0, 2)) : String([...cells].sort()) === String([...path].sort()));
    return items.find(isSame) ?? (path.length === 1 && tool.kind !== "edge" ? items.findLast(({ cells }) => cells.includes(path[0])) : undefined);
  }

  /* Choose a constraint of the spec, to erase it or to change its value. */
  select(item) {
    this.item = item;
    this.path = [...item.cells];
    if (this.tool.value) this.value.value = item.word;
    this.show(`${item.tool} chosen`);
    this.eraseButton.focus({ preventScroll: true });
  }

  /* Write the facts of the path into the spec. */
  write() {
    if (this.path.length) this.edit("draw", this.tool.name, this.path, this.value.value.trim());
  }

  /* Erase the chosen constraint from the spec. */
  erase() { if (this.item) this.edit("erase", this.tool.name, this.item.cells, ""); }

  /* Query the spec's text after a change, and replace the spec by it, as one edit that can be undone. */
  async edit(ask, name, cells, word) {
    const { studio } = this, { text, message } = await studio.ask({ ask, name, cells, word });
    if (text === undefined) { this.show(message); studio.progress.show(message); return; }
    this.clear();
    studio.editor.put(text, false);
  }

  /* Type a key of the number pad into the value. */
  type(key) {
    const { value } = this;
    value.value = key === "⌫" ? value.value.slice(0, -1) : value.value + ({ "−": "-", "␣": " " }[key] ?? key);
  }

  /* Clear the path, or leave the tool if there is none. */
  leave() {
    if (this.path.length) this.clear();
    else this.choose(null);
  }

  /* Forget the path and the chosen constraint. */
  clear() {
    Object.assign(this, { path: [], item: null });
    if (this.tool) this.value.value = this.tool.usual;
    this.show(this.advice);
  }

  /* Store the drawn constraints of a new text, and mark its rules for the whole board in the list of tools. */
  setItems(items) {
    this.items = items;
    for (const option of this.choice.querySelectorAll("optgroup option")) option.textContent = `${items.some(({ tool }) => tool === option.value) ? "✓ " : ""}${option.value}`;
  }

  /* Adapt to a new trace: hide the tools if the board has no cells for them, and return the focus to the cell of the last key. */
  follow() {
    const { vertices } = player.film.data, isBoard = vertices.some(({ name }) => CELL.test(name));
    this.choice.hidden = !isBoard;
    if (!isBoard && this.tool) this.choose(null);
    this.draw();
    const v = vertices.findIndex(({ name }) => name === this.focused);
    if (v >= 0 && document.activeElement === document.body) player.picture.groups[v].focus();
    this.focused = null;
  }

  /* Show a hint or a message beside the tool, and the path. */
  show(words) {
    this.hint.textContent = words;
    this.draw();
  }

  /* Draw the path over the picture, and enable the buttons that apply to it. */
  draw() {
    const { path, tool, item } = this, { groups, svg } = player.picture, { vertices } = player.film.data;
    groups.forEach((group, v) => group.classList.toggle("picked", path.includes(vertices[v].name)));
    this.writeButton.disabled = !path.length;
    this.eraseButton.disabled = !item;
    svg.querySelector(".path")?.remove();
    if (path.length < 2 || !["line", "edge"].includes(tool.kind)) return;
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline"), places = new Map(vertices.map(({ name, x, y }) => [name, `${x},${y}`]));
    line.setAttribute("class", "path");
    line.setAttribute("points", path.map((name) => places.get(name)).join(" "));
    svg.append(line);
  }
}
