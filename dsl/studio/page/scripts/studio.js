/* The studio: what is written is asked, what is answered is shown. */

/* global player, show */

import { Acts } from "./acts.js";
import { Assist } from "./assist.js";
import { Editor } from "./editor.js";
import { Cages } from "./cages.js";
import { connect } from "./engine.js";
import { keep, kept, packed, unpacked } from "./links.js";
import { Modes } from "./modes.js";
import { Sheets } from "./sheets.js";
import { Progress, showMistakes, showVerdict } from "./states.js";

const SOON = 30; // milliseconds between the last key and the question, while another is being answered
const NARROW = window.matchMedia("(max-width: 899px)"); // there is room for one part
const DECISIONS = 150, MOST = 10000; // of the search in a film, and where it goes on
const TRIES = 5; // of asking for the examples
const FIRST = ["shidoku", "sudoku", "killer", "australia", "queens", "latin"];

class Studio {
  constructor() {
    const byId = (id) => document.getElementById(id);
    Object.assign(this, { byId, seq: 0, playing: 0, asked: new Map(), name: "", disk: null });
    this.progress = new Progress();
    this.engine = connect((message) => this.hear(message));
    const ask = (question) => this.ask(question);
    this.editor = new Editor({
      changed: () => this.soon(), moved: (shift) => { player.brush.move(shift); this.acts.move(shift); }, leftOut: (line) => this.acts.toggle(`% off ${line}`),
      over: (lines) => player.brush.light({ lines }), pin: (lines) => player.brush.pin(lines),
    });
    this.acts = new Acts(this);
    this.modes = new Modes(this);
    this.cages = new Cages(this);
    this.assist = new Assist(this.editor, ask);
    this.sheets = new Sheets(this.editor, ask);
    this.listen();
  }

  /* A question to the editor's engine; answers with its first message. */
  ask(question) {
    const seq = ++this.seq;
    return new Promise((resolve) => {
      this.asked.set(seq, resolve);
      this.engine.ask({ text: this.editor.text, ...question, seq });
    });
  }

  soon() {
    this.progress.say("…");
    clearTimeout(this.timer);
    if (this.byId("player").dataset.done == this.playing) this.play();
    else this.timer = setTimeout(() => this.play(), SOON);
  }

  /* What a link says. */
  get state() { return { text: this.editor.text, level: this.byId("level").value, acts: this.acts.list, ...this.modes.state }; }

  keep() {
    keep(this.state);
    packed(this.state).then((spec) => this.note(spec));
  }

  /* Ask for everything about what is written; the newest question wins. */
  play(nodes = DECISIONS) {
    this.nodes = nodes;
    this.byId("more").hidden = true;
    clearTimeout(this.timer);
    const { text } = this.editor;
    document.body.classList.toggle("is-empty", !text.trim());
    this.landmark();
    this.byId("save").disabled = text === this.disk;
    this.keep();
    this.editor.light(this.editor.lit, this.acts.off);
    this.acts.draw();
    if (!text.trim()) { this.clear(); return; }
    this.started = performance.now();
    this.playing = this.question({ ask: "play", nodes });
  }

  /* Nothing is written: nothing is said, nor waited for. */
  clear() {
    this.playing = 0;
    showMistakes([], [], this.editor);
    showVerdict(null);
    this.progress.end();
    this.progress.say("");
  }

  /* A question to the engine of the picture, in the place of the one before; its number. */
  question(more) {
    this.running = ++this.seq;
    this.progress.begin();
    const { text, level, acts } = this.state;
    this.engine.ask({ seq: this.running, text, level, acts, name: this.name, ...more });
    return this.running;
  }

  /* The address says spec and acts, and goes on saying the step. */
  note(spec) {
    const parts = new URLSearchParams(location.hash.slice(1));
    parts.set("spec", spec);
    try { history.replaceState(null, "", `#${parts}`); } catch { /* told too often */ }
  }

