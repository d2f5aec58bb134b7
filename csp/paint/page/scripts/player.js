/* The player: one cursor, moved by buttons, keys, links, the timeline, the log and the tree; every panel follows it. */

import { chainOf, told } from "./causes.js";
import { html, rove } from "./dom.js";
import { Film, GRAINS } from "./film.js";
import { Keyboard, ring } from "./keyboard.js";
import { drawLegend } from "./legend.js";
import { Lens } from "./lens.js";
import { Matching } from "./matching.js";
import { Inspector, Log, Queue, Source } from "./panels.js";
import { element } from "./marks.js";
import { Picture } from "./picture.js";
import { Causes, Reasons } from "./reasons.js";
import { savePng, saveSvg } from "./save.js";
import { Timeline } from "./timeline.js";
import { Tree } from "./tree.js";
import { Zoom } from "./zoom.js";

const LONG = 1200; // letters of a caption that is written small

class Player {
  constructor(film) {
    this.film = film;
    const byId = (id) => document.getElementById(id), seek = (to) => { this.pause(); this.seek(to); };
    this.byId = byId;
    this.caption = byId("caption");
    this.picture = new Picture(film, byId("picture"));
    this.lens = new Lens(film, this.picture);
    this.causes = new Causes(film, this.picture);
    ring(this.picture.svg, element);
    this.matching = new Matching(film, byId("matching"));
    this.kinds = [...Object.keys(film.data.lenses), ...(this.matching.groups.length ? ["matching"] : [])];
    this.zoom = new Zoom(this.picture.svg.parentElement, [this.picture.svg, this.matching.svg]);
    this.inspector = new Inspector(film, byId("inspector"), seek, (whole) => this.light(whole));
    this.reasons = new Reasons(film, this.picture, byId("reason"), (whole) => this.light(whole));
    this.source = new Source(film, byId("source"));
    this.log = new Log(film, byId("log"), seek);
    this.panels = [new Queue(film, byId("queue"), (v) => this.inspect(v)), this.log, new Timeline(film, byId("slider"), byId("marks"), seek)];
    if (film.data.trees[0].nodes.length > 1) this.addTree(seek);
    rove(this.picture.svg, this.picture.groups, (v) => [film.data.vertices[v].x, film.data.vertices[v].y], (v, event) => this.inspect(v, !event));
    this.grains = this.choice(byId("grains"), GRAINS, (grain) => this.setGrain(grain));
    this.lenses = this.choice(byId("lenses"), this.kinds, (kind) => this.setLens(kind));
    this.first = this.kind = this.lens.kind;
    this.speed = byId("speed");
    this.speed.addEventListener("change", () => { if (this.timer) { this.pause(); this.play(); } this.link(); });
    this.listen(seek);
    this.setGrain(film.grain);
    this.setLens(this.lens.kind);
    document.body.classList.toggle("steps", this.isSteps);
    this.follow(location.hash);
  }

  /* Whether techniques are shown: there is neither a queue nor a choice of lenses and grains. */
  get isSteps() { return this.film.data.lens === "link"; }

  addTree(seek) {
    const { byId } = this;
    byId("tree-panel").hidden = false;
    const tree = this.tree = new Tree(this.film, byId("tree"), byId("map"), seek), collapse = byId("collapse");
    this.panels.push(tree);
    collapse.addEventListener("click", () => {
      const isSmall = collapse.getAttribute("aria-pressed") === "false";
      collapse.setAttribute("aria-pressed", isSmall);
      tree.collapse(isSmall);
      ring(tree.svg, element);
    });
    ring(tree.svg, element);
    const ends = this.choice(byId("ends"), ["before", "after"], (end) => { tree.end = end; this.press(ends, end); });
    this.press(ends, tree.end);
    ends.forEach((button) => { button.title = `a click on a node shows it ${button.value} its fixpoint`; });
    byId("tree-smaller").addEventListener("click", () => tree.zoom(1 / 1.4));
    byId("tree-larger").addEventListener("click", () => tree.zoom(1.4));
  }

