"use strict";
/* The player: one cursor, moved by buttons, keys, links, the timeline, the log and the tree; every panel follows it. */

const TITLES = { factor: "factor graph" };

class Player {
  constructor(film) {
    this.film = film;
    const byId = (id) => document.getElementById(id), seek = (to) => { this.pause(); this.seek(to); };
    this.caption = byId("caption");
    this.where = byId("where");
    this.hidden = byId("hidden");
    this.picture = new Picture(film, byId("picture"));
    this.lens = new Lens(film, this.picture);
    this.inspector = new Inspector(film, byId("inspector"), seek);
    this.source = new Source(film, byId("source"));
    this.panels = [new Queue(film, byId("queue")), new Log(film, byId("log"), seek),
      new Timeline(film, byId("slider"), byId("marks"), seek)];
    drawLegend(film, byId("legend"));
    if (film.data.trees[0].length > 1) this.addTree(byId, seek);
    rove(this.picture.svg, this.picture.groups, (v) => [film.data.vertices[v].x, film.data.vertices[v].y], (v) => this.inspect(v));
    this.buttons = {
      first: () => seek(0), back: () => this.step(-1), play: () => this.toggle(), next: () => this.step(1), last: () => seek(film.end),
    };
    for (const [id, act] of Object.entries(this.buttons)) byId(id).addEventListener("click", act);
    this.grains = this.choice(byId("grains"), GRAINS, (grain) => this.setGrain(grain));
    this.lenses = this.choice(byId("lenses"), LENSES, (kind) => this.setLens(kind));
    this.speed = byId("speed");
    this.speed.addEventListener("change", () => { if (this.timer) { this.pause(); this.play(); } });
    this.listen();
    this.setGrain(film.grain);
    this.setLens(this.lens.kind);
    this.follow(location.hash);
  }

  addTree(byId, seek) {
    const tree = new Tree(this.film, byId("tree"), seek), collapse = byId("collapse");
    this.panels.push(tree);
    byId("tree-panel").hidden = false;
    collapse.addEventListener("click", () => {
      const isSmall = collapse.getAttribute("aria-pressed") === "false";
      collapse.setAttribute("aria-pressed", isSmall);
      tree.collapse(isSmall);
    });
  }

  /* A row of buttons of which one is pressed. */
  choice(place, names, set) {
    const buttons = names.map((name) => html("button", { "aria-pressed": "false", value: name }, TITLES[name] || name));
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
  }

  setLens(kind) {
    this.lens.set(kind);
    const { hidden } = this.lens, what = hidden === 1 ? "constraint shows" : "constraints show";
    this.hidden.textContent = hidden ? `${hidden} ${what} only when active` : "";
    this.press(this.lenses, kind);
  }

  inspect(v) {
    this.picture.choose(v);
    this.inspector.open(v);
  }

  seek(position) {
    this.show(this.film.seek(position));
    clearTimeout(this.linking);
    this.linking = setTimeout(() => this.link(), 200); // browsers refuse to be told too often
  }

  step(way) {
    this.pause();
    this.seek(way > 0 ? this.film.after() : this.film.before());
  }

  show(touched) {
    const { film } = this;
    this.picture.update(touched);
    this.lens.update();
    this.panels.forEach((panel) => panel.update());
    this.source.update(this.picture.scene);
    this.inspector.update();
    this.caption.replaceChildren(...this.words().map((line) => html("span", {}, line)));
    this.where.textContent = `${film.position} / ${film.end}`;
  }

  /* The captions of what is seen; of a whole round, only how much it was. */
  words() {
    const records = this.film.window();
    if (!records.length) return [`the network · ${this.film.data.vertices.length} variables`];
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
    const button = document.getElementById("play");
    button.setAttribute("aria-pressed", on);
    button.setAttribute("aria-label", on ? "pause" : "play");
    button.textContent = on ? "pause" : "play";
  }

  link() {
    try { history.replaceState(null, "", this.film.link()); } catch { /* a page inside another has no address */ }
  }

  follow(hash) {
    const position = this.film.find(hash);
    if (position !== null && position !== this.film.position) { this.pause(); this.seek(position); }
  }

  listen() {
    window.addEventListener("hashchange", ({ newURL }) => this.follow(new URL(newURL).hash)); // link() may be quicker
    document.addEventListener("keydown", (event) => this.key(event));
    new Reasons(this.film, this.picture, document.getElementById("reason"));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = event.shiftKey ? -1 : 1, { target } = event;
    const move = (grain) => () => { if (grain !== this.film.grain) this.setGrain(grain); this.step(way); };
    const lens = (kind) => () => this.setLens(kind);
    const act = {
      ArrowRight: () => this.step(1), n: () => this.step(1), ArrowLeft: () => this.step(-1), b: () => this.step(-1),
      Home: this.buttons.first, End: this.buttons.last, " ": () => this.toggle(),
      e: move("event"), v: move("revision"), r: move("round"), d: move("decision"),
      g: lens("grid"), c: lens("clique"), f: lens("factor"), Escape: () => this.inspect(null),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isOwn = target.matches("select, summary") || (event.key === " " && target.matches("button"))
      || (event.key.startsWith("Arrow") && target.id === "queue");
    if (!act || isOwn) return;
    event.preventDefault();
    act();
  }
}

/* Who removed it, where the pointer is. */
class Reasons {
  constructor(film, picture, tip) {
    Object.assign(this, { film, picture, tip });
    picture.svg.addEventListener("pointermove", (event) => this.point(event));
    picture.svg.addEventListener("pointerleave", () => { tip.hidden = true; });
  }

  point(event) {
    const { film, picture, tip } = this, group = event.target.closest(".vertex");
    const words = group && this.words(Number(group.dataset.v), event);
    tip.hidden = !words;
    if (!words) return;
    tip.textContent = words;
    const box = picture.svg.parentElement.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    tip.style.left = `${Math.max(0, Math.min(x + 14, box.width - tip.offsetWidth))}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight > box.height ? y - tip.offsetHeight - 10 : y + 18}px`;
  }

  words(v, { clientX, clientY }) {
    const { film, picture } = this, vertex = film.data.vertices[v];
    if (vertex.cell && film.data.style === "size") {
      return `${vertex.name}: ${film.left(v).map((value) => film.data.values[value]).join(" ") || "no value left"}`;
    }
    const value = picture.valueAt(v, clientX, clientY);
    if (value === null || film.isLeft(v, value)) return "";
    return `${film.data.values[value]} is missing from ${vertex.name}: ${film.data.records[film.remover(v, value)].text}`;
  }
}

const player = new Player(new Film(JSON.parse(document.getElementById("film").textContent)));
