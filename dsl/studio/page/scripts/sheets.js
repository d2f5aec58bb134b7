/* Controls that edit the spec without typing: a slider for each param, a table of cells for each grid. */

import { create } from "./states.js";

const MAX_COLUMNS = 30; // a wider grid has no table

/* The sliders and tables of a spec. */
export class Sheets {
  constructor(editor, ask) {
    Object.assign(this, { editor, ask });
    this.place = document.getElementById("sheets");
    this.place.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /* Show the params and grids of the spec; a control that has the focus keeps its value. */
  show({ params, grids }) {
    // Create the controls again if the params, or the sizes of the grids, are others.
    const shape = JSON.stringify([params.map(({ name }) => name), grids.map(({ name, rows }) => [name, rows.map((row) => row.length)])]);
    this.params = params;
    if (shape !== this.shape) {
      this.shape = shape;
      this.place.replaceChildren(...params.map((param, i) => this.createSlider(param, i)), ...grids.filter(({ rows }) => rows[0].length <= MAX_COLUMNS).map((grid) => this.createGrid(grid)));
    }
    // Update the values of the controls.
    this.place.querySelectorAll('input[type="range"]').forEach((input, i) => {
      if (input !== document.activeElement) input.value = params[i].value;
      input.nextSibling.textContent = params[i].value;
    });
    for (const { name, rows } of grids) {
      rows.forEach((row, r) => row.forEach((token, c) => {
        const input = this.place.querySelector(`[data-grid="${CSS.escape(name)}"][data-row="${r + 1}"][data-column="${c + 1}"]`);
        if (input && input !== document.activeElement) input.value = token;
      }));
    }
  }

  /* Create the slider of a param. */
  createSlider({ name, value }, i) {
    const limit = Math.max(9, 2 * Math.abs(value));
    const input = create("input", { type: "range", min: value < 0 ? -limit : 0, max: limit, value });
    input.addEventListener("input", () => {
      const { line, column, width } = this.params[i];
      this.editor.apply([{ line, column, width, text: input.value }]);
      this.params[i].width = input.value.length;
      input.focus();
    });
    return create("label", {}, `${name} `, input, create("output", {}, String(value)));
  }

  /* Create the table of a grid. */
  createGrid({ name, rows }) {
    const cell = (token, r, c) => {
      const input = create("input", { "data-grid": name, "data-row": r + 1, "data-column": c + 1, "aria-label": `${name} ${r + 1}, ${c + 1}`, value: token, autocomplete: "off" });
      input.addEventListener("focus", () => input.select());
      input.addEventListener("change", () => this.enter(input));
      input.addEventListener("input", () => { if (/^\d$/.test(input.value) || !input.value) this.enter(input); });
      return create("td", {}, input);
    };
    const table = create("table", {}, create("tbody", {}, ...rows.map((row, r) => create("tr", {}, ...row.map((token, c) => cell(token, r, c))))));
    return create("details", { open: "" }, create("summary", {}, `grid ${name}`), table);
  }

  /* Write the value of a cell into the grid of the spec. */
  async enter(input) {
    const { grid, row, column } = input.dataset;
    const { text } = await this.ask({ ask: "enter", name: grid, row: Number(row), column: Number(column), word: input.value.trim().replace(/^[.]$/, "") });
    if (text !== undefined) this.editor.put(text, false);
  }

  /* Move to a neighbouring cell with the arrow keys. */
  handleKey(event) {
    event.stopPropagation();
    const { grid, row, column } = event.target.dataset, way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!grid || !way) return;
    event.preventDefault();
    this.place.querySelector(`[data-grid="${CSS.escape(grid)}"][data-row="${Number(row) + way[0]}"][data-column="${Number(column) + way[1]}"]`)?.focus();
  }
}
