/* The player: buttons, keys, links, the timeline, the log and the tree move one cursor, and every panel follows it. */

import { applyAddress, replaceAddress, writeAddress } from "./address.js";
import { Brush } from "./brush.js";
import { writeCaption, writeNotes } from "./captions.js";
import { summarize, traceRecords } from "./causes.js";
import { createHtml, rove } from "./dom.js";
import { Film, GRAINS, TERMS } from "./film.js";
import { addFocusRing, Keyboard } from "./keyboard.js";
import { Legend } from "./legend.js";
import { Lens } from "./lens.js";
import { Matching } from "./matching.js";
import { Algorithm, Inspector, Log, Queue, Source } from "./panels.js";
import { createSvg, drawShape } from "./shapes.js";
import { FADE, fadeInto } from "./motion.js";
import { Picture } from "./picture.js";
import { Prediction } from "./predict.js";
import { Causes, Reasons } from "./reasons.js";
import { savePng, saveSvg } from "./save.js";
import { Speech } from "./speech.js";
import { Timeline } from "./timeline.js";
import { Tree } from "./tree.js";
import { Zoom } from "./zoom.js";

const MAX_OMISSIONS = 2; // maximum number of omissions in the note; the menu lists all
const LONG = 200; // number of letters from which a caption is written in small type

/* Return a text for each clause and drawing of the spec that the picture leaves out. */
const listOmissions = (omissions = []) => omissions.map((words) => `not drawn: ${words}`);

/* Create the kind of box around the values that a constraint or decision removes, as in the picture. */
const createRemovalBox = (kind) => createSvg("svg", { viewBox: "0 0 15 15", "aria-hidden": "true" }, drawShape(["box", `boxed taker${kind}`, [7.5, 7.5, 13, 13]]));

/* The controller of all panels for one film. */
class Player {
  constructor(film) {
    this.film = film;
    this.listeners = new AbortController(); // ends the listeners on window and document
    this.showTitle(film.data);
    const byId = (id) => document.getElementById(id), seek = (to) => { this.pause(); this.seek(to); };
    this.byId = byId;
    this.caption = byId("caption");
    if (film.data.language) this.caption.lang = film.data.language;
    this.speech = new Speech(byId("speak"), film.data.language);
    this.picture = new Picture(film, byId("picture"));
    this.lens = new Lens(film, this.picture);
    this.causes = new Causes(film, this.picture);
    addFocusRing(this.picture.svg);
    this.matching = new Matching(film, byId("matching"));
    this.kinds = [...Object.keys(film.data.lenses), ...(this.matching.groups.length ? ["matching"] : [])];
    this.zoom = new Zoom(this.picture.svg.parentElement, [this.picture.svg, this.matching.svg]);
    this.legend = new Legend(film, byId("legend"), byId("signs"));
    this.inspector = new Inspector(film, byId("inspector"), seek, (chain) => this.highlight(chain), () => this.inspect(null));
    this.reasons = new Reasons(film, this.picture, byId("reason"), (chain) => this.highlight(chain));
    this.source = new Source(film, byId("source"));
    this.log = new Log(film, byId("log"), seek);
    this.panels = [new Queue(film, byId("queue"), (v) => this.inspect(v)), this.log, new Algorithm(film, byId("algorithm")), new Timeline(film, byId("slider"), byId("marks"), seek)];
    if (film.data.trees[0].nodes.length > 1) this.addTree(seek);
    rove(this.picture.svg, this.picture.groups, (v) => [film.data.vertices[v].x, film.data.vertices[v].y], (v, event) => (this.prediction.isOn ? this.prediction.choose(v, event) : this.inspect(v, !event)));
    this.brush = new Brush(this);
    this.prediction = new Prediction(this, byId("prediction"));
    this.writeQuestion = () => this.prediction.writeQuestion(); // the caption of a step that is to be predicted
    // Create the buttons of grains and lenses; lenses that show the same are in the menu.
    this.grains = this.createButtons(byId("grains"), GRAINS, (grain) => this.setGrain(grain));
    this.grains.forEach((button) => { button.title = `${TERMS[button.value]} (${button.value[0]})`; });
    const distinct = this.kinds.filter((kind, i) => kind === this.lens.kind || !this.kinds.slice(0, i).some((earlier) => this.isSameView(kind, earlier)));
    this.lenses = [["lenses", distinct], ["alike", this.kinds.filter((kind) => !distinct.includes(kind))]].flatMap(([place, kinds]) => (
      this.createButtons(byId(place), kinds, (kind) => this.setLens(kind))));
    this.first = this.kind = this.lens.kind;
    this.speed = byId("speed");
    this.speed.addEventListener("change", () => { if (this.timer) { this.pause(); this.play(); } this.updateAddress(); });
    this.connectListeners(seek);
    // Show the first step in the view that the address states.
    this.setGrain(film.grain);
    this.setLens(this.lens.kind);
    document.body.classList.toggle("steps", film.data.lens === "link"); // techniques have no queue, lenses or grains
    this.applyAddress(location.hash);
    clearTimeout(this.timeout); // the address is correct already, and another film may still need the old one
    if (film.data.mode === "predict" && !location.hash.includes("mode=")) this.prediction.set(true);
  }

