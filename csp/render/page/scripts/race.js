/* Films on one clock. A value that some films have removed is boxed and struck out in these films, and has a dashed box
   in the others. */

import { createHtml, rove } from "./dom.js";
import { Film } from "./film.js";
import { addFocusRing, Keyboard } from "./keyboard.js";
import { Lens } from "./lens.js";
import { createSvg, createText } from "./shapes.js";
import { Picture } from "./picture.js";

const HIGH = 150, EDGE = 12, FOOT = 134, KINDS = ["one", "second", "third"], LINES = ["━", "╍", "┅"];

/* One film of a race: its picture, its count of values and its caption. */
class Side {
  constructor(data, name, counts, inspect) {
    const film = this.film = new Film(data);
    Object.assign(this, { name, counts });
    this.picture = new Picture(film, createSvg("svg", { role: "group", "aria-label": `${name}: arrow keys move between vertices, Enter shows what only one side removed` }));
    this.lens = new Lens(film, this.picture);
    this.differs = this.picture.svg.appendChild(createSvg("g"));
    addFocusRing(this.picture.svg);
    rove(this.picture.svg, this.picture.groups, (v) => [data.vertices[v].x, data.vertices[v].y], (v) => inspect(data.vertices[v].name));
    this.count = createHtml("p", { class: "count" });
    this.caption = createHtml("p");
    this.place = createHtml("section", { class: "side", "aria-label": name }, createHtml("h2", {}, name), this.picture.svg, this.count, this.caption);
    this.numbers = new Map(data.vertices.map((vertex, v) => [vertex.name, v]));
  }

  /* For each other film, pair the candidates that both films have. */
  pairCandidates(otherSides) {
    const { data, width } = this.film;
    this.pairings = otherSides.map((otherSide) => {
      const values = new Map(otherSide.film.data.values.map((value, i) => [value, i]));
      const pairs = data.vertices.flatMap(({ name, domain }, v) => domain.flatMap((value) => {
        const w = otherSide.numbers.get(name), twin = values.get(data.values[value]);
        return w !== undefined && otherSide.film.data.vertices[w].domain.includes(twin) ? [[v * width + value, w * otherSide.film.width + twin]] : [];
      }));
      return { otherSide, pairs };
    });
  }

  /* Return the candidates that this film has removed and another has not, and those that it has not but another has. */
  findDifferences() {
    const { alive } = this.film, different = [new Set(), new Set()];
    for (const { otherSide: { film: { alive: aliveThere } }, pairs } of this.pairings) {
      for (const [code, twin] of pairs) if (alive[code] !== aliveThere[twin]) different[alive[code]].add(code);
    }
    return different.map((codes) => [...codes].sort((first, second) => first - second));
  }

  /* Draw the state at a position and the differences from the other films. */
  show(position) {
    const { film, picture } = this, [here, there] = this.findDifferences(), before = picture.scene;
    const { failed } = film.getScene();
    picture.scene = { ...before, gone: new Set(here), failed, causes: new Set(), active: new Set(), constraints: new Set(), removers: new Map() };
    // Draw the vertices again whose domain, difference or failure has changed.
    const dirty = new Set([...this.touched, ...before.failed, ...failed, ...[...before.gone, ...here].map((code) => Math.floor(code / film.width))]);
    dirty.forEach((v) => picture.drawVertex(v));
    picture.draw();
    this.differs.replaceChildren(...this.createDashedBoxes(there));
    this.count.textContent = `${this.counts[position]} left · ${here.length} removed only here`;
    this.caption.textContent = film.getRecord()?.text || "start";
  }

