/* Acts: what the user does in the picture. Each act is a line of text, and the last one can be undone. */

/* global player */
import { create, placeBox } from "./states.js";

const MAX_BUTTONS = 40; // maximum number of values or choices with a button
const WAYS = { "=": "given", "≠": "struck", "what if": "assumed, to see what follows", branch: "tried first by the search" };

/* The list of acts, and the buttons for the values of the chosen vertex. */
export class Acts {
  constructor(studio) {
    Object.assign(this, { studio, list: [], past: [], way: "=" }); // past: the list and the text before each act
    this.place = studio.byId("values");
    document.addEventListener("pointerdown", ({ target }) => { this.dragged = this.findQueueEntry(target); });
    document.addEventListener("pointerup", ({ target }) => this.drop(this.findQueueEntry(target)));
    document.addEventListener("inspect", ({ detail }) => {
      this.drawValues();
      if (detail.isTyped) this.place.querySelector(":scope > div button")?.focus();
    });
    document.addEventListener("click", ({ target }) => { if (target.closest(".stage") && !target.closest(".vertex") && this.getChosenVertex()) player.inspect(null); });
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

  /* Show the pad of the chosen vertex at its place, with a button for each value; without a vertex, hide it. */
  drawValues() {
    const vertex = this.getChosenVertex(), { place, studio } = this, hadFocus = place.contains(document.activeElement);
    place.hidden = !vertex;
    if (!vertex) {
      studio.byId("player").classList.remove("asked");
      if (hadFocus) document.querySelector("#picture [tabindex='0']")?.focus();
    } else if (vertex !== this.vertex) place.replaceChildren(...this.createPad(vertex));
    this.vertex = vertex;
    if (vertex) placeBox(place, player.picture.groups[player.picture.chosen]);
  }

  /* Create the pad of a vertex: the kinds of acts, the values, and other acts. */
  createPad(vertex) {
    const { values } = player.film.data, { domain } = vertex;
    const buttons = domain.slice(0, MAX_BUTTONS).map((number) => {
      const button = create("button", { title: "given; with Shift: struck; with Alt: what if" }, values[number]);
      button.addEventListener("click", (event) => this.set(vertex, values[number], event));
      return button;
    });
    const why = create("button", { title: "values of this vertex, and what removed them" }, "why");
    why.addEventListener("click", () => {
      this.studio.byId("player").classList.add("asked");
      this.studio.showTab("why");
      this.studio.byId("inspector").focus();
    });
    const next = create("button", { title: "propagate this variable first" }, "next");
    next.addEventListener("click", () => this.add(`% next ${vertex.name}`));
    const close = create("button", { "aria-label": "close" }, "×");
    close.addEventListener("click", () => player.inspect(null));
    const columns = buttons.length > 5 ? Math.ceil(Math.sqrt(buttons.length)) : buttons.length;
    const row = (...parts) => create("p", {}, ...parts);
    return [row(create("strong", {}, vertex.name), close), row(...this.createWays()), create("div", { style: `grid-template-columns: repeat(${columns}, 1fr)` }, ...buttons), row(next, why)];
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
    this.vertex = null;
    this.place.replaceChildren(create("p", {}, "branch ", ...buttons));
    placeBox(this.place, document.querySelector("#tree .node:focus") || this.studio.byId("tree"));
    buttons[0].focus();
  }

  /* Replace the list of acts, without undo. */
  begin(list) { Object.assign(this, { list, past: [] }); }

  /* Replace the list of acts, and play. */
  put(list) {
    this.past.push({ list: this.list, text: this.studio.editor.text });
    this.list = list;
    this.studio.play();
  }

  /* Add an act at the end of the list. */
  add(act) { this.put([...this.list.filter((listedAct) => listedAct !== act), act]); }

  /* Add an act, or remove it from the list. */
  toggle(act) { this.put(this.list.includes(act) ? this.list.filter((listedAct) => listedAct !== act) : [...this.list, act]); }

  /* Undo the last change of the list. */
  undo() {
    if (!this.past.length && !this.list.length) return;
    this.list = this.past.pop()?.list ?? this.list.slice(0, -1);
    this.studio.play();
  }

  /* Adapt the numbers of clauses that are left out to an edited text; `shift` returns the new number of a line, 0 for a deleted one. */
  moveLines(shift) {
    const moveLine = (act) => act.replace(/^(% off )(\d+)$/, (_, prefix, line) => (shift(Number(line)) ? prefix + shift(Number(line)) : ""));
    const moveLines = (list) => list.map(moveLine).filter(Boolean);
    Object.assign(this, { list: moveLines(this.list), past: this.past.map(({ list, text }) => ({ list: moveLines(list), text })) });
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