  /* Write the title, the summary and the note of the page; the note has the first omissions of the picture. */
  showTitle({ title, about, note, omissions: omitted }) {
    document.title = title;
    const omissions = listOmissions(omitted), more = omissions.length - MAX_OMISSIONS;
    const notes = [note, ...omissions.slice(0, MAX_OMISSIONS), ...(more > 0 ? [`not drawn: ${more} more`] : [])];
    for (const [selector, words] of Object.entries({ "header h1": title, ".about": about, ".note": notes.filter(Boolean).join(" · ") })) {
      const place = document.querySelector(selector);
      place.textContent = words;
      place.hidden = !words;
    }
  }

  /* Return whether two lenses show the same picture at every step. */
  isSameView(first, second) {
    const { vertices, forms, lenses } = this.film.data, [a, b] = [first, second].map((kind) => lenses[kind]);
    const isBoard = vertices.some(({ form, piece }) => !piece && ["row", "column"].includes(forms[form].kind)); // lenses other than grid add lines to boards
    if (isBoard && [first, second].includes("grid")) return false;
    return Boolean(a && b) && ["edges", "constraint_nodes", "texts", "joins"].every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
  }

  /* Stop the player, because another film takes its place. */
  close() {
    this.pause();
    this.speech.stop();
    clearTimeout(this.timeout);
    this.listeners.abort();
    document.body.classList.remove("predicting");
  }

  /* Add the panel of the search tree with its buttons. */
  addTree(seek) {
    const { byId } = this;
    byId("tree-panel").hidden = false;
    const tree = this.tree = new Tree(this.film, byId("tree"), byId("map"), seek), collapse = byId("collapse"), large = byId("tree-large");
    this.panels.push(tree);
    const finish = () => {
      collapse.setAttribute("aria-pressed", tree.isSmall);
      this.legend.showNodes(byId("tree-legend"), new Set(tree.nodes.map(({ kind }) => kind)));
      addFocusRing(tree.svg);
    };
    collapse.addEventListener("click", () => { tree.collapse(!tree.isSmall); finish(); });
    finish();
    large.addEventListener("click", () => large.setAttribute("aria-pressed", byId("tree-panel").classList.toggle("large")));
    const ends = this.createButtons(byId("ends"), ["before", "after"], (end) => { tree.end = end; this.press(ends, end); });
    this.press(ends, tree.end);
    ends.forEach((button) => { button.title = `a click on a node shows it ${button.value} its fixpoint`; });
    byId("tree-smaller").addEventListener("click", () => tree.zoom(1 / 1.4));
    byId("tree-larger").addEventListener("click", () => tree.zoom(1.4));
    byId("tree-fit").addEventListener("click", () => tree.fit());
  }

