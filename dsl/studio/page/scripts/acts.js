/* Acts: what the user does in the picture. Each act is a line of text, and the last one can be undone. */

/* global player */
import { create } from "./states.js";

const MAX_BUTTONS = 40; // maximum number of values or choices with a button
const WAYS = { "=": "given", "≠": "struck", "what if": "assumed, to see what follows", branch: "tried first by the search" };

/* The list of acts, and the buttons for the values of the chosen vertex. */
export class Acts {
  constructor(studio) {
    Object.assign(this, { studio, list: [], past: [], way: "=" }); // past: the lists before each act
    this.place = studio.byId("values");
    document.addEventListener("pointerdown", ({ target }) => { this.dragged = this.findQueueEntry(target); });
    document.addEventListener("pointerup", ({ target }) => this.drop(this.findQueueEntry(target)));
    document.addEventListener("untried", ({ detail }) => this.offerChoices(detail));
  }

  /* Return the lines of the clauses that are left out. */
  get leftOut() { return new Set(this.list.map((act) => Number(/^% off (\d+)$/.exec(act)?.[1] || 0))); }

  /* Return the vertex of an entry of the queue, and its distance from the head; undefined for any other element. */
  findQueueEntry(target) {
    const entry = target.closest?.("#queue [data-vertex]");
    return entry && { name: player.film.data.vertices[entry.dataset.vertex].name, place: [...entry.parentElement.children].indexOf(entry) };
  }

  /* Dequeue an entry next if it was dragged onto an entry nearer to the head. */
  drop(onto) {
    if (this.dragged && onto && onto.place < this.dragged.place) this.add(`% next ${this.dragged.name}`);
    this.dragged = null;
  }

  /* Return the chosen vertex; null for none, and in predict mode. */
  getChosenVertex() {
    const v = player.picture.chosen;
    return v === null || v === undefined || player.prediction.isOn ? null : player.film.data.vertices[v];
  }

  /* Draw a button for each value of the chosen vertex. */
  drawValues() {
    const vertex = this.getChosenVertex();
    this.place.hidden = !vertex;
    if (!vertex) return;
    const { values } = player.film.data;
    const buttons = vertex.domain.slice(0, MAX_BUTTONS).map((number) => {
      const button = create("button", { title: "given; with Shift: struck; with Alt: what if" }, values[number]);
      button.addEventListener("click", (event) => this.set(vertex, values[number], event));
      return button;
    });
    const why = create("button", { title: "values of this vertex, and what removed them" }, "why");
    why.addEventListener("click", () => { this.studio.showTab("why"); this.studio.byId("inspector").focus(); });
    const next = create("button", { title: "propagate this variable first" }, "next");
    next.addEventListener("click", () => this.add(`% next ${vertex.name}`));
    const close = create("button", { "aria-label": "close" }, "×");
    close.addEventListener("click", () => { player.inspect(null); this.drawValues(); });
    this.place.replaceChildren(`${vertex.name} `, ...this.createWays(), ...buttons, next, why, close);
  }

  /* Create the buttons that choose the kind of act, for users without Shift and Alt. */
  createWays() {
    const ways = Object.entries(WAYS).map(([way, title]) => create("button", { class: "way", title, value: way, "aria-pressed": way === this.way }, way));
    ways.forEach((button) => button.addEventListener("click", () => {
      this.way = button.value;
      ways.forEach((way) => way.setAttribute("aria-pressed", way === button));
    }));
    return ways;
  }

  /* Add an act for a value of a vertex. A given value is written into the grid with the clues instead, if the spec has such a grid. */
  async set({ name }, value, event) {
    const { modes, progress } = this.studio, shiftKey = event.shiftKey || this.way === "≠", altKey = event.altKey || this.way === "what if";
    if (this.way === "branch") { this.add(`% branch ${name} = ${value}`); return; }
    if (modes.mode === "set" && !shiftKey && modes.setting.isExcluded(name, value)) {
      progress.show(`${name} = ${value} is in no solution`);
      return;
    }
    const { text } = shiftKey || altKey ? {} : await this.studio.ask({ ask: "give", name, word: String(value) });
    if (text !== undefined) { this.studio.editor.put(text, false); return; }
    const symbol = /^-?\d+$|^[a-z]\w*$/.test(value) ? value : `'${String(value).replaceAll("'", "''")}'`;
    this.add(`${altKey ? '"what if": ' : ""}${name} ${shiftKey ? "!=" : "="} ${symbol}.`);
  }

  /* Draw a button for each untried choice at a node of the search tree; a single choice is tried at once. */
  offerChoices({ choices, tried }) {
    const force = (choice) => this.put([...this.list.filter((act) => !tried.includes(act.replace("% branch ", ""))), `% branch ${choice}`]);
    if (choices.length === 1) { force(choices[0]); return; }
    const buttons = choices.slice(0, MAX_BUTTONS).map((choice) => {
      const button = create("button", { title: WAYS.branch }, choice);
      button.addEventListener("click", () => force(choice));
      return button;
    });
    this.place.hidden = false;
    this.place.replaceChildren("branch ", ...buttons);
    buttons[0].focus();
  }

  /* Replace the list of acts, without undo. */
  begin(list) { Object.assign(this, { list, past: [] }); }

  /* Replace the list of acts, and play. */
  put(list) {
    this.past.push(this.list);
    this.list = list;
    this.studio.play();
  }

  /* Add an act at the end of the list. */
  add(act) { this.put([...this.list.filter((listedAct) => listedAct !== act), act]); }

  /* Add an act, or remove it from the list. */
  toggle(act) { this.put(this.list.includes(act) ? this.list.filter((listedAct) => listedAct !== act) : [...this.list, act]); }

  /* Undo the last change of the list. */
  undo() {
    this.list = this.past.pop() ?? this.list.slice(0, -1);
    this.studio.play();
  }

  /* Adapt the numbers of clauses that are left out to an edited text; `shift` returns the new number of a line, 0 for a deleted one. */
  moveLines(shift) {
    const moveLine = (act) => act.replace(/^(% off )(\d+)$/, (_, prefix, line) => (shift(Number(line)) ? prefix + shift(Number(line)) : ""));
    const moveLines = (list) => list.map(moveLine).filter(Boolean);
    Object.assign(this, { list: moveLines(this.list), past: this.past.map(moveLines) });
  }

  /* List the acts, each with a button that undoes it. */
  draw() {
    this.studio.byId("done").replaceChildren(...this.list.map((act) => {
      const button = create("button", { "aria-label": `undo ${act}` }, "↶");
      button.addEventListener("click", () => this.toggle(act));
      return create("li", {}, `${act} `, button);
    }));
  }

  /* Add an act for a digit that is typed on a vertex of the picture. */
  addTyped(event) {
    const focused = player.prediction.isOn ? null : event.target.closest("[data-v]")?.dataset.v;
    const vertex = player.film.data.vertices[focused] || this.getChosenVertex(), digit = event.code.at(-1);
    if (!vertex || !vertex.domain.some((number) => String(player.film.data.values[number]) === digit)) return;
    event.preventDefault();
    event.stopPropagation();
    this.set(vertex, digit, event);
  }
}
