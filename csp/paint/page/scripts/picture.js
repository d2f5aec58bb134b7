/* The picture: every vertex in its place with its domain, and what stands out now. Only what changed is drawn anew.
   Where everything stands is in the plan; what a form is, is in contract.js. */

import { drawMark, element, text } from "./marks.js";

const STRIP = 11; // of a vertex, for the asterisk

export class Picture {
  constructor(film, svg) {
    this.film = film;
    this.svg = svg;
    this.scene = film.scene();
    this.chosen = null;
    const layer = (name) => svg.appendChild(element("g", { class: name }));
    this.under = layer("marks");
    this.behind = layer("active-edges behind");
    this.edges = layer("edges");
    this.groups = film.data.vertices.map((vertex, v) => svg.appendChild(this.frame(vertex, v)));
    this.printed = layer("marks");
    this.over = layer("active-edges");
    this.marks = film.data.marks.map((mark) => (mark.under ? this.under : this.printed).appendChild(drawMark(mark)));
    film.data.vertices.forEach((_, v) => this.paint(v));
  }

  choose(v) {
    const changed = [this.chosen, v].filter((one) => one !== null);
    this.chosen = v;
    changed.forEach((one) => this.paint(one));
  }

  form(v) { return this.film.data.forms[this.film.data.vertices[v].form]; }