  /* Create a row of buttons, one of which is pressed at a time; return the buttons. */
  createButtons(place, names, set) {
    const buttons = names.map((name) => createHtml("button", { "aria-pressed": "false", value: name }, this.film.data.lenses[name]?.title || name));
    buttons.forEach((button, i) => button.addEventListener("click", () => set(names[i])));
    place.append(...buttons);
    return buttons;
  }

  /* Show one button of a row as pressed. */
  press(buttons, name) {
    buttons.forEach((button) => button.setAttribute("aria-pressed", button.value === name));
  }

  /* Choose how far one step of the cursor goes: an event, a step, a round or a decision. */
  setGrain(grain) {
    this.film.grain = grain;
    this.press(this.grains, grain);
    if (this.prediction.isOn) this.prediction.askAfter(this.film.position);
    else this.show(new Set());
    this.updateAddressSoon();
  }

  /* Choose the lens through which the network is shown. */
  setLens(kind) {
    this.kind = kind;
    this.picture.svg.parentElement.classList.toggle("matching", kind === "matching");
    if (kind === "matching") this.matching.update(this.picture.scene);
    else {
      this.picture.update([]);
      this.lens.set(kind);
    }
    const { hidden } = this.lens, what = hidden === 1 ? "constraint is" : "constraints are";
    this.byId("hidden").textContent = [...(hidden ? [`${hidden} ${what} drawn only when active`] : []), ...listOmissions(this.film.data.omissions)].join(" · ");
    this.legend.setLens(kind);
    this.legend.update(this.drawing);
    this.press(this.lenses, kind);
    this.updateAddressSoon();
  }

  /* Return the SVG element of the present lens. */
  get drawing() { return (this.kind === "matching" ? this.matching : this.picture).svg; }

  /* Show only the picture and its caption, or the whole page. */
  setBare(on) {
    document.body.classList.toggle("bare", on);
    this.byId("bare").setAttribute("aria-pressed", on);
    this.zoom.fit();
    this.updateAddressSoon();
  }

  /* Stop at silent steps, or skip them. */
  setSilent(on) {
    this.film.skipSilent(!on);
    this.byId("silent").setAttribute("aria-pressed", on);
    this.updateAddressSoon();
  }

  /* Show the values of a vertex, null for none. After a key the focus moves to the values, and Escape moves it back. */
  inspect(v, isTyped = false) {
    const before = this.picture.chosen, { place } = this.inspector;
    if (v === null && before !== null && place.contains(document.activeElement)) this.picture.groups[before].focus();
    this.picture.choose(v);
    this.inspector.open(v);
    this.brush.draw();
    document.dispatchEvent(new CustomEvent("inspect", { detail: { isTyped } }));
    if (isTyped) (place.querySelector(".missing") || place).focus();
  }

  /* Highlight a chain of causes in the picture, the log and the tree; if causes are displayed and it is empty, highlight
     the chain of the present step. */
  highlight(chain) {
    if (!chain.size && this.isTracing) chain = this.traceStep();
    this.causes.highlight(chain);
    this.log.highlight(chain);
    this.tree?.highlight(chain);
    this.isLit = chain.size > 0;
  }

  /* Return the chain of causes of the present step. */
  traceStep() { return traceRecords(this.film, this.film.getVisibleRecords(), this.film.position); }

  /* Turn the display of causes on or off. */
  setTracing(isOn) {
    this.isTracing = isOn;
    this.byId("why").setAttribute("aria-pressed", isOn);
    this.showCauses();
  }

