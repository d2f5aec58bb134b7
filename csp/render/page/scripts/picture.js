/* The picture: every vertex in its place with its domain, and what stands out now. Only what changed is drawn anew.
   Where everything stands is in the plan; what a form is, is in contract.js. */

import { drawMark, drawMarks, element } from "./marks.js";
import { inside } from "./vertex.js";

export class Picture {
  constructor(film, svg) {
    this.film = film;
    this.svg = svg;
    this.scene = film.scene();
    this.chosen = null;
    this.dirty = new Set(); // vertices that have to be painted
    const hatch = { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    svg.append(element("defs", {}, element("pattern", hatch, element("rect", { width: 8, height: 8 }), element("path", { d: "M0 0v8" }))));
    const layer = (name) => svg.appendChild(element("g", { class: name }));
    this.under = layer("marks");
    this.behind = layer("active-edges behind");
    this.edges = layer("edges");
    this.groups = film.data.vertices.map((vertex, v) => svg.appendChild(this.frame(vertex, v)));
    this.printed = layer("marks");
    this.over = layer("active-edges");
    this.links = layer("links");
    this.signs = layer("marks signs");
    this.guesses = layer("guesses");
    this.marks = film.data.marks.map((mark, i) => (i < film.data.under ? this.under : this.printed).appendChild(drawMark(mark, "mark")));
    const { marks = [], under } = film.data.drawn || {};
    this.drawn = marks.map((mark, i) => (i < under ? this.under : this.printed).appendChild(drawMark(mark, "mark")));
    film.data.vertices.forEach((_, v) => this.paint(v));
    this.draw();
  }

  /* What is drawn only once variables are settled. */
  draw() { this.drawn.forEach((shape, i) => shape.setAttribute("display", this.film.drawn[i] ? "inline" : "none")); }

  choose(v) {
    const changed = [this.chosen, v].filter((one) => one !== null);
    this.chosen = v;
    changed.forEach((one) => this.paint(one));
  }

  form(v) { return this.film.data.forms[this.film.data.vertices[v].form]; }

  frame(vertex, v) {
    const place = { transform: `translate(${vertex.x} ${vertex.y})`, tabindex: -1, role: "img", "data-v": v };
    return element("g", place, ...this.form(v).whole.body.map((mark) => drawMark(mark)), element("g"));
  }

  /* Draw what has changed since the last time; while another picture is seen in its place, only note it. */
  update(touched, isSeen = true) {
    const old = this.scene, now = this.scene = this.film.scene();
    const { film, dirty } = this;
    touched.forEach((v) => dirty.add(v));
    for (const { gone, causes, active, failed, lined } of [old, now]) {
      gone.forEach((code) => dirty.add(Math.floor(code / film.width)));
      failed.forEach((v) => dirty.add(v));
      causes.forEach((v) => dirty.add(v));
      active.forEach((v) => dirty.add(v));
      lined.forEach((v) => dirty.add(v));
    }
    if (!isSeen) return;
    dirty.forEach((v) => this.paint(v));
    dirty.clear();
    this.links.replaceChildren(...now.links.map((mark) => drawMark(mark)));
    this.signs.replaceChildren(...now.signs.map((i) => drawMark(film.data.tokens[i], "mark")));
    this.draw();
    const next = film.data.waiting[film.queue[0]]?.[1] ?? -1;
    if (next !== this.next) {
      this.groups[this.next]?.classList.remove("next");
      this.groups[next]?.classList.add("next");
      this.next = next;
    }
    this.svg.classList.toggle("many", film.data.forms[0].kind === "cell" && 2 * film.marked.reduce((sum, one) => sum + one, 0) > film.marked.length);
  }

  paint(v) {
    const { film, scene } = this, vertex = film.data.vertices[v], form = this.form(v), group = this.groups[v];
    const hit = vertex.domain.filter((value) => scene.gone.has(v * film.width + value)), isDense = form.kind === "cell" && form.style !== "digits";
    const states = {
      marked: film.marked[v], active: scene.active.has(v), cause: scene.isOne && scene.causes.has(v), heat: isDense && hit.length,
      failed: scene.failed.has(v) && form.kind !== "row" && form.kind !== "column", lined: scene.lined.has(v), chosen: v === this.chosen,
    };
    const on = Object.keys(states).filter((state) => states[state]);
    const kind = ["vertex", form.whole.body[0][1].split(" ")[1], ...(vertex.bare ? ["bare"] : []), ...(v === this.next ? ["next"] : []), ...on].join(" ");
    for (const [name, value] of [["class", kind], ["aria-label", this.describe(v, on)]]) {
      if (group.getAttribute(name) !== value) group.setAttribute(name, value);
    }
    const share = Math.max(0, film.left(v).length - 1) / (vertex.domain.length - 1);
    drawMarks(group.lastChild, this.inside(v, hit));
    group.querySelector(".ramp")?.setAttribute("fill-opacity", share);
  }

  inside(v, gone) {
    const { film, scene } = this, form = this.form(v), vertex = film.data.vertices[v];
    const marks = inside(form, vertex, film.left(v), gone, film.marked[v], (value) => film.data.values[value], film.pencil[v]);
    const takers = form.values.map((value) => v * film.width + value).filter((code) => scene.gone.has(code)).map((code) => scene.takers.get(code));
    const said = scene.failed.has(v) && form.style !== "size" ? marks.filter(([, look]) => look !== "empty") : marks;
    return said.map((mark) => {
      if (mark[1] !== "boxed" || !scene.takers.size) return mark;
      return [mark[0], `boxed taker${takers.shift() % 4}`, ...mark.slice(2)];
    });
  }

  /* The part of the plane where something happens now, and one vertex of it: left, top, right and bottom. */
  parts() {
    const { film, scene } = this, hit = [...new Set([...scene.gone].map((code) => Math.floor(code / film.width)))];
    const ends = [...hit, ...scene.causes, ...(hit.length ? [] : scene.active)].map((v) => {
      const { x, y } = film.data.vertices[v], [wide, high] = this.form(v).size;
      return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
    });
    return ends.length ? [[0, 1, 2, 3].map((i) => (i < 2 ? Math.min : Math.max)(...ends.map((end) => end[i]))), ends[0]] : [];
  }

  describe(v, states) {
    const { film } = this;
    const left = film.left(v).map((value) => film.data.values[value]);
    return [film.data.vertices[v].name, ...states, `left: ${left.join(" ") || "none"}`].join(", ");
  }

  /* The place of a value of a vertex: middle, width and height. */
  room(v, value) {
    const { places, values, slot } = this.form(v);
    return [...places[values.indexOf(value)], ...slot];
  }

  /* The value whose place is under a point of the screen; null between places. */
  valueAt(v, clientX, clientY) {
    const { size: [w, h], slot: [wide, high], places, values } = this.form(v), { domain } = this.film.data.vertices[v];
    const box = this.groups[v].firstChild.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width - 0.5) * w, y = ((clientY - box.top) / box.height - 0.5) * h;
    const isThere = ([left, top]) => Math.abs(x - left) <= wide / 2 && Math.abs(y - top) <= high / 2;
    return values.find((value, i) => isThere(places[i]) && domain.includes(value)) ?? null;
  }
}