  frame(vertex, v) {
    const { kind, size: [w, h] } = this.form(v);
    const body = element("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: { card: 8, cell: 3 }[kind] || 0 });
    const place = { transform: `translate(${vertex.x} ${vertex.y})`, tabindex: -1, role: "img", "data-v": v };
    return element("g", place, body, element("g"));
  }

  /* Draw what has changed since the last time. */
  update(touched) {
    const old = this.scene, now = this.scene = this.film.scene();
    const dirty = new Set(touched);
    for (const { gone, causes, active } of [old, now]) {
      gone.forEach((code) => dirty.add(Math.floor(code / this.film.width)));
      causes.forEach((v) => dirty.add(v));
      active.forEach((v) => dirty.add(v));
    }
    dirty.forEach((v) => this.paint(v));
  }

  paint(v) {
    const vertex = this.film.data.vertices[v], form = this.form(v), group = this.groups[v], { scene } = this;
    const states = {
      marked: this.film.marked[v], active: scene.active.has(v), cause: scene.causes.has(v), chosen: v === this.chosen,
    };
    const on = Object.keys(states).filter((state) => states[state]);
    const kind = ["vertex", form.piece ? "column" : form.kind, ...(vertex.bare ? ["bare"] : []), ...on].join(" ");
    for (const [name, value] of [["class", kind], ["aria-label", this.describe(v, on)]]) {
      if (group.getAttribute(name) !== value) group.setAttribute(name, value);
    }
    const draw = { card: this.card, cell: this.cell, row: this.line, column: this.line }[form.kind];
    group.lastChild.replaceChildren(...draw.call(this, v, vertex, form));
  }

  describe(v, states) {
    const { film } = this;
    const left = film.left(v).map((value) => film.data.values[value]);
    return [film.data.vertices[v].name, ...states, `left: ${left.join(" ") || "none"}`].join(", ");
  }

  /* What is left, and what has just gone, in the order of the domain. */
  values(v) {
    const domain = this.film.data.vertices[v].domain;
    const isNew = (value) => this.scene.gone.has(v * this.film.width + value);
    return { left: this.film.left(v), removed: domain.filter(isNew) };
  }

  star(v, x, y, size = 26) { return this.film.marked[v] ? [text("*", x, y + size / 6, size, "asterisk")] : []; }

  card(v, vertex, form) {
    const [w, h] = form.size, { left, removed } = this.values(v);
    const drawn = [text(vertex.label, 0, 14 - h / 2, 15, "name"), ...this.star(v, w / 2 - 9, 14 - h / 2)];
    if (left.length === 1 && !removed.length) return [...drawn, ...this.painted(left[0], 0, 12, w - 16, 28), this.fixed(v, left[0], 0, 12, Math.min(24, (h - 28) / 1.2))];
    if (!left.length && !removed.length) return [...drawn, text("none", 0, 12, 18, "empty")];
    if (form.style === "size") return [...drawn, ...this.summary(v, left, removed, 0, 12, 14)];
    return [...drawn, ...this.candidates(v, form)];
  }

  cell(v, vertex, form) {
    const [w] = form.size, y = form.corner ? 6 : 0, { left, removed } = this.values(v);
    const drawn = this.star(v, w / 2 - 9, 11 - w / 2);
    if (left.length === 1 && !removed.length) return [this.fixed(v, left[0], 0, y, 32), ...drawn];
    if (!left.length && !removed.length) return [text("none", 0, y, 20, "empty"), ...drawn];
    if (form.style === "digits") return [...this.candidates(v, form), ...drawn];
    if (form.style === "size") return [...this.ramp(v, left), ...this.summary(v, left, removed, 0, y, 20), ...drawn];
    if (left.length <= 2) return [...this.summary(v, left, removed, 0, y, 18), ...drawn];
    return [...this.bits(form, left, removed), ...drawn];
  }

  /* A line of places, with its name before it. */
  line(v, vertex, form) {
    const [w, h] = form.size, isDown = form.kind === "column";
    const [x, y] = isDown ? [0, form.head / 2 - h / 2] : [(form.head - STRIP) / 2 - w / 2, 0];
    const star = isDown ? [w / 2 - STRIP / 2, y] : [form.head - STRIP / 2 - w / 2, 0];
    const head = { class: "head", x: -w / 2, y: -h / 2, width: isDown ? w : form.head, height: isDown ? form.head : h };
    const drawn = form.piece ? [element("rect", head)] : [];
    if (vertex.label) drawn.push(text(vertex.label, x, y, 13, "name"));
    return [...drawn, ...this.star(v, ...star, 18), ...form.values.flatMap((value, i) => this.place(v, vertex, form, value, i))];
  }

  place(v, vertex, form, value, i) {
    const { film } = this, [x, y] = this.slot(form, i), [w, h] = form.slot, small = form.font * (form.piece ? 0.6 : 1);
    const words = vertex.piece || form.piece || film.data.values[value];
    if (this.scene.gone.has(v * film.width + value)) return this.struck(x, y, w - 2, h - 2, text(words, x, y, small));
    if (!film.isLeft(v, value)) return [];
    if (film.left(v).length === 1) return [text(words, x, y, form.font, vertex.given ? "fixed" : "fixed found")];
    return [text(form.piece ? "•" : words, x, y, small)];
  }

  /* A value alone: bold if the spec tells it. */
  fixed(v, value, x, y, size) {
    const name = this.film.data.values[value], { given } = this.film.data.vertices[v];
    const most = { 1: size, 2: 26 }[name.length] || 18;
    const kind = given || value in this.film.data.paints ? "fixed" : "found";
    return text(name, x, y, Math.min(size, most, 100 / name.length), kind);
  }

  /* The colour of a value, if it has one. */
  painted(value, x, y, w, h) {
    const fill = this.film.data.paints[value];
    return fill ? [element("rect", { class: "paint", x: x - w / 2, y: y - h / 2, width: w, height: h, fill })] : [];
  }

  /* The middle of a place. */
  slot({ columns, slot: [w, h], first: [x, y] }, i) { return [x + (i % columns) * w, y + Math.floor(i / columns) * h]; }

  /* The place of a value of a vertex: middle, width and height. */
  room(v, value) {
    const form = this.form(v);
    return [...this.slot(form, form.values.indexOf(value)), ...form.slot];
  }

  /* Every value in its own place, a hole where one is gone, and those that are just going struck out and boxed. */
  candidates(v, form) {
    const { film } = this, [w, h] = form.slot, last = film.left(v).length === 1 ? "fixed" : "";
    return form.values.flatMap((value, i) => {
      const removed = this.scene.gone.has(v * film.width + value);
      if (!removed && !film.isLeft(v, value)) return [];
      const [x, y] = this.slot(form, i), digit = text(film.data.values[value], x, y, form.font, removed ? "" : last);
      return removed ? this.struck(x, y, w - 1, h - 1, digit) : [...this.painted(value, x, y, w, h), digit];
    });
  }

  struck(x, y, wide, high, inside) {
    return [
      element("rect", { class: "boxed", x: x - wide / 2, y: y - high / 2, width: wide, height: high }),
      inside,
      element("path", { class: "strike", d: `M${x - wide / 2} ${y}H${x + wide / 2}` }),
    ];
  }

  bits(form, left, removed) {
    const [wide, high] = form.slot;
    const square = (value) => {
      const [x, y] = this.slot(form, form.values.indexOf(value));
      return `M${x - wide / 2 + 2} ${y - high / 2 + 2}h${wide - 4}v${high - 4}h${4 - wide}z`;
    };
    const gone = removed.flatMap((value) => {
      const [x, y] = this.slot(form, form.values.indexOf(value));
      return this.struck(x, y, wide, high, element("path", { class: "bits", d: square(value) }));
    });
    return [element("path", { class: "bits", d: left.map(square).join("") }), ...gone];
  }

  ramp(v, left) {
    const [w, h] = this.form(v).size, { domain } = this.film.data.vertices[v];
    const share = left.length < 2 ? 0 : (left.length - 1) / (domain.length - 1);
    return [element("rect", { class: "ramp", x: 2 - w / 2, y: 2 - h / 2, width: w - 4, height: h - 4, "fill-opacity": share })];
  }

  /* A few values spelt out, many as a number. */
  summary(v, left, removed, x, y, size) {
    const names = left.map((value) => this.film.data.values[value]);
    const high = removed.length ? y - 11 : y;
    const drawn = [];
    if (!left.length) drawn.push(text("none", x, high, size, "empty"));
    else if (left.length === 1) drawn.push(this.fixed(v, left[0], x, high, size + 4));
    else if (left.length === 2 && names.join(" ").length > 4) drawn.push(...names.map((name, i) => text(name, x, high + 16 * i - 8, size - 4)));
    else if (left.length === 2) drawn.push(text(names.join(" "), x, high, size));
    else if (removed.length || size < 20) drawn.push(text(`${left.length} left`, x, high, 14, "count"));
    else drawn.push(text(left.length, x, high - 6, size + 4, "count"), text("left", x, high + 14, 11, "count"));
    if (removed.length) {
      const few = removed.length <= 2;
      const words = few ? removed.map((value) => this.film.data.values[value]).join(" ") : `${removed.length} gone`;
      const boxed = this.struck(x, y + 14, Math.max(30, 8 * words.length), 20, text(words, x, y + 14, 13));
      drawn.push(...(few ? boxed : boxed.slice(0, 2)));
    }
    return drawn;
  }

  /* The value whose place is under a point of the screen; null between places. */
  valueAt(v, clientX, clientY) {
    const form = this.form(v), vertex = this.film.data.vertices[v], box = this.groups[v].firstChild.getBoundingClientRect();
    const [w, h] = form.size, [wide, high] = form.slot;
    const x = ((clientX - box.left) / box.width - 0.5) * w, y = ((clientY - box.top) / box.height - 0.5) * h;
    const isThere = (i) => {
      const [left, top] = this.slot(form, i);
      return Math.abs(x - left) <= wide / 2 && Math.abs(y - top) <= high / 2;
    };
    return form.values.find((value, i) => isThere(i) && vertex.domain.includes(value)) ?? null;
  }
}