  /* Show and highlight the causes of the present step if their display is on, else remove the highlights. */
  showCauses() {
    const chain = this.isTracing ? this.traceStep() : new Map(), because = this.byId("because");
    because.hidden = !this.isTracing;
    if (this.isTracing) because.textContent = `rests on ${summarize(this.film, chain)} (numbered in order; thick: given, dashed: decision)`;
    if (this.isTracing || this.isLit) this.highlight(chain);
  }

  /* Move the cursor to a position and show it; in predict mode, ask about the next step from there. */
  seek(position) {
    this.film.ahead = this.prediction.isOn ? this.film.ahead : 0;
    if (this.prediction.isOn) this.prediction.askAfter(position);
    else this.show(this.film.seek(position));
    this.updateAddressSoon();
  }

  /* Move one stop forward (1) or back (-1). */
  step(way) {
    this.pause();
    if (this.prediction.isOn) { this.prediction[way > 0 ? "next" : "back"](); return; }
    this.seek(way > 0 ? this.film.findNextStop() : this.film.findPreviousStop());
  }

  /* Update all panels after the cursor has moved; `touched` are the changed vertices. */
  show(touched) {
    const { film } = this;
    this.reasons.tip.hidden = true;
    this.picture.update(touched, this.kind !== "matching");
    if (this.kind === "matching") this.matching.update(this.picture.scene);
    else this.lens.update();
    this.panels.forEach((panel) => panel.update());
    this.source.update(this.picture.scene);
    this.inspector.update();
    this.brush.draw();
    this.legend.update(this.drawing);
    // Write the caption; if it has a line for each record, each line has the box of its removals, if the picture has it.
    const words = this.writeCaption(), records = film.getVisibleRecords(), isParted = words.length > records.length;
    const { removers } = this.picture.scene, findKind = ({ gone = [] }) => removers.get(gone.find((code) => removers.has(code)));
    this.caption.className = [words.join("").length > LONG ? "long" : "", film.getRecord()?.kind === "failure" ? "failed" : ""].join(" ");
    this.caption.replaceChildren(...words.map((line, i) => {
      const record = words.length > 1 && records[isParted ? i - 1 : i];
      if (!record) return createHtml("span", {}, line);
      const { constraint } = record, kind = isParted ? findKind(record) : undefined;
      const data = constraint === undefined ? {} : { "data-constraint": constraint };
      return createHtml("span", { ...data, class: isParted ? "part" : "" }, ...(kind === undefined ? [] : [createRemovalBox(kind)]), line);
    }));
    const note = film.ahead ? [] : writeNotes(film, this.picture.scene);
    this.caption.append(...note.map((line) => createHtml("span", {}, line)));
    this.caption.title = words.some((line) => / · marked \d/.test(line)) ? `marked: ${TERMS.marked}` : "";
    this.speech.read([...words, ...note]);
    this.zoom.follow(this.drawing, this.picture.getBoxes());
    this.byId("where").textContent = `event ${film.position} / ${film.end}`;
    this.showCauses();
  }

  /* Return the captions of the present records, or a question about the next step. */
  writeCaption() { return this.film.ahead ? this.writeQuestion() : writeCaption(this.film); }

  /* Play, or pause if the film plays. */
  toggle() { if (this.timer) this.pause(); else this.play(); }

  /* Play from the cursor, or from the beginning if the cursor is at the end. */
  play() {
    if (this.film.position === this.film.end) this.seek(0);
    this.caption.setAttribute("aria-live", "off");
    const delay = 1000 / Number(this.speed.value), move = () => this.seek(this.film.findNextStop());
    this.timer = setInterval(() => {
      if (this.speech.isReading) return; // the next step waits for the end of the caption
      if (delay < 2 * FADE) move();
      else fadeInto(this.picture, move);
      if (this.film.position === this.film.end) this.pause();
    }, delay);
    this.showPlaying(true);
  }

