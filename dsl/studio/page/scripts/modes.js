/* The modes of the page: watch and predict play the film; the others ask the engine for what they show. */

/* global show, player, remember, Race */
import { Setting } from "./setting.js";
import { made } from "./states.js";

const KEPT = "kept spec", AGAINST = ["arc", "singles", "bounds", "domain", "without acts", KEPT];
const PLAYED = ["watch", "guess"];

export class Modes {
  constructor(studio) {
    Object.assign(this, { studio, mode: "watch", seq: 0, against: ["domain"], kept: [], played: null, race: null, kind: "", places: {}, entry: location.hash.slice(1) }); // where the page was entered
    this.tools = studio.byId("asked");
    this.found = studio.byId("found");
    this.setting = new Setting(studio, this.found);
    this.buttons = [...studio.byId("modes").querySelectorAll("button[value]")];
    this.buttons.forEach((button) => button.addEventListener("click", () => this.set(button.value)));
    document.addEventListener("predicting", ({ detail }) => { if (this.isPlayed) this.press(detail ? "guess" : "watch"); });
  }

  get isPlayed() { return PLAYED.includes(this.mode); }

  /* What a link says besides spec and acts. */
  get state() { return { ...(this.mode === "watch" ? {} : { mode: this.mode }), ...this.others }; }

  /* What else plays in the mode compare. */
  get others() {
    const { against, kept } = this;
    if (this.mode !== "compare") return {};
    return { against, ...(against.includes(KEPT) ? { kept } : {}) };
  }

  get choices() { return AGAINST.filter((one) => one !== KEPT || this.kept.length); }

  restore({ mode, against, kept }) {
    this.kept = Array.isArray(kept) && kept.every((one) => typeof one === "string") ? kept : [];
    if (Array.isArray(against)) this.against = against.filter((one) => this.choices.includes(one)).slice(0, 2);
    this.press(this.buttons.some(({ value }) => value === mode) ? mode : "watch");
  }

  press(mode) {
    this.mode = mode;
    this.buttons.forEach((button) => button.setAttribute("aria-pressed", button.value === mode));
    this.found.hidden = true;
    const tools = { compare: () => [this.choice(0), this.choice(1), this.keeper()], explain: () => [this.hinter()] }[mode];
    this.tools.replaceChildren(...(tools ? tools() : []));
  }

  set(mode) {
    const before = this.mode;
    this.press(mode);
    if (!this.played) return;
    if (!this.isPlayed) this.ask();
    else if (!PLAYED.includes(before)) this.show(this.played);
    else player.prediction.set(mode === "guess");
    this.studio.keep();
  }

  /* The film of what is written: it is shown, or it is told only that the other picture is old. */
  film(film) {
    this.played = film;
    if (this.isPlayed) this.show(film);
  }

  show(film) {
    const { mode } = this; // an address that was remembered may say another
    this.race?.leave();
    this.race = null;
    this.studio.byId("player").classList.remove("against");
    this.studio.byId("player").classList.toggle("still", this.mode === "set");
    this.turn(PLAYED.includes(mode) ? "watch" : mode);
    if (this.entry) remember(this.entry);
    this.entry = "";
    show({ ...film, ...(mode === "guess" ? { mode: "predict" } : {}) });
    if (PLAYED.includes(mode)) player.prediction.set(mode === "guess");
    this.studio.watchPlayer();
  }

  /* Another kind of film begins where it was left, not where the one before stands. */
  turn(kind) {
    if (this.kind && this.kind !== kind) {
      player.link();
      const parts = new URLSearchParams(location.hash.slice(1)), spec = parts.get("spec");
      ["spec", "mode"].forEach((name) => parts.delete(name));
      this.places[this.kind] = parts;
      remember(`${this.places[kind] ?? ""}&spec=${spec}`);
    }
    this.kind = kind;
  }

  ask() {
    this.seq = this.studio.question({ ask: this.mode, nodes: this.studio.nodes, ...this.others });
  }

  hear(message) { this[`on_${message.kind}`]?.(message); }

  on_candidates(message) { this.show(this.setting.still(this.played, message)); this.setting.count(); }

  on_spare(one) { this.setting.spare(one); }

  on_rating(message) { this.setting.rate(message); }

  on_explain({ film }) { this.show(film); }

  on_several({ message }) { this.setting.say(message); }

  on_both({ film }) {
    const { entry } = this;
    this.show(film);
    if (!entry) player.seek(0);
  }

  /* Two solutions are shown as long as there are two. */
  verdict(solutions) {
    this.buttons.at(-1).hidden = solutions !== "several";
    if (solutions !== "several" && this.mode === "both") this.set("watch");
  }

  on_compare({ race }) {
    player.leave();
    this.race?.leave();
    this.studio.byId("player").classList.add("against");
    document.querySelector("main").replaceWith(made("main", {}, this.studio.byId("racing").content.cloneNode(true)));
    player.head(this.played);
    this.race = new Race(race);
  }

  on_refused({ message }) { this.studio.on_refused({ message }); }

  on_stopped(message) { this.studio.on_stopped(message); }

  on_done({ ms }) {
    this.studio.progress.done(ms);
    this.studio.byId("player").dataset.mode = this.seq;
  }

  choice(i) {
    const names = i ? ["", ...this.choices] : this.choices;
    const select = made("select", { "aria-label": i ? "and against" : "against" }, ...names.map((name) => made("option", { value: name }, name || "–")));
    select.value = this.against[i] ?? "";
    select.addEventListener("change", () => {
      this.against[i] = select.value;
      this.against = this.against.filter(Boolean);
      this.ask();
    });
    return made("label", {}, i ? "and " : "against ", select);
  }

  /* What is written now plays beside what will be written. */
  keeper() {
    const button = made("button", { title: "what is written now, with its acts, plays beside what is written from now on" }, "keep");
    button.addEventListener("click", () => {
      const { text, acts } = this.studio.state;
      this.kept = [text, ...acts];
      this.against = [KEPT];
      this.press("compare");
      this.tools.lastChild.focus();
      this.ask();
      this.studio.keep();
    });
    return button;
  }

  /* A hint in three steps: where, what kind, all of it. */
  hinter() {
    const button = made("button", { title: "where to look; again: what kind it is; again: the step" }, "hint");
    button.addEventListener("click", () => {
      const { film } = player, { hints, where } = film.data.records[film.position] || {};
      if (!hints) return;
      const level = film.ahead ? this.hinted + 1 : 0;
      if (level > 1) { player.step(1); return; }
      this.hinted = level;
      film.ahead = film.position + 1;
      player.asking = () => [hints[level]];
      player.show(new Set());
      player.picture.links.replaceChildren();
      where.forEach((v) => player.picture.groups[v].classList.add("hinted"));
    });
    return button;
  }
}
