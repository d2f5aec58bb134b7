/* The studio: send the text of the editor to the engine after each edit, and show the answers. */

/* global player, show */

import { Acts } from "./acts.js";
import { Assist } from "./assist.js";
import { Drawing } from "./drawing.js";
import { Editor } from "./editor.js";
import { connect } from "./engine.js";
import { load, pack, store, unpack } from "./links.js";
import { Modes } from "./modes.js";
import { Search } from "./search.js";
import { Sheets } from "./sheets.js";
import { Progress, showDiagnostics, showVerdict } from "./states.js";

const QUIET = 600; // milliseconds from the last letter until mistakes are shown
const TYPING_DELAY = 30; // milliseconds from the last key to the question, while another one is being answered
const NARROW = window.matchMedia("(max-width: 899px)"); // a narrow page shows one of its three parts
const DECISIONS = 150, MAX_DECISIONS = 10000; // number of decisions in a film: at first, and at most
const TRIES = 5; // number of questions for the list of examples
const FIRST = ["shidoku", "sudoku", "killer", "kakuro", "queens", "slitherlink"];

/* The controller of the page: it sends questions, and passes each answer to a part of the page. */
class Studio {
  constructor() {
    const byId = (id) => document.getElementById(id);
    Object.assign(this, { byId, seq: 0, playing: 0, errors: 0, pending: new Map(), name: "", fileText: null });
    this.progress = new Progress();
    this.engine = connect((message) => this.receive(message));
    const ask = (question) => this.ask(question);
    this.editor = new Editor({
      onChange: () => this.playSoon(), onMove: (shift) => { player.brush.movePins(shift); this.acts.moveLines(shift); }, onToggle: (line) => this.acts.toggle(`% off ${line}`),
      onHover: (lines) => player.brush.highlight({ lines }), onPin: (lines) => player.brush.pin(lines),
    });
    this.acts = new Acts(this);
    this.modes = new Modes(this);
    this.drawing = new Drawing(this);
    this.assist = new Assist(this.editor, ask);
    this.search = new Search(this.editor);
    this.sheets = new Sheets(this.editor, ask);
    this.connectListeners();
  }

  /* Send a question about the text; return its first answer. */
  ask(question) {
    const seq = ++this.seq;
    return new Promise((resolve) => {
      this.pending.set(seq, resolve);
      this.engine.ask({ text: this.editor.text, ...question, seq });
    });
  }

  /* Play at once, or after a delay if an answer is pending. */
  playSoon() {
    this.progress.show("…");
    showDiagnostics([], [], this.editor);
    clearTimeout(this.timer);
    if (this.byId("player").dataset.done == this.playing) this.play();
    else this.timer = setTimeout(() => this.play(), TYPING_DELAY);
  }

  /* Return the state that a link contains. */
  get state() { return { text: this.editor.text, level: this.byId("level").value, acts: this.acts.list, ...this.modes.state }; }

  /* Store the state in the browser and in the address. */
  storeState() {
    store(this.state);
    pack(this.state).then((spec) => this.setAddress(spec));
  }

  /* Query diagnostics, trace and verdict of the text; only answers to the newest question are shown. */
  play(nodes = DECISIONS) {
    this.nodes = nodes;
    clearTimeout(this.quietTimer);
    this.byId("more").hidden = true;
    clearTimeout(this.timer);
    const { text } = this.editor;
    document.body.classList.toggle("is-empty", !text.trim());
    this.setLandmark();
    this.byId("save").disabled = text === this.fileText;
    this.storeState();
    this.editor.highlight(this.editor.lit, this.acts.leftOut);
    this.acts.draw();
    if (!text.trim()) { this.clear(); this.drawThumbnails(); return; }
    this.started = performance.now();
    this.playing = this.sendQuestion({ ask: "play", nodes });
  }

  /* Show nothing for an empty text. */
  clear() {
    this.playing = 0;
    showDiagnostics([], [], this.editor);
    showVerdict(null);
    this.progress.end();
    this.progress.show("");
  }

  /* Send a question about the picture instead of the previous one; return its number. */
  sendQuestion(more) {
    this.running = ++this.seq;
    this.progress.begin();
    const { text, level, acts } = this.state;
    this.engine.ask({ seq: this.running, text, level, acts, name: this.name, ...more });
    return this.running;
  }

  /* Write spec and acts into the address, and keep its other parts. */
  setAddress(spec) {
    const parts = new URLSearchParams(location.hash.slice(1));
    parts.set("spec", spec);
    try { history.replaceState(null, "", `#${parts}`); } catch { /* the browser limits the rate of changes */ }
  }

  /* Pass a message to the part of the page that waits for it. */
  receive(message) {
    const { kind, seq } = message;
    if (kind === "hello") this.begin(message);
    else if (kind === "gone") this.progress.show("server not responding; showing the last result");
    else if (kind === "file") this.handleFileChange(message.text);
    else if (this.pending.has(seq)) {
      this.pending.get(seq)(message);
      this.pending.delete(seq);
    } else if (seq === this.modes.seq) this.modes.receive(message);
    else if (seq === this.playing) this[`on_${kind}`]?.(message);
  }

