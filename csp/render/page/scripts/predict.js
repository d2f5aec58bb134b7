/* Predict mode: the reader strikes the values that the next step will remove, and the film checks them. */

import { createHtml } from "./dom.js";
import { download } from "./save.js";
import { createSvg, createText } from "./shapes.js";

const PREDICTED = new Set(["fixed", "placed", "filtered"]);
const GUESSES = new Set(["decision", "decided", "failure", "restart", "reached"]);
const SIGNS = { right: "✓", missed: "○", later: "…", wrong: "✗" };

/* The panel of predict mode: struck values, their check and the score. */
export class Prediction {
  constructor(player, place) {
    Object.assign(this, { player, place, film: player.film, isOn: false, struck: new Set(), result: null, scores: new Map(), answers: [], chosen: null });
    this.layer = player.picture.guesses;
    this.values = createHtml("p", { class: "buttons", role: "group", "aria-label": "Values of the chosen vertex" });
    this.lines = createHtml("ul");
    this.check = createHtml("button", {}, "check");
    this.score = createHtml("p", { class: "score" });
    this.check.addEventListener("click", () => this.next());
    this.pupil = createHtml("input", { placeholder: "your name", "aria-label": "Your name", size: 12, autocomplete: "off" });
    this.pupil.addEventListener("keydown", (event) => event.stopPropagation()); // the keys of the player are letters
    this.save = createHtml("button", { title: "all checked predictions as a text, to hand in", disabled: "" }, "save answers");
    this.save.addEventListener("click", () => download("answers.txt", new Blob([this.writeAnswers()], { type: "text/plain" })));
    place.append(this.values, createHtml("p", { class: "buttons" }, this.check), this.lines, this.score, createHtml("p", { class: "buttons" }, this.pupil, this.save));
    player.picture.svg.addEventListener("keydown", (event) => this.strikeTyped(event), { capture: true });
  }

  /* Turn predict mode on or off. */
  set(isOn) {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    this.place.hidden = !isOn;
    document.body.classList.toggle("predicting", isOn);
    this.player.byId("predict").setAttribute("aria-pressed", isOn);
    this.player.pause();
    this.player.inspect(null);
    if (isOn) { this.player.setTracing(false); this.askAfter(this.film.position); } else { this.film.ahead = 0; this.strike([]); this.player.seek(this.film.position); }
    this.player.updateAddressSoon();
    document.dispatchEvent(new CustomEvent("predicting", { detail: isOn }));
  }

  /* Return the candidates that propagation removes at a stop. */
  findRemovals(stop) { return this.film.getVisibleRecords(stop).filter(({ kind }) => PREDICTED.has(kind)).flatMap(({ gone }) => gone || []); }

  /* Ask about the next step after a position, and show the state just before that step. */
  askAfter(position) {
    const { film, player } = this;
    film.ahead = 0;
    const stop = film.stops[film.grain].find((next) => next > position && this.findRemovals(next).length);
    this.result = null;
    this.choose(null);
    this.strike([]);
    this.check.textContent = "check";
    this.check.disabled = stop === undefined;
    if (stop === undefined) { player.show(film.seek(film.end)); this.showLines(["no step is left to predict"]); return; }
    const touched = film.seek(stop - film.getVisibleRecords(stop).length);
    film.ahead = stop;
    player.show(touched);
    this.showLines([]);
  }

  /* Return the caption of the question: the active constraints and their causes, without the removed values. */
  writeQuestion() {
    const { film } = this, records = film.getVisibleRecords();
    if (!film.isOneStep(records)) return [`round ${this.getRound()} · which values are removed?`];
    const places = [...new Set(records.map(({ constraint }) => film.data.constraints[constraint]?.name).filter(Boolean))];
    const causes = [...new Set(records.map((record) => this.findCauses(record)).filter(Boolean))];
    return [[`step ${records[0].step}`, ...causes, places.join(", "), "which values are removed?"].join(" · ")];
  }