  /* Pause. */
  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.caption.setAttribute("aria-live", "polite");
    this.showPlaying(false);
  }

  /* Show on the play button whether the film plays. */
  showPlaying(isPlaying) {
    const button = this.byId("play");
    button.setAttribute("aria-pressed", isPlaying);
    button.textContent = isPlaying ? "pause" : "play";
  }

  /* Update the address of the page after a short delay. */
  updateAddressSoon() {
    clearTimeout(this.timeout);
    this.timeout = setTimeout(() => this.updateAddress(), 200); // browsers limit the rate of changes
  }

  /* Write the present view into the address of the page. */
  updateAddress() { replaceAddress(writeAddress(this)); }

  /* Set the view to an address. */
  applyAddress(hash) { applyAddress(this, hash); }

  /* Connect buttons, keys and changes of the address with their actions. */
  connectListeners(seek) {
    const { film, byId } = this;
    window.addEventListener("hashchange", ({ newURL }) => this.applyAddress(new URL(newURL).hash), { signal: this.listeners.signal }); // not location.hash, which link() may have changed since
    const name = () => `${document.title.replace(/[^\w-]+/g, "-")}-${this.film.getLink().replace("=", "-")}`;
    const buttons = {
      first: () => seek(0), back: () => this.step(-1), play: () => this.toggle(), next: () => this.step(1), last: () => seek(film.end),
      predict: () => this.prediction.set(!this.prediction.isOn), why: () => this.setTracing(!this.isTracing), speak: () => this.speech.toggle(this.writeCaption()), silent: () => this.setSilent(film.skips), smaller: () => this.zoom.zoomBy(1 / 1.5), larger: () => this.zoom.zoomBy(1.5), fit: () => this.zoom.fit(),
      bare: () => this.setBare(!document.body.classList.contains("bare")),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
      svg: () => saveSvg(this.drawing, this.writeCaption(), name()), png: () => savePng(this.drawing, this.writeCaption(), name()),
    };
    for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
    byId("full").hidden = !document.fullscreenEnabled;
    byId("method").addEventListener("toggle", ({ target }) => EMPTY.forEach((part) => part.querySelector("#method")?.toggleAttribute("open", target.open))); // as for the next film
    byId("more").addEventListener("focusout", ({ currentTarget, relatedTarget }) => { if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false; });
    document.addEventListener("click", ({ target }) => { if (!target.closest("#more")) byId("more").open = false; }, { signal: this.listeners.signal });
    const move = (grain) => (way) => {
      const isOther = grain !== film.grain;
      if (isOther) this.setGrain(grain);
      if (!isOther || !this.prediction.isOn) this.step(way);
    };
    const lens = (kind) => () => { if (this.kinds.includes(kind)) this.setLens(kind); };
    const leave = () => { if (byId("more").open) byId("more").open = false; else if (document.body.classList.contains("bare")) this.setBare(false); else { this.inspect(null); this.reasons.hide(); } };
    new Keyboard({
      ArrowRight: () => this.step(1), n: () => this.step(1), ArrowLeft: () => this.step(-1), b: () => this.step(-1),
      Home: buttons.first, End: buttons.last, " ": buttons.play, w: buttons.why, q: buttons.predict, p: buttons.bare, s: buttons.silent,
      "+": buttons.larger, "-": buttons.smaller, 0: buttons.fit,
      e: move("event"), v: move("step"), r: move("round"), d: move("decision"),
      ...Object.fromEntries([...Object.keys(film.data.lenses), "matching"].map((kind) => [kind[0], lens(kind)])), Escape: leave,
    }, this.listeners.signal);
  }
}

const EMPTY = [...document.querySelectorAll("header, main")].map((part) => part.cloneNode(true));
let player;

/* Show a film (playable() in csp/render/page/player.py) in place of the previous one. Pages call only this function. */
export function show(data) {
  player?.close();
  EMPTY.forEach((part) => document.querySelector(part.localName).replaceWith(part.cloneNode(true)));
  player = new Player(new Film(data));
}
