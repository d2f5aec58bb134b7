/* What is done in the picture, as lines of text that can be undone. */

/* global player */
import { made } from "./states.js";

const MANY = 40; // values that have buttons
const WAYS = { "=": "given", "≠": "struck", "what if": "given, to see what follows", branch: "what the search tries first" };

export class Acts {
  constructor(studio) {
    Object.assign(this, { studio, list: [], past: [], way: "=" }); // what was there before each act
    this.place = studio.byId("values");
    document.addEventListener("pointerdown", ({ target }) => { this.dragged = this.chip(target); });
    document.addEventListener("pointerup", ({ target }) => this.drop(this.chip(target)));
    document.addEventListener("untried", ({ detail }) => this.offer(detail));
  }

  get off() { return new Set(this.list.map((act) => Number(/^% off (\d+)$/.exec(act)?.[1] || 0))); }

  /* The vertex of a chip of the queue, and how far from the head it is. */
  chip(target) {
    const chip = target.closest?.("#queue [data-vertex]");
    return chip && { name: player.film.data.vertices[chip.dataset.vertex].name, place: [...chip.parentElement.children].indexOf(chip) };
  }

  /* A chip that is dragged towards the head is taken next. */
  drop(onto) {
    if (this.dragged && onto && onto.place < this.dragged.place) this.add(`% next ${this.dragged.name}`);
    this.dragged = null;
  }

  chosen() {
    const v = player.picture.chosen;
    return v === null || v === undefined || player.prediction.on ? null : player.film.data.vertices[v];
  }

  /* The values of the chosen vertex, each a button. */
  drawValues() {
    const vertex = this.chosen();
    this.place.hidden = !vertex;
    if (!vertex) return;
    const { values } = player.film.data;
    const buttons = vertex.domain.slice(0, MANY).map((number) => {
      const button = made("button", { title: "given; with Shift: struck; with Alt: what if" }, values[number]);
      button.addEventListener("click", (event) => this.set(vertex, values[number], event));
      return button;
    });
    const why = made("button", { title: "the values of this vertex, and what took them" }, "why");
    why.addEventListener("click", () => { this.studio.tab("why"); this.studio.byId("inspector").focus(); });
    const next = made("button", { title: "taken before others that wait with it" }, "next");
    next.addEventListener("click", () => this.add(`% next ${vertex.name}`));
    const close = made("button", { "aria-label": "close" }, "×");
    close.addEventListener("click", () => { player.inspect(null); this.drawValues(); });
    this.place.replaceChildren(`${vertex.name} `, ...this.ways(), ...buttons, next, why, close);
  }

  /* What a value is for, where no key says it. */
  ways() {
    const ways = Object.entries(WAYS).map(([way, title]) => made("button", { class: "way", title, value: way, "aria-pressed": way === this.way }, way));
    ways.forEach((button) => button.addEventListener("click", () => {
      this.way = button.value;
      ways.forEach((one) => one.setAttribute("aria-pressed", one === button));
    }));
    return ways;
  }

  /* A value that is given goes into the grid of the spec that has the clues, if there is one. */
  async set({ name }, value, event) {
    const { modes, progress } = this.studio, shiftKey = event.shiftKey || this.way === "≠", altKey = event.altKey || this.way === "what if";
    if (this.way === "branch") { this.add(`% branch ${name} = ${value}`); return; }
    if (modes.mode === "set" && !shiftKey && modes.setting.excludes(name, value)) {
      progress.say(`${name} = ${value} is in no solution`);
      return;
    }
    const { text } = shiftKey || altKey ? {} : await this.studio.ask({ ask: "give", name, word: String(value) });
    if (text !== undefined) { this.studio.editor.put(text, false); return; }
    const written = /^-?\d+$|^[a-z]\w*$/.test(value) ? value : `'${String(value).replaceAll("'", "''")}'`;
    this.add(`${altKey ? '"what if": ' : ""}${name} ${shiftKey ? "!=" : "="} ${written}.`);
  }

  /* What was not tried at a node of the search tree, each a button; a single one is tried at once. */
  offer({ choices, tried }) {
    const force = (choice) => this.put([...this.list.filter((act) => !tried.includes(act.replace("% branch ", ""))), `% branch ${choice}`]);
    if (choices.length === 1) { force(choices[0]); return; }
    const buttons = choices.slice(0, MANY).map((choice) => {
      const button = made("button", { title: WAYS.branch }, choice);
      button.addEventListener("click", () => force(choice));
      return button;
    });
    this.place.hidden = false;
    this.place.replaceChildren("branch ", ...buttons);
    buttons[0].focus();
  }

  /* Acts without a way back. */
  begin(list) { Object.assign(this, { list, past: [] }); }

  put(list) {
    this.past.push(this.list);
    this.list = list;
    this.studio.play();
  }

  add(act) { this.put([...this.list.filter((one) => one !== act), act]); }

  toggle(act) { this.put(this.list.includes(act) ? this.list.filter((one) => one !== act) : [...this.list, act]); }

  undo() {
    this.list = this.past.pop() ?? this.list.slice(0, -1);
    this.studio.play();
  }

  /* What is left out stays that when lines come or go above it. */
  move(shift) {
    const moved = (act) => act.replace(/^(% off )(\d+)$/, (_, off, line) => (shift(Number(line)) ? off + shift(Number(line)) : ""));
    const all = (list) => list.map(moved).filter(Boolean);
    Object.assign(this, { list: all(this.list), past: this.past.map(all) });
  }

  draw() {
    this.studio.byId("done").replaceChildren(...this.list.map((act) => {
      const button = made("button", { "aria-label": `undo ${act}` }, "↶");
      button.addEventListener("click", () => this.toggle(act));
      return made("li", {}, `${act} `, button);
    }));
  }

  /* A digit typed on a vertex of the picture. */
  typed(event) {
    const focused = player.prediction.on ? null : event.target.closest("[data-v]")?.dataset.v;
    const vertex = player.film.data.vertices[focused] || this.chosen(), digit = event.code.at(-1);
    if (!vertex || !vertex.domain.some((number) => String(player.film.data.values[number]) === digit)) return;
    event.preventDefault();
    event.stopPropagation();
    this.set(vertex, digit, event);
  }
}