  /* Return the causes that the caption of a removal names. */
  findCauses({ text: caption, constraint }) {
    const why = /^step \d+ · ([\s\S]*?)(?:(?:, which|,|:)? (?:removes|rules out|finds) |, so a line is at |: a line is at )/.exec(caption)?.[1] || "", { name = "" } = this.film.data.constraints[constraint] || {};
    const at = why.startsWith(name) ? why.indexOf(": ", name.length) : -1;
    return at < 0 ? "" : why.slice(at + 2);
  }

  /* Return the number of the present round. */
  getRound() { return this.film.data.records.slice(0, this.film.ahead || this.film.position).findLast(({ round }) => round)?.round ?? 1; }

  /* Choose a vertex; a click on the place of a value strikes the value instead. */
  choose(v, event) {
    const { player, film } = this;
    this.chosen = v;
    player.picture.choose(v);
    if (this.result || v === null) { this.values.replaceChildren(); return; }
    const value = event ? player.picture.findValue(v, event.clientX, event.clientY) : null;
    if (value !== null && film.isRemaining(v, value)) this.toggle(v * film.width + value);
    else this.draw();
    if (!event) this.values.querySelector("button")?.focus();
  }

  /* Strike a candidate, or remove its strike. */
  toggle(code) {
    const struck = new Set(this.struck);
    if (!struck.delete(code)) struck.add(code);
    this.strike(struck);
  }

  /* Set the struck candidates, and draw them. */
  strike(codes) {
    this.struck = new Set(codes);
    this.draw();
  }

