/* What is set without writing: params as sliders, grids cell by cell. */

const LARGE = 30; // columns of a grid beyond which it is not shown

function made(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}

export class Sheets {
  constructor(editor, ask) {
    Object.assign(this, { editor, ask });
    this.place = document.getElementById("sheets");
    this.place.addEventListener("keydown", (event) => this.key(event));
  }

  show({ params, grids }) {
    const shape = JSON.stringify([params.map(({ name }) => name), grids.map(({ name, rows }) => [name, rows.map((row) => row.length)])]);
    this.params = params;
    if (shape !== this.shape) {
      this.shape = shape;
      this.place.replaceChildren(...params.map((param, i) => this.slider(param, i)), ...grids.filter(({ rows }) => rows[0].length <= LARGE).map((grid) => this.grid(grid)));
    }
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

  slider({ name, value }, i) {
    const most = Math.max(9, 2 * Math.abs(value));
    const input = made("input", { type: "range", min: value < 0 ? -most : 0, max: most, value });
    input.addEventListener("input", () => {
      const { line, column, width } = this.params[i];
      this.editor.apply([{ line, column, width, text: input.value }]);
      this.params[i].width = input.value.length;
      input.focus();
    });
    return made("label", {}, `${name} `, input, made("output", {}, String(value)));
  }

  grid({ name, rows }) {
    const cell = (token, r, c) => {
      const input = made("input", { "data-grid": name, "data-row": r + 1, "data-column": c + 1, "aria-label": `${name} ${r + 1}, ${c + 1}`, value: token, autocomplete: "off" });
      input.addEventListener("focus", () => input.select());
      input.addEventListener("change", () => this.enter(input));
      input.addEventListener("input", () => { if (/^\d$/.test(input.value) || !input.value) this.enter(input); });
      return made("td", {}, input);
    };
    const table = made("table", {}, made("tbody", {}, ...rows.map((row, r) => made("tr", {}, ...row.map((token, c) => cell(token, r, c))))));
    return made("details", { open: "" }, made("summary", {}, `grid ${name}`), table);
  }

  async enter(input) {
    const { grid, row, column } = input.dataset;
    const { text } = await this.ask({ ask: "enter", name: grid, row: Number(row), column: Number(column), word: input.value.trim().replace(/^[.]$/, "") });
    if (text !== undefined) this.editor.put(text, false);
  }

  key(event) {
    event.stopPropagation();
    const { grid, row, column } = event.target.dataset, way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!grid || !way) return;
    event.preventDefault();
    this.place.querySelector(`[data-grid="${CSS.escape(grid)}"][data-row="${Number(row) + way[0]}"][data-column="${Number(column) + way[1]}"]`)?.focus();
  }
}