  /* A row of buttons of which one is pressed. */
  choice(place, names, set) {
    const buttons = names.map((name) => html("button", { "aria-pressed": "false", value: name }, this.film.data.lenses[name]?.title || name));
    buttons.forEach((button, i) => button.addEventListener("click", () => set(names[i])));
    place.append(...buttons);
    return buttons;
  }

  press(buttons, name) {
    buttons.forEach((button) => button.setAttribute("aria-pressed", button.value === name));
  }

  setGrain(grain) {
    this.film.grain = grain;
    this.press(this.grains, grain);
    this.show(new Set());
    this.linkSoon();
  }

  setLens(kind) {
    this.kind = kind;
    this.picture.svg.parentElement.classList.toggle("matching", kind === "matching");
    if (kind === "matching") this.matching.update(this.picture.scene);
    else this.lens.set(kind);
    const { hidden } = this.lens, what = hidden === 1 ? "constraint shows" : "constraints show";
    this.byId("hidden").textContent = hidden ? `${hidden} ${what} only when active` : "";
    drawLegend(this.film, this.byId("legend"), kind);
    this.press(this.lenses, kind);
    this.linkSoon();
  }

  get drawing() { return (this.kind === "matching" ? this.matching : this.picture).svg; }

  /* The picture alone, with its caption. */
  setBare(on) {
    document.body.classList.toggle("bare", on);
    this.byId("bare").setAttribute("aria-pressed", on);
    this.zoom.fit();
    this.linkSoon();
  }

  /* Show the values of a vertex; who comes by keyboard goes on there, and back with Escape. */
  inspect(v, isTyped = false) {
    const before = this.picture.chosen, { place } = this.inspector;
    if (v === null && before !== null && place.contains(document.activeElement)) this.picture.groups[before].focus();
    this.picture.choose(v);
    this.inspector.open(v);
    if (isTyped) (place.querySelector(".missing") || place).focus();
  }

  /* Light a chain of causes in picture, log and tree. */
  light(whole) {
    if (!whole.size && this.isTracing) whole = this.behind();
    this.causes.light(whole);
    this.log.light(whole);
    this.tree?.light(whole);
    this.isLit = whole.size > 0;
  }

  behind() { return chainOf(this.film, this.film.window(), this.film.position); }

  trace(on) {
    this.isTracing = on;
    this.byId("why").setAttribute("aria-pressed", on);
    this.follows();
  }

  /* Say and light what the step follows from, if that is wanted; else nothing is lit any more. */
  follows() {
    const whole = this.isTracing ? this.behind() : new Map(), because = this.byId("because");
    because.hidden = !this.isTracing;
    if (this.isTracing) because.textContent = `follows from ${told(this.film, whole)} (rings; thick: given, dashed: decision)`;
    if (this.isTracing || this.isLit) this.light(whole);
  }

  seek(position) {
    this.show(this.film.seek(position));
    this.linkSoon();
  }

  step(way) {
    this.pause();
    this.seek(way > 0 ? this.film.after() : this.film.before());
  }

  show(touched) {
    const { film } = this;
    this.reasons.tip.hidden = true;
    this.picture.update(touched);
    if (this.kind === "matching") this.matching.update(this.picture.scene);
    else this.lens.update();
    this.panels.forEach((panel) => panel.update());
    this.source.update(this.picture.scene);
    this.inspector.update();
    const words = this.words();
    this.caption.classList.toggle("long", words.join("").length > LONG);
    this.caption.replaceChildren(...words.map((line) => html("span", {}, line)));
    this.byId("where").textContent = `${film.position} / ${film.end}`;
    if (this.isSteps) drawLegend(film, this.byId("legend"), this.kind);
    this.follows();
  }

  /* The captions of what is seen; of a whole round, only how much it was. */
  words() {
    const records = this.film.window();
    if (!records.length) return [`${this.film.opening} · ${this.film.data.vertices.length} variables`];
    if (this.film.isOne(records)) return records.map(({ text }) => text);
    const removed = records.reduce((sum, { gone }) => sum + (gone || []).length, 0);
    const { round } = this.film.data.records[this.film.position - records.length - 1] || {};
    const steps = [...new Set(records.map(({ step }) => step).filter(Boolean))];
    const which = steps.length > 1 ? `steps ${steps[0]} to ${steps.at(-1)}` : `step ${steps[0]}`;
    return [`${round ? `round ${round} · ` : ""}${steps.length ? `${which} · ${removed} values removed` : "nothing to tell"}`];
  }

