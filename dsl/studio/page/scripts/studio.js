/* The studio: what is written is asked, what is answered is shown. */

/* global show, player */
import { Assist } from "./assist.js";
import { Editor } from "./editor.js";
import { connect } from "./engine.js";
import { keep, kept, packed, unpacked } from "./links.js";
import { Sheets } from "./sheets.js";
import { Progress, showMistakes, showVerdict } from "./states.js";

const SOON = 80; // milliseconds between the last key and the question
const FIRST = ["shidoku", "sudoku", "killer", "australia", "queens", "latin"];

class Studio {
  constructor() {
    const byId = (id) => document.getElementById(id);
    Object.assign(this, { byId, seq: 0, playing: 0, acts: [], asked: new Map(), name: "", disk: null, nodes: 150 });
    this.progress = new Progress();
    this.engine = connect((message) => this.hear(message));
    const ask = (question) => this.ask(question);
    this.editor = new Editor({ changed: () => this.soon(), leftOut: (line) => this.toggle(`% off ${line}`) });
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
    clearTimeout(this.timer);
    this.progress.say("…");
    this.timer = setTimeout(() => this.play(), SOON);
  }

  /* Ask for everything about what is written; the newest question wins. */
  play() {
    clearTimeout(this.timer);
    const { text } = this.editor, { value: level } = this.byId("level"), { acts } = this;
    document.body.classList.toggle("is-empty", !text.trim());
    this.byId("save").disabled = text === this.disk;
    keep({ text, level, acts });
    packed({ text, level, acts }).then((spec) => this.note(spec));
    this.editor.light(this.editor.lit, new Set(acts.map((act) => Number(/^% off (\d+)$/.exec(act)?.[1] || 0))));
    this.drawActs();
    if (!text.trim()) { showMistakes([], [], this.editor); showVerdict(null); return; }
    this.playing = ++this.seq;
    this.started = performance.now();
    this.progress.begin();
    this.engine.ask({ seq: this.playing, ask: "play", text, level, acts, nodes: this.nodes, name: this.name });
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
    } else if (seq === this.playing) this[`on_${kind}`]?.(message);
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

  on_film({ film }) {
    show(film);
    this.byId("player").classList.remove("is-old");
    this.byId("player").dataset.film = this.playing;
    this.latency = performance.now() - this.started;
    this.watchPlayer();
  }

  on_verdict(message) {
    this.progress.verdict(message);
    showVerdict(message, (line) => this.toggle(`% off ${line}`));
  }

  on_refused({ message }) {
    this.progress.solutions = message;
    this.progress.say(message);
  }

  on_stopped({ message }) {
    this.progress.end();
    this.progress.say(message || "stopped");
    this.byId("shallow").hidden = false;
  }

  on_done({ ms }) {
    this.progress.end();
    this.byId("shallow").hidden = true;
    this.progress.state.textContent = `${this.progress.solutions ?? ""} · ${Math.round(ms)} ms`;
    this.byId("player").dataset.done = this.playing;
  }

  /* Lines at work in the player's own list are lit beside the editor; what is chosen in its picture can be set. */
  watchPlayer() {
    this.watcher?.disconnect();
    const source = this.byId("source");
    const light = () => {
      const lines = [...source.children].filter((row) => row.classList.contains("lit")).map((row) => row.value);
      this.editor.light(lines);
      this.drawValues();
    };
    this.watcher = new MutationObserver(light);
    this.watcher.observe(source, { subtree: true, attributes: true, attributeFilter: ["class"] });
    this.byId("picture").addEventListener("click", () => this.drawValues());
    light();
  }

  chosen() {
    const v = player.picture.chosen;
    return v === null || v === undefined ? null : player.film.data.vertices[v];
  }

  drawValues() {
    const vertex = this.chosen(), place = this.byId("values");
    place.hidden = !vertex;
    if (!vertex) return;
    const { values } = player.film.data;
    const buttons = vertex.domain.slice(0, 40).map((number) => {
      const button = document.createElement("button");
      button.textContent = values[number];
      button.title = "given; with Shift: struck; with Alt: what if";
      button.addEventListener("click", (event) => this.set(vertex, values[number], event));
      return button;
    });
    place.replaceChildren(`${vertex.name} = `, ...buttons);
  }

  set({ name }, value, { shiftKey, altKey }) {
    const written = /^-?\d+$|^[a-z]\w*$/.test(value) ? value : `'${String(value).replaceAll("'", "''")}'`;
    this.add(`${altKey ? '"what if": ' : ""}${name} ${shiftKey ? "!=" : "="} ${written}.`);
  }

