/* The modes of the page: watch and predict play the trace; each other mode queries the engine and shows its answer. */

/* global show, player, replaceAddress, Race */
import { Setting } from "./setting.js";
import { create } from "./states.js";

const KEPT = "kept spec", AGAINST = ["arc", "singles", "bounds", "domain", "without acts", KEPT];
const PLAYED = ["watch", "guess"];

/* The buttons of the modes, and the trace or the comparison of traces that the present mode plays. */
export class Modes {
  constructor(studio) {
    Object.assign(this, { studio, mode: "watch", seq: 0, against: ["domain"], kept: [], film: null, race: null, kind: "", places: {}, entry: location.hash.slice(1) }); // where the page was entered
    this.tools = studio.byId("tools");
    this.findings = studio.byId("findings");
    this.setting = new Setting(studio, this.findings);
    this.buttons = [...studio.byId("modes").querySelectorAll("button[value]")];
    this.buttons.forEach((button) => button.addEventListener("click", () => this.set(button.value)));
    document.addEventListener("predicting", ({ detail }) => { if (this.isPlayed) this.press(detail ? "guess" : "watch"); });
  }

  /* Return whether the present mode plays the trace of the text. */
  get isPlayed() { return PLAYED.includes(this.mode); }

  /* Return the part of a link that is neither spec nor acts. */
  get state() { return { ...(this.mode === "watch" ? {} : { mode: this.mode }), ...this.others }; }

  /* Return what mode compare plays beside the trace: levels, and an earlier spec; an empty object in other modes. */
  get others() {
    const { against, kept } = this;
    if (this.mode !== "compare") return {};
    return { against, ...(against.includes(KEPT) ? { kept } : {}) };
  }

  /* Return the names that mode compare offers. */
  get choices() { return AGAINST.filter((name) => name !== KEPT || this.kept.length); }

  /* Set mode and choices to those of a link. */
  restore({ mode, against, kept }) {
    this.kept = Array.isArray(kept) && kept.every((line) => typeof line === "string") ? kept : [];
    if (Array.isArray(against)) this.against = against.filter((name) => this.choices.includes(name)).slice(0, 2);
    this.press(this.buttons.some(({ value }) => value === mode) ? mode : "watch");
  }

  /* Show the button of a mode as pressed, and the tools of the mode. */
  press(mode) {
    this.mode = mode;
    this.buttons.forEach((button) => button.setAttribute("aria-pressed", button.value === mode));
    this.findings.hidden = true;
    this.studio.byId("player").classList.remove("hinting");
    const tools = { compare: () => [this.createChoice(0), this.createChoice(1), this.createKeepButton()], explain: () => [this.createHintButton()] }[mode];
    this.tools.replaceChildren(...(tools ? tools() : []));
  }

  /* Change the mode. */
  set(mode) {
    const before = this.mode;
    this.press(mode);
    this.showWaiting();
    if (!this.film) return;
    if (!this.isPlayed) { if (!this.studio.errors) this.ask(); }
    else if (!PLAYED.includes(before)) this.show(this.film);
    else player.prediction.set(mode === "guess");
    this.studio.storeState();
  }

  /* Show that the present mode waits until errors are corrected; without errors, hide this. */
  showWaiting() {
    const { errors } = this.studio, wasWaiting = this.isWaiting, [button] = this.buttons.filter(({ value }) => value === this.mode);
    this.isWaiting = errors > 0 && this.mode !== "watch";
    if (this.isWaiting) this.findings.textContent = `${button.textContent} waits until ${errors === 1 ? "the mistake is" : `${errors} mistakes are`} corrected`;
    if (this.isWaiting || wasWaiting) this.findings.hidden = !this.isWaiting;
  }

  /* Store the trace of the present text, and show it if the present mode plays it. */
  setFilm(film) {
    this.film = film;
    this.showWaiting();
    if (this.isPlayed) this.show(film);
  }