  /* Create dashed boxes around values that other films have removed; around the vertex if values have no places. */
  createDashedBoxes(codes) {
    const { film, picture } = this, boxes = new Map();
    for (const code of codes) {
      const v = Math.floor(code / film.width), { x, y } = film.data.vertices[v], { style, size } = picture.getForm(v), left = film.getRemaining(v).length;
      const isSpelt = left > 1 && (style === "digits" || (style === "bitmap" && left > 2));
      const [dx, dy, wide, high] = isSpelt ? picture.getPlace(v, code % film.width) : [0, 0, size[0] - 6, size[1] - 6];
      boxes.set(isSpelt ? code : `vertex ${v}`, createSvg("rect", { class: "there", x: x + dx - wide / 2, y: y + dy - high / 2, width: wide, height: high }));
    }
    return boxes.values();
  }

  /* Write a line for each value of a vertex that this film has removed and another has not, with the reason. */
  writeReasons(name) {
    const { film } = this, v = this.numbers.get(name);
    if (v === undefined) return [];
    const codes = this.findDifferences()[0].filter((code) => Math.floor(code / film.width) === v);
    return codes.map((code) => `${this.name} · ${film.data.values[code % film.width]} removed: ${film.data.records[film.findRemover(code)].text}`);
  }
}

/* The controller of films side by side, with a common clock, slider and curve. */
export class Race {
  constructor({ films, names, clocks, words, left, failures, note }) {
    Object.assign(this, { clocks, words, left, failures, listeners: new AbortController() });
    this.byId = (id) => document.getElementById(id);
    const noteElement = document.querySelector(".note"), why = this.byId("why");
    noteElement.textContent = note;
    noteElement.hidden = !note;
    this.sides = films.map((data, i) => new Side(data, names[i], left[i], (name) => {
      const lines = this.sides.flatMap((side) => side.writeReasons(name));
      why.textContent = [name, ...(lines.length ? lines : ["all sides have the same values"])].join("\n");
    }));
    this.sides.forEach((side) => side.pairCandidates(this.sides.filter((otherSide) => otherSide !== side)));
    document.querySelector(".sides").append(...this.sides.map(({ place }) => place));
    this.buttons = Object.keys(clocks).map((name) => createHtml("button", { value: name, "aria-pressed": "false" }, words[name]));
    this.buttons.forEach((button) => button.addEventListener("click", () => this.setClock(button.value)));
    this.byId("clocks").append(...this.buttons);
    this.slider = this.byId("slider");
    this.slider.addEventListener("input", () => { this.pause(); this.seek(Number(this.slider.value)); });
    const commands = { first: () => this.step(-Infinity), back: () => this.step(-1), play: () => this.toggle(), next: () => this.step(1), last: () => this.step(Infinity) };
    for (const [id, command] of Object.entries(commands)) this.byId(id).addEventListener("click", command);
    new Keyboard({ ArrowRight: commands.next, n: commands.next, ArrowLeft: commands.back, b: commands.back, Home: commands.first, End: commands.last, " ": commands.play }, this.listeners.signal);
    this.tick = 0;
    const link = new URLSearchParams(location.hash.slice(1));
    addEventListener("resize", () => { this.draw(); this.seek(this.tick); }, { signal: this.listeners.signal });
    this.setClock(link.get("clock") in clocks ? link.get("clock") : "round");
    this.seek(Number(link.get("tick")) || 0);
  }

  /* Return the last tick of the present clock. */
  get end() { return this.clocks[this.clock][0].length - 1; }

  /* Change the clock, and go to its first tick at or after the present position of the first film. */
  setClock(clock) {
    const before = this.sides[0].film.position;
    this.clock = clock;
    this.slider.max = this.end;
    this.buttons.forEach((button) => button.setAttribute("aria-pressed", button.value === clock));
    this.draw();
    this.seek(Math.max(0, this.clocks[clock][0].findIndex((position) => position >= before)));
  }