  add(act) {
    this.acts = [...this.acts.filter((one) => one !== act), act];
    this.play();
  }

  toggle(act) {
    this.acts = this.acts.includes(act) ? this.acts.filter((one) => one !== act) : [...this.acts, act];
    this.play();
  }

  drawActs() {
    this.byId("done").replaceChildren(...this.acts.map((act) => {
      const line = document.createElement("li"), button = document.createElement("button");
      button.textContent = "↶";
      button.setAttribute("aria-label", `undo ${act}`);
      button.addEventListener("click", () => this.toggle(act));
      line.append(`${act} `, button);
      return line;
    }));
  }

  async begin({ name, text }) {
    this.name = name;
    this.byId("file").textContent = name || "studio";
    this.byId("save").hidden = !name;
    const isBack = this.disk !== null;
    this.disk = text;
    this.asked.clear();
    if (isBack) { this.play(); return; }
    const linked = await unpacked(location.hash), before = linked || (name ? { text, acts: [] } : kept());
    if (before) this.restore(before);
    else this.play();
    const { names } = await this.ask({ ask: "example", name: "" });
    this.offer(names || {});
  }

  restore({ text, level, acts }) {
    this.acts = Array.isArray(acts) ? acts : [];
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
    this.acts = [];
    this.editor.put(text);
    this.editor.go(1, 1);
  }

  changedOnDisk(text) {
    const isOurs = this.editor.text === this.disk;
    this.disk = text;
    if (isOurs) this.editor.put(text, false);
    else this.progress.say("the file has changed on disk; saving is refused until it is read again");
  }

  async save() {
    const { text } = this.editor, { saved, text: disk } = await this.ask({ ask: "save", before: this.disk });
    if (saved) this.disk = text;
    else this.changedOnDisk(disk);
    this.byId("save").disabled = this.editor.text === this.disk;
    if (saved) this.progress.say("saved");
  }

  async format() {
    const { text } = await this.ask({ ask: "format" });
    if (text !== undefined) this.editor.put(text);
  }

  async paste(event) {
    event.preventDefault();
    const { text, message } = await this.ask({ ask: "paste", word: this.byId("pasted").value.trim() });
    this.byId("refused").textContent = message || "";
    if (text !== undefined) { this.acts = []; this.editor.put(text); }
  }

  async share() {
    const { text } = this.editor, { value: level } = this.byId("level");
    this.note(await packed({ text, level, acts: this.acts }));
    try { await navigator.clipboard.writeText(location.href); this.progress.say("the link is copied"); } catch { this.progress.say("the link is in the address bar"); }
  }

  listen() {
    const { byId } = this;
    const clicks = { save: () => this.save(), share: () => this.share(), format: () => this.format(),
      stop: () => this.engine.ask({ seq: this.playing, ask: "stop" }), shallow: () => { this.nodes = 0; this.play(); this.nodes = 150; } };
    for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
    byId("level").addEventListener("change", () => this.play());
    byId("examples").addEventListener("change", ({ target }) => { if (target.value) this.open(target.value); target.value = ""; });
    byId("paste").addEventListener("submit", (event) => this.paste(event));
    byId("start").addEventListener("keydown", (event) => event.stopPropagation());
    document.addEventListener("keydown", (event) => {
      const isCtrl = event.ctrlKey || event.metaKey;
      if (isCtrl && event.key === "s") { event.preventDefault(); if (this.name) this.save(); }
      else if (event.shiftKey && event.altKey && event.code === "KeyF") { event.preventDefault(); this.format(); }
      else if (isCtrl && event.key === "z" && !event.target.matches("textarea, input") && this.acts.length) { event.preventDefault(); this.acts = this.acts.slice(0, -1); this.play(); }
      else if (!isCtrl && !event.altKey && /^Digit\d$/.test(event.code) && event.target.closest?.("#picture")) this.typed(event);
    }, { capture: true });
  }

  /* A digit typed on a vertex of the picture. */
  typed(event) {
    const vertex = this.chosen(), digit = event.code.at(-1);
    if (!vertex || !vertex.domain.some((number) => String(player.film.data.values[number]) === digit)) return;
    event.preventDefault();
    event.stopPropagation();
    this.set(vertex, digit, event);
  }
}

globalThis.studio = new Studio();