  hear(message) {
    const { kind, seq } = message;
    if (kind === "hello") this.begin(message);
    else if (kind === "gone") this.progress.say("nobody answers; what is shown stays");
    else if (kind === "file") this.changedOnDisk(message.text);
    else if (this.asked.has(seq)) {
      this.asked.get(seq)(message);
      this.asked.delete(seq);
    } else if (seq === this.modes.seq) this.modes.hear(message);
    else if (seq === this.playing) this[`on_${kind}`]?.(message);
  }

  on_diagnostics({ found }) {
    this.found = found;
    this.editor.mark(found);
    showMistakes(found, [], this.editor);
    const errors = found.filter(({ severity }) => severity === "error").length;
    this.byId("player").classList.toggle("is-old", errors > 0);
    if (errors) {
      showVerdict(null);
      this.progress.solutions = `${errors} mistake${errors > 1 ? "s" : ""}`;
      this.progress.say(this.progress.solutions);
    }
  }

  on_fixes({ found }) { showMistakes(this.found, found, this.editor); }

  on_sheets(message) { this.sheets.show(message); }

  on_film({ film, cut }) {
    this.byId("more").hidden = !cut || this.nodes === MOST;
    this.modes.film(film);
    this.byId("player").classList.remove("is-old");
    this.byId("player").dataset.film = this.playing;
    this.latency = performance.now() - this.started;
  }

  on_verdict(message) {
    this.progress.verdict(message);
    this.modes.verdict(message.solutions);
    showVerdict(message, (line) => this.acts.toggle(`% off ${line}`), () => { this.tab("picture"); this.modes.set("both"); });
  }

  on_refused({ message }) {
    showVerdict(null);
    this.progress.solutions = message;
    this.progress.say(message);
  }

  on_stopped({ message }) {
    showVerdict(null);
    this.progress.end();
    this.progress.say(message || "stopped");
    this.byId("shallow").hidden = false;
  }

  on_done({ ms }) {
    this.progress.done(ms);
    this.byId("player").dataset.done = this.playing;
    if (!this.modes.isPlayed && this.modes.played) this.modes.ask();
  }

  /* Lines at work in the player's own list are lit beside the editor; what is chosen in its picture can be set. */
  watchPlayer() {
    this.watcher?.disconnect();
    const source = this.byId("source");
    const light = () => {
      const lines = [...source.children].filter((row) => row.classList.contains("lit")).map((row) => row.value);
      this.editor.light(lines);
      this.acts.drawValues();
    };
    this.watcher = new MutationObserver(light);
    this.watcher.observe(source, { subtree: true, attributes: true, attributeFilter: ["class"] });
    this.byId("picture").addEventListener("click", () => this.acts.drawValues());
    light();
  }

  async begin({ name, text }) {
    this.name = name;
    this.byId("file").textContent = name || "studio";
    this.byId("save").hidden = !name;
    const isBack = this.disk !== null;
    this.disk = text;
    this.asked.clear();
    const linked = !isBack && await unpacked(location.hash), before = linked || (name ? { text, acts: [] } : kept());
    if (before && !isBack) this.restore(before);
    else this.play();
    for (let i = 0; i < TRIES && !this.byId("offers").childElementCount; i++) {
      const { names } = await this.ask({ ask: "example", name: "" }); // a newer question may have taken its place
      if (names) this.offer(names);
    }
  }

  restore({ text, level, acts, ...more }) {
    this.acts.begin(Array.isArray(acts) ? acts : []);
    this.modes.restore(more);
    if (level) this.byId("level").value = level;
    if (!this.byId("level").value) this.byId("level").value = "singles";
    this.editor.open(text || "");
    this.play();
  }

  offer(names) {
    const option = (name) => { const one = document.createElement("option"); one.textContent = one.value = name; return one; };
    this.byId("examples").append(...Object.keys(names).map(option));
    this.byId("offers").replaceChildren(...FIRST.filter((name) => names[name]).map((name) => {
      const button = document.createElement("button"), title = document.createElement("strong");
      title.textContent = name;
      button.append(title, names[name]);
      button.value = name;
      button.addEventListener("click", () => this.open(name));
      return button;
    }));
  }