  /* Move all films to a tick of the clock. */
  seek(tick) {
    this.tick = Math.min(this.end, Math.max(0, tick));
    const stops = this.clocks[this.clock].map((positions) => positions[this.tick]);
    this.sides.forEach((side, i) => { side.touched = side.film.seek(stops[i]); });
    this.sides.forEach((side, i) => side.show(stops[i]));
    this.slider.value = this.tick;
    this.slider.setAttribute("aria-valuetext", `${this.words[this.clock]}: ${this.tick} of ${this.end}`);
    this.now.setAttribute("d", `M${this.getX(this.tick)} ${EDGE}V${FOOT}`);
    clearTimeout(this.timeout);
    this.timeout = setTimeout(() => this.updateAddress(), 200);
  }

  /* Write clock and tick into the address, and keep its other parts. */
  updateAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    parts.set("clock", this.clock);
    parts.set("tick", this.tick);
    try { history.replaceState(null, "", `#${parts}`); } catch { /* a page inside another has no address */ }
  }

  /* Stop the race, because another film takes its place. */
  close() {
    this.pause();
    clearTimeout(this.timeout);
    this.listeners.abort();
  }

  /* Return the x coordinate of a tick in the curve. */
  getX(tick) { return EDGE + (tick / (this.end || 1)) * (this.wide - 2 * EDGE); }

  /* Draw the numbers of remaining values: a line for each film, with a square at each failure. */
  draw() {
    const curve = this.byId("curve"), wide = this.wide = curve.clientWidth || 1000, highest = Math.max(...this.left.flat()), lowest = Math.min(...this.left.flat());
    // Scale the counts to the height of the curve.
    const y = (count) => FOOT - ((count - lowest) / (highest - lowest || 1)) * (FOOT - EDGE - 14);
    const lines = this.sides.flatMap(({ name }, i) => {
      const stops = this.clocks[this.clock][i], points = stops.map((position, tick) => `${this.getX(tick)} ${y(this.left[i][position])}`);
      const failed = stops.flatMap((position, tick) => (this.failures[i].some((at) => at > (stops[tick - 1] ?? -1) && at <= position) ? [tick] : []));
      const kind = KINDS[i];
      return [
        createSvg("path", { class: kind, d: `M${points.join("L")}` }),
        ...failed.map((tick) => createSvg("rect", { x: this.getX(tick) - 4, y: y(this.left[i][stops[tick]]) - 4, width: 8, height: 8 }, createSvg("title", {}, `${name}: a failure`))),
        createText(`${LINES[i]} ${name}: ${this.left[i].at(-1)} left`, this.wide - EDGE, 14 + 18 * i, 14, `end ${kind}`),
      ];
    });
    // Draw the axis, the lines, and the present tick on top.
    this.now = createSvg("path", { class: "now" });
    curve.setAttribute("viewBox", `0 0 ${wide} ${HIGH}`);
    curve.replaceChildren(createSvg("path", { class: "axis", d: `M${EDGE} ${FOOT}H${this.wide - EDGE}` }), createText(`${highest} values left`, EDGE, 8, 12, "first"), createText(lowest, EDGE, HIGH - 7, 12, "first"), ...lines, this.now);
    curve.setAttribute("aria-label", this.sides.map(({ name }, i) => `${name}: from ${this.left[i][0]} to ${this.left[i].at(-1)} values, ${this.failures[i].length} failures`).join("; "));
  }

  /* Move some ticks forward, or back if negative. */
  step(way) { this.pause(); this.seek(this.tick + way); }

  /* Play, or pause if the films play. */
  toggle() {
    if (this.timer) { this.pause(); return; }
    if (this.tick === this.end) this.seek(0);
    this.timer = setInterval(() => { this.seek(this.tick + 1); if (this.tick === this.end) this.pause(); }, 700);
    this.showPlaying(true);
  }

  /* Pause. */
  pause() { clearInterval(this.timer); this.timer = null; this.showPlaying(false); }

  /* Show on the play button whether the films play. */
  showPlaying(isPlaying) {
    this.byId("play").setAttribute("aria-pressed", isPlaying);
    this.byId("play").textContent = isPlaying ? "pause" : "play";
  }
}