  /* Strike the value of a typed digit or letter in the focused or chosen vertex. */
  strikeTyped(event) {
    if (!this.isOn || this.result || !/^\w$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { film } = this, v = Number(event.target.dataset?.v ?? this.chosen ?? -1);
    const value = film.data.vertices[v]?.domain.find((candidate) => String(film.data.values[candidate]) === event.key);
    if (value === undefined || !film.isRemaining(v, value)) return;
    event.preventDefault();
    event.stopPropagation();
    this.chosen = v;
    this.toggle(v * film.width + value);
  }

  /* Check the struck values, or ask about the next step if they are checked. */
  next() {
    if (this.film.ahead) this.judge();
    else if (this.result) this.askAfter(this.film.position);
  }

  /* Ask about the step that precedes the present one. */
  back() { this.askAfter(Math.max(0, this.film.findPreviousStop(this.film.findPreviousStop(this.film.ahead || this.film.position)) - 1)); }

  /* Show the step and compare it with the struck values: right, missed, removed later, or wrong. */
  judge() {
    const { film, player } = this, stop = film.ahead, question = this.writeQuestion(), removals = new Set(this.findRemovals(stop)), round = this.getRound();
    film.ahead = 0;
    player.show(film.seek(stop));
    // Sort the removed and the struck values: right, missed, removed later, or wrong.
    const result = this.result = { right: [], missed: [], later: [], wrong: [] }, lines = [];
    removals.forEach((code) => result[this.struck.has(code) ? "right" : "missed"].push(code));
    for (const code of this.struck) {
      if (removals.has(code)) continue;
      const at = this.findLaterRemoval(code, stop), kind = at === undefined ? "wrong" : "later";
      result[kind].push(code);
      lines.push(`${SIGNS[kind]} ${this.writeCandidate(code)}: ${at === undefined ? this.describeWrong(code) : this.describeLater(at, stop)}`);
    }
    if (result.right.length) lines.unshift(`${SIGNS.right} right: ${result.right.map((code) => this.writeCandidate(code)).join(" · ")}`);
    if (result.missed.length) lines.push(`${SIGNS.missed} missed: ${result.missed.map((code) => this.writeCandidate(code)).join(" · ")}`);
    // Count the step in the score of its round.
    const score = this.scores.get(round) || [0, 0];
    this.scores.set(round, [score[0] + result.right.length, score[1] + removals.size + result.wrong.length]);
    this.check.textContent = "next";
    this.answers.push([...question, `  struck: ${[...this.struck].map((code) => this.writeCandidate(code)).join(" · ") || "nothing"}`, ...lines.map((line) => `  ${line}`)].join("\n"));
    this.save.disabled = false;
    this.showLines(lines);
    this.choose(null);
    this.draw();
  }

  /* Write all checked predictions as a text: the pupil's name, the score, then each question with its result. */
  writeAnswers() {
    const name = this.pupil.value.trim();
    return [`predictions · ${this.film.data.title}`, ...(name ? [`name: ${name}`] : []), this.score.textContent, "", ...this.answers, ""].join("\n");
  }

  /* Write a candidate as an inequality, such as A ≠ 1. */
  writeCandidate(code) { return `${this.film.data.vertices[Math.floor(code / this.film.width)].name} ≠ ${this.film.data.values[code % this.film.width]}`; }

  /* Return the index of the record that removes a candidate after a stop and before the next decision, else undefined. */
  findLaterRemoval(code, stop) {
    const { records } = this.film.data, end = records.findIndex(({ kind }, i) => i >= stop && GUESSES.has(kind));
    return (this.film.changes.get(code) || []).find((i) => i >= stop && (end < 0 || i < end));
  }

  /* Describe a struck value that a later record removes. */
  describeLater(at, stop) {
    const { records, constraints } = this.film.data, { step, constraint } = records[at];
    const steps = new Set(records.slice(stop, at + 1).map((record) => record.step).filter((number) => number !== undefined)).size;
    const by = constraint === undefined ? "" : ` by ${constraints[constraint].name}`;
    return `right, but later: step ${step}${by}, ${steps} step${steps === 1 ? "" : "s"} from here`;
  }

  /* Describe why a struck value is wrong, or not proved. */
  describeWrong(code) {
    const { film } = this, last = film.data.records.at(-1)?.kind, isRemaining = film.findRemover(code, film.end) === undefined;
    const value = `${film.data.values[code % film.width]}`;
    if (last === "solved" && isRemaining) return `wrong: a solution has ${value} here`;
    return isRemaining ? "wrong: this value is never removed" : "not proved: only a later decision removes it";
  }

  /* Show the lines of a result, and the score. */
  showLines(lines) {
    this.lines.replaceChildren(...lines.map((line) => createHtml("li", {}, line)));
    const parts = [...this.scores].map(([round, [right, all]]) => `round ${round}: ${right} of ${all}`);
    this.score.textContent = parts.length ? `score · ${parts.join(" · ")}` : "click the values that are removed, or choose a cell and type them";
  }

  /* Draw the struck values or their results in the picture, and buttons for the values of the chosen vertex. */
  draw() {
    const { film, result, player: { picture } } = this, signs = result ? Object.entries(result) : [["struck", this.struck]];
    this.layer.replaceChildren(...signs.flatMap(([kind, codes]) => [...codes].map((code) => {
      const v = Math.floor(code / film.width), { x, y } = film.data.vertices[v], [dx, dy, wide, high] = picture.getPlace(v, code % film.width), at = [x + dx, y + dy];
      const bar = createSvg("path", { d: `M${at[0] - wide / 2} ${at[1] + high / 2}l${wide} ${-high}` });
      return createSvg("g", { class: kind }, createSvg("rect", { x: at[0] - wide / 2, y: at[1] - high / 2, width: wide, height: high, rx: 3 }),
        ...(kind === "struck" ? [bar] : [createText(SIGNS[kind], at[0] + wide / 2 - 2, at[1] - high / 2 + 2, 11)]));
    })));
    // Draw the buttons; a focused button keeps the focus.
    const v = this.chosen;
    if (v === null || result) { this.values.replaceChildren(); return; }
    const { name } = film.data.vertices[v], focused = this.values.contains(document.activeElement) ? document.activeElement.value : null;
    this.values.replaceChildren(`${name}: `, ...film.getRemaining(v).map((value) => {
      const button = createHtml("button", { value, "aria-pressed": this.struck.has(v * film.width + value), "aria-label": `strike ${film.data.values[value]} from ${name}` }, film.data.values[value]);
      button.addEventListener("click", () => this.toggle(v * film.width + value));
      return button;
    }));
    if (focused !== null) this.values.querySelector(`[value="${focused}"]`)?.focus();
  }
}