  async open(name) {
    const { text } = await this.ask({ ask: "example", name });
    if (text === undefined) return;
    this.fresh(text);
    this.editor.go(1, 1);
  }

  /* Another spec, of which nothing is done or pinned yet. */
  fresh(text) {
    this.acts.begin([]);
    player.brush.unpin();
    this.editor.put(text);
    this.tab("picture");
  }

  changedOnDisk(text) {
    const isOurs = this.editor.text === this.disk;
    this.disk = text;
    if (isOurs) this.editor.put(text, false);
    else this.byId("saving").textContent = "the file has changed on disk; saving is refused until it is read again";
  }

  async save() {
    const { text } = this.editor, { saved, reason, text: disk } = await this.ask({ ask: "save", before: this.disk });
    if (saved) this.disk = text;
    if (saved || disk === this.disk) this.byId("saving").textContent = saved ? "" : `not saved: ${reason}`;
    else this.changedOnDisk(disk);
    this.byId("save").disabled = this.editor.text === this.disk;
  }

  async format() {
    const { text } = await this.ask({ ask: "format" });
    if (text !== undefined) this.editor.put(text);
  }

  async paste(event) {
    event.preventDefault();
    const { text, message } = await this.ask({ ask: "paste", word: this.byId("pasted").value.trim() });
    this.byId("refused").textContent = message || "";
    if (text !== undefined) this.fresh(text);
  }

  async share() {
    this.note(await packed(this.state));
    try { await navigator.clipboard.writeText(location.href); this.progress.say("the link is copied"); } catch { this.progress.say("the link is in the address bar"); }
  }

  /* The last act; where there is none, what was typed or written last. */
  undo() {
    if (this.acts.list.length) { this.acts.undo(); return; }
    this.editor.area.focus();
    document.execCommand("undo");
  }

  /* Which part is seen where there is room for one. */
  tab(name) {
    document.body.dataset.tab = name;
    this.landmark();
    [...this.byId("tabs").children].forEach((button) => button.setAttribute("aria-pressed", button.value === name));
  }

  /* Where nothing else is seen the spec is what the page is about. */
  landmark() {
    const { dataset: { tab }, classList } = document.body;
    const isAlone = tab === "spec" && NARROW.matches && !classList.contains("is-empty");
    this.byId("studio").setAttribute("role", isAlone ? "main" : "complementary");
  }

  listen() {
    const { byId } = this;
    this.tab("spec");
    NARROW.addEventListener("change", () => this.landmark());
    byId("tabs").addEventListener("click", ({ target }) => { if (target.value) this.tab(target.value); });
    const clicks = { save: () => this.save(), share: () => this.share(), format: () => this.format(),
      stop: () => this.engine.ask({ seq: this.running, ask: "stop" }), shallow: () => this.play(0),
      more: () => this.play(Math.min(4 * this.nodes, MOST)) };
    for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
    byId("level").addEventListener("change", () => this.play());
    byId("examples").addEventListener("change", ({ target }) => { if (target.value) this.open(target.value); target.value = ""; });
    byId("paste").addEventListener("submit", (event) => this.paste(event));
    byId("start").addEventListener("keydown", (event) => event.stopPropagation());
    document.addEventListener("keydown", (event) => {
      const isCtrl = event.ctrlKey || event.metaKey;
      if (isCtrl && event.key === "s") { event.preventDefault(); if (this.name) this.save(); }
      else if (event.shiftKey && event.altKey && event.code === "KeyF") { event.preventDefault(); this.format(); }
      else if (isCtrl && event.key === "z" && !event.target.matches("textarea, input")) { event.preventDefault(); this.undo(); }
      else if (!isCtrl && !event.altKey && /^Digit\d$/.test(event.code) && event.target.closest?.("#picture")) this.acts.typed(event);
    }, { capture: true });
  }
}

show(JSON.parse(document.getElementById("film").textContent));
globalThis.studio = new Studio();