  on_diagnostics({ diagnostics }) {
    Object.assign(this, { diagnostics, fixes: [] });
    this.errors = diagnostics.filter(({ severity }) => severity === "error").length;
    const rest = this.editor.typed + QUIET - performance.now();
    this.isQuiet = rest <= 0;
    if (this.isQuiet) this.showMistakes();
    else if (this.errors) this.progress.showSummary("…");
    if (!this.isQuiet) this.quietTimer = setTimeout(() => { this.isQuiet = true; this.showMistakes(); this.assist.showMistake(); }, rest);
  }

  on_fixes({ fixes }) {
    this.fixes = fixes;
    if (this.isQuiet) showDiagnostics(this.diagnostics, fixes, this.editor);
  }

  /* Underline and list the mistakes of the text; the picture of an earlier text is paled. */
  showMistakes() {
    const { diagnostics, errors, fixes } = this;
    this.editor.showDiagnostics(diagnostics);
    showDiagnostics(diagnostics, fixes, this.editor);
    this.byId("player").classList.toggle("is-old", errors > 0);
    this.modes.showWaiting();
    if (!errors) return;
    showVerdict(null);
    this.progress.showSummary(`${errors} mistake${errors > 1 ? "s" : ""}`);
  }

  on_sheets(message) { this.sheets.show(message); }

  on_items({ items }) { this.drawing.setItems(items); }

  on_film({ film, cut }) {
    this.byId("more").hidden = !cut || this.nodes === MAX_DECISIONS;
    this.modes.setFilm(film);
    this.drawing.follow();
    this.byId("player").classList.remove("is-old");
    this.byId("player").dataset.film = this.playing;
    this.latency = performance.now() - this.started;
  }

  on_verdict(message) {
    this.progress.showVerdict(message);
    this.modes.setVerdict(message.solutions);
    showVerdict(message, (line) => this.acts.toggle(`% off ${line}`), () => { this.showTab("picture"); this.modes.set("both"); });
  }

  on_refused({ message }) {
    showVerdict(null);
    this.progress.showSummary(message);
  }

  on_stopped({ message }) {
    showVerdict(null);
    this.progress.end();
    this.progress.show(message || "stopped");
    this.byId("shallow").hidden = false;
  }

  on_done({ ms }) {
    this.progress.finish(ms);
    this.byId("player").dataset.done = this.playing;
    if (!this.modes.isPlayed && this.modes.film && !this.errors) this.modes.ask();
  }

  /* Highlight the lines that the player highlights in its own list, and draw buttons for the vertex that it chooses. */
  watchPlayer() {
    this.watcher?.disconnect();
    const source = this.byId("source");
    const update = () => {
      const lines = [...source.children].filter((row) => row.classList.contains("lit")).map((row) => row.value);
      this.editor.highlight(lines);
      this.acts.drawValues();
    };
    this.watcher = new MutationObserver(update);
    this.watcher.observe(source, { subtree: true, attributes: true, attributeFilter: ["class"] });
    update();
  }

  /* Begin with a file of the server, the spec of the link, or the stored one; again after each connection. */
  async begin({ name, text }) {
    this.name = name;
    this.byId("file").textContent = name || "studio";
    this.byId("save").hidden = !name;
    const isReconnected = this.fileText !== null;
    this.fileText = text;
    this.pending.clear();
    const linked = !isReconnected && await unpack(location.hash), state = linked || (name ? { text, acts: [] } : load());
    if (state && !isReconnected) this.restore(state);
    else this.play();
    for (let i = 0; i < TRIES && !this.byId("offers").childElementCount; i++) {
      const { names } = await this.ask({ ask: "example", name: "" }); // a newer question may have replaced this one
      if (names) this.offerExamples(names);
    }
  }

  /* Restore a state. */
  restore({ text, level, acts, ...more }) {
    this.acts.begin(Array.isArray(acts) ? acts : []);
    this.modes.restore(more);
    if (level) this.byId("level").value = level;
    if (!this.byId("level").value) this.byId("level").value = "singles";
    this.editor.open(text || "");
    this.play();
  }

  /* List the examples, and buttons for the first ones. */
  offerExamples(names) {
    const option = (name) => { const element = document.createElement("option"); element.textContent = element.value = name; return element; };
    this.byId("examples").append(...Object.keys(names).map(option));
    this.byId("offers").replaceChildren(...FIRST.filter((name) => names[name]).map((name) => {
      const button = document.createElement("button"), title = document.createElement("strong");
      title.textContent = name;
      const [about] = names[name].split(/[:;]/);
      button.append(title, about.toLowerCase() === name ? "" : about);
      button.value = name;
      button.addEventListener("click", () => this.open(name));
      return button;
    }));
    this.drawThumbnails();
  }

  /* Draw the missing pictures of the offered examples, one by one, while the page waits for no other answer. */
  async drawThumbnails() {
    for (const button of this.byId("offers").children) {
      if (this.pending.size || !document.body.classList.contains("is-empty")) return;
      if (button.querySelector("img")) continue;
      const { picture } = await this.ask({ ask: "thumbnail", name: button.value });
      if (!picture) return;
      const image = document.createElement("img");
      Object.assign(image, { src: `data:image/svg+xml,${encodeURIComponent(picture)}`, alt: "" });
      button.prepend(image);
    }
  }