  toggle() { if (this.timer) this.pause(); else this.play(); }

  play() {
    if (this.film.position === this.film.end) this.seek(0);
    this.caption.setAttribute("aria-live", "off");
    this.timer = setInterval(() => {
      this.seek(this.film.after());
      if (this.film.position === this.film.end) this.pause();
    }, 1000 / Number(this.speed.value));
    this.playing(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.caption.setAttribute("aria-live", "polite");
    this.playing(false);
  }

  playing(on) {
    const button = this.byId("play");
    button.setAttribute("aria-pressed", on);
    button.textContent = on ? "pause" : "play";
  }

  linkSoon() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => this.link(), 200); // browsers refuse to be told too often
  }

  /* The address of what is seen: the step and, where they are not as at first, lens, grain, speed and view. */
  link() {
    const parts = [this.film.link()], note = (name, now, first) => { if (now !== first) parts.push(`${name}=${now}`); };
    note("lens", this.kind, this.first);
    note("grain", this.film.grain, "revision");
    note("speed", this.speed.value, "2");
    if (document.body.classList.contains("bare")) parts.push("view=picture");
    try { history.replaceState(null, "", `#${parts.join("&")}`); } catch { /* a page inside another has no address */ }
  }

  follow(hash) {
    const parts = new URLSearchParams(hash.slice(1)), position = this.film.find(hash);
    if (this.kinds.includes(parts.get("lens")) && parts.get("lens") !== this.kind) this.setLens(parts.get("lens"));
    if (GRAINS.includes(parts.get("grain")) && parts.get("grain") !== this.film.grain) this.setGrain(parts.get("grain"));
    if ([...this.speed.options].some(({ value }) => value === parts.get("speed"))) this.speed.value = parts.get("speed");
    if (parts.has("view")) this.setBare(parts.get("view") === "picture");
    if (position !== null && position !== this.film.position) { this.pause(); this.seek(position); }
  }

  listen(seek) {
    const { film, byId } = this;
    window.addEventListener("hashchange", ({ newURL }) => this.follow(new URL(newURL).hash)); // link() may be quicker
    const name = () => `${document.title.replace(/[^\w-]+/g, "-")}-${this.film.link().replace("=", "-")}`;
    const buttons = {
      first: () => seek(0), back: () => this.step(-1), play: () => this.toggle(), next: () => this.step(1), last: () => seek(film.end),
      why: () => this.trace(!this.isTracing), smaller: () => this.zoom.by(1 / 1.5), larger: () => this.zoom.by(1.5), fit: () => this.zoom.fit(),
      bare: () => this.setBare(!document.body.classList.contains("bare")),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
      svg: () => saveSvg(this.drawing, this.words(), name()), png: () => savePng(this.drawing, this.words(), name()),
    };
    for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
    byId("full").hidden = !document.fullscreenEnabled;
    const move = (grain) => (way) => { if (grain !== film.grain) this.setGrain(grain); this.step(way); };
    const lens = (kind) => () => { if (this.kinds.includes(kind)) this.setLens(kind); };
    const leave = () => { if (document.body.classList.contains("bare")) this.setBare(false); else { this.inspect(null); this.reasons.hide(); } };
    new Keyboard({
      ArrowRight: () => this.step(1), n: () => this.step(1), ArrowLeft: () => this.step(-1), b: () => this.step(-1),
      Home: buttons.first, End: buttons.last, " ": buttons.play, w: buttons.why, p: buttons.bare,
      "+": buttons.larger, "-": buttons.smaller, 0: buttons.fit,
      e: move("event"), v: move("revision"), r: move("round"), d: move("decision"),
      ...Object.fromEntries([...Object.keys(film.data.lenses), "matching"].map((kind) => [kind[0], lens(kind)])), Escape: leave,
    });
  }
}

const player = new Player(new Film(JSON.parse(document.getElementById("film").textContent)));