  /* Show a trace in the player, in place of the previous trace or comparison. */
  show(film) {
    const { mode } = this; // a link may contain another mode
    this.race?.close();
    this.race = null;
    this.studio.byId("player").classList.remove("against");
    this.studio.byId("player").classList.toggle("still", this.mode === "set");
    this.setKind(PLAYED.includes(mode) ? "watch" : mode);
    if (this.entry) replaceAddress(this.entry);
    this.entry = "";
    show({ ...film, ...(mode === "guess" ? { mode: "predict" } : {}) });
    if (PLAYED.includes(mode)) player.prediction.set(mode === "guess");
    this.studio.watchPlayer();
  }

  /* Change the kind of trace that is shown: each kind continues at its own last position. */
  setKind(kind) {
    if (this.kind && this.kind !== kind) {
      player.updateAddress();
      const parts = new URLSearchParams(location.hash.slice(1)), spec = parts.get("spec");
      ["spec", "mode"].forEach((name) => parts.delete(name));
      this.places[this.kind] = parts;
      replaceAddress(`${this.places[kind] ?? ""}&spec=${spec}`);
    }
    this.kind = kind;
  }

  /* Send the question of the present mode. */
  ask() {
    this.seq = this.studio.sendQuestion({ ask: this.mode, nodes: this.studio.nodes, ...this.others });
  }

  /* Handle an answer to the question of the mode by its kind. */
  receive(message) { this[`on_${message.kind}`]?.(message); }

  on_candidates(message) { this.show(this.setting.showCounts(this.film, message)); this.setting.drawCounts(); }

  on_spare(clue) { this.setting.addSpare(clue); }

  on_rating(message) { this.setting.showRating(message); }

  on_explain({ film }) { this.show(film); }

  on_several({ message }) { this.setting.append(message); }

  on_both({ film }) {
    const { entry } = this;
    this.show(film);
    if (!entry) player.seek(0);
  }

  /* Offer mode two solutions only while the text has several. */
  setVerdict(solutions) {
    this.buttons.at(-1).hidden = solutions !== "several";
    if (solutions !== "several" && this.mode === "both") this.set("watch");
  }

  /* Show traces side by side in place of the player. */
  on_compare({ race }) {
    player.close();
    this.race?.close();
    this.studio.byId("player").classList.add("against");
    document.querySelector("main").replaceWith(create("main", {}, this.studio.byId("racing").content.cloneNode(true)));
    player.showTitle(this.film);
    this.race = new Race(race);
  }

  on_refused({ message }) { this.studio.on_refused({ message }); }

  on_stopped(message) { this.studio.on_stopped(message); }

  on_done({ ms }) {
    this.studio.progress.finish(ms);
    this.studio.byId("player").dataset.mode = this.seq;
  }

  /* Create the first or second list of traces to compare with. */
  createChoice(i) {
    const names = i ? ["", ...this.choices] : this.choices;
    const select = create("select", { "aria-label": i ? "and against" : "against" }, ...names.map((name) => create("option", { value: name }, name || "–")));
    select.value = this.against[i] ?? "";
    select.addEventListener("change", () => {
      this.against[i] = select.value;
      this.against = this.against.filter(Boolean);
      this.ask();
    });
    return create("label", {}, i ? "and " : "against ", select);
  }

  /* Create a button that keeps the present spec, to play beside later ones. */
  createKeepButton() {
    const button = create("button", { title: "keep this spec and its acts, to play beside later ones" }, "keep");
    button.addEventListener("click", () => {
      const { text, acts } = this.studio.state;
      this.kept = [text, ...acts];
      this.against = [KEPT];
      this.press("compare");
      this.tools.lastChild.focus();
      this.ask();
      this.studio.storeState();
    });
    return button;
  }

  /* Create a button for a hint in three steps: the place, then the technique, then the whole step. */
  createHintButton() {
    const button = create("button", { title: "the place; click again for the technique, then for the step" }, "hint");
    button.addEventListener("click", () => {
      const { film } = player, { hints, where } = film.data.records[film.position] || {};
      if (!hints) return;
      const level = film.ahead ? this.hintLevel + 1 : 0;
      if (level > 1) { player.step(1); return; }
      this.hintLevel = level;
      this.studio.byId("player").classList.add("hinting");
      film.ahead = film.position + 1;
      player.writeQuestion = () => [hints[level]];
      player.show(new Set());
      player.picture.links.replaceChildren();
      where.forEach((v) => player.picture.groups[v].classList.add("hinted"));
    });
    return button;
  }
}