  /* Open an example. */
  async open(name) {
    const { text } = await this.ask({ ask: "example", name });
    if (text === undefined) return;
    this.replaceSpec(text);
    this.editor.goTo(1, 1);
  }

  /* Replace the spec, without the acts and pins of the previous one. */
  replaceSpec(text) {
    this.acts.begin([]);
    player.brush.unpin();
    this.editor.put(text);
    this.showTab("picture");
  }

  /* Open an empty board with the chosen number of rows, on which constraints are drawn. */
  async openBoard(event) {
    event.preventDefault();
    const { text } = await this.ask({ ask: "board", name: event.submitter?.value ?? "boxes", row: Number(this.byId("rows").value) });
    if (text !== undefined) this.replaceSpec(text);
  }

  /* Follow a change of the file, unless the text has changes of its own. */
  handleFileChange(text) {
    const isUnchanged = this.editor.text === this.fileText;
    this.fileText = text;
    if (isUnchanged) this.editor.put(text, false);
    else this.byId("saving").textContent = "the file has changed on disk; reload the page before you save";
  }

  /* Save the text into its file; the server refuses if the file has changed. */
  async save() {
    const { text } = this.editor, { saved: isSaved, reason, text: fileText } = await this.ask({ ask: "save", before: this.fileText });
    if (isSaved) this.fileText = text;
    if (isSaved || fileText === this.fileText) this.byId("saving").textContent = isSaved ? "" : `not saved: ${reason}`;
    else this.handleFileChange(fileText);
    this.byId("save").disabled = this.editor.text === this.fileText;
  }

  /* Format the text. */
  async format() {
    const { text } = await this.ask({ ask: "format" });
    if (text !== undefined) this.editor.put(text);
  }

  /* Open a pasted puzzle or link. */
  async paste(event) {
    event.preventDefault();
    const { text, message } = await this.ask({ ask: "paste", word: this.byId("pasted").value.trim() });
    this.byId("refused").textContent = message || "";
    if (text !== undefined) this.replaceSpec(text);
  }

  /* Copy the link of the present state. */
  async share() {
    this.setAddress(await pack(this.state));
    try { await navigator.clipboard.writeText(location.href); this.progress.show("the link is copied"); } catch { this.progress.show("the link is in the address bar"); }
  }

  /* Undo the last change: the last act if the text is the same as then, else the last edit of the text. */
  undo() {
    const { acts, editor } = this, { text } = editor;
    if (acts.past.at(-1)?.text !== text) {
      editor.area.focus();
      document.execCommand("undo");
    }
    if (editor.text === text) acts.undo();
  }

  /* Choose the part that a narrow page shows. */
  showTab(name) {
    document.body.dataset.tab = name;
    this.setLandmark();
    [...this.byId("tabs").children].forEach((button) => button.setAttribute("aria-pressed", button.value === name));
  }

  /* Set the main landmark for screen readers: the spec, if the page shows only that. */
  setLandmark() {
    const { dataset: { tab }, classList } = document.body;
    const isAlone = tab === "spec" && NARROW.matches && !classList.contains("is-empty");
    this.byId("studio").setAttribute("role", isAlone ? "main" : "complementary");
  }

  /* Connect buttons and keys with their actions. */
  connectListeners() {
    const { byId } = this;
    this.showTab("spec");
    NARROW.addEventListener("change", () => this.setLandmark());
    byId("tabs").addEventListener("click", ({ target }) => { if (target.value) this.showTab(target.value); });
    const clicks = { save: () => this.save(), share: () => this.share(), format: () => this.format(),
      stop: () => this.engine.ask({ seq: this.running, ask: "stop" }), shallow: () => this.play(0),
      more: () => this.play(Math.min(4 * this.nodes, MAX_DECISIONS)) };
    for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
    byId("level").addEventListener("change", () => this.play());
    byId("examples").addEventListener("change", ({ target }) => { if (target.value) this.open(target.value); target.value = ""; });
    byId("blank").addEventListener("submit", (event) => this.openBoard(event));
    byId("paste").addEventListener("submit", (event) => this.paste(event));
    byId("start").addEventListener("keydown", (event) => event.stopPropagation());
    document.addEventListener("keydown", (event) => {
      const isCtrl = event.ctrlKey || event.metaKey;
      if (isCtrl && event.key === "s") { event.preventDefault(); if (this.name) this.save(); }
      else if (event.shiftKey && event.altKey && event.code === "KeyF") { event.preventDefault(); this.format(); }
      else if (isCtrl && event.key === "z" && !event.shiftKey && !event.target.matches("input")) { event.preventDefault(); this.undo(); }
      else if (!isCtrl && !event.altKey && /^Digit\d$/.test(event.code) && event.target.closest?.("#picture")) this.acts.addTyped(event);
    }, { capture: true });
  }
}

show(JSON.parse(document.getElementById("film").textContent));
globalThis.studio = new Studio();
