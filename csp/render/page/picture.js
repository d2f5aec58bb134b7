/* The picture: every vertex in its place with its domain, and what stands out now. Only what changed is drawn anew. */

const SVG = "http://www.w3.org/2000/svg";
const STRIP = 11; // of a cell, for the asterisk

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function text(content, x, y, size, kind = "") {
  return element("text", { x, y, class: kind, ...(size ? { "font-size": size } : {}) }, content);
}

export class Picture {
  constructor(film, svg) {
    this.film = film;
    this.svg = svg;
    this.scene = film.scene();
    this.chosen = null;
    this.behind = svg.appendChild(element("g", { class: "active-edges behind" }));
    const borders = film.data.regions.map(([x, y, p, q]) => `M${x} ${y}L${p} ${q}`).join("");
    if (borders) svg.append(element("path", { class: "borders", d: borders }));
    this.edges = svg.appendChild(element("g"));
    const away = film.data.cages.length ? 9 : 0; // from what the cages ask
    svg.append(element("g", { class: "header" }, ...film.data.headers.map(([name, x, y]) => text(name, x - away, y - away, film.width > 9 ? 22 : 15))));
    this.groups = film.data.vertices.map((vertex, v) => svg.appendChild(this.frame(vertex, v)));
    this.over = svg.appendChild(element("g", { class: "active-edges" }));
    film.data.vertices.forEach((_, v) => this.paint(v));
  }

  choose(v) {
    const changed = [this.chosen, v].filter((one) => one !== null);
    this.chosen = v;
    changed.forEach((one) => this.paint(one));
  }

  size(vertex) { return vertex.cell ? [this.film.data.cell, this.film.data.cell] : this.film.data.card; }

  frame(vertex, v) {
    const [w, h] = this.size(vertex);
    const body = element("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: vertex.cell ? 3 : 8 });
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
    const vertex = this.film.data.vertices[v], group = this.groups[v], { scene } = this;
    const states = {
      marked: this.film.marked[v], active: scene.active.has(v), cause: scene.causes.has(v), chosen: v === this.chosen,
    };
    const on = Object.keys(states).filter((state) => states[state]);
    for (const [name, value] of [["class", ["vertex", ...on].join(" ")], ["aria-label", this.describe(v, on)]]) {
      if (group.getAttribute(name) !== value) group.setAttribute(name, value);
    }
    group.lastChild.replaceChildren(...(vertex.cell ? this.cell(v, vertex) : this.card(v, vertex)));
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

  card(v, vertex) {
    const [, h] = this.film.data.card, name = vertex.name + (this.film.marked[v] ? " " : "");
    const drawn = [text(name, 0, 15 - h / 2, 0, "name")];
    if (this.film.marked[v]) drawn[0].append(element("tspan", { class: "asterisk", dy: 4 }, "*"));
    const { left, removed } = this.values(v);
    if (left.length === 1 && !removed.length) return [...drawn, this.fixed(left[0], 0, 12, 26)];
    if (!left.length && !removed.length) return [...drawn, text("none", 0, 12, 18, "empty")];
    if (vertex.domain.length > 16) return [...drawn, ...this.summary(left, removed, 0, 12, 16)];
    return [...drawn, ...this.candidates(v, 18)];
  }

  cell(v) {
    const { marked, data: { cell, style } } = this.film;
    const drawn = marked[v] ? [text("*", cell / 2 - 9, 15 - cell / 2, 26, "asterisk")] : [];
    const { left, removed } = this.values(v);
    if (left.length === 1 && !removed.length) return [this.fixed(left[0], 0, 0, 36), ...drawn];
    if (!left.length && !removed.length) return [text("none", 0, 0, 20, "empty"), ...drawn];
    if (style === "digits") return [...this.candidates(v, 18), ...drawn];
    if (style === "size") return [...this.ramp(v, left), ...this.summary(left, removed, 0, 0, 24), ...drawn];
    if (left.length <= 2 && !removed.length) return [...this.summary(left, removed, 0, 0, 22), ...drawn];
    return [...this.bits(v, left, removed), ...drawn];
  }

  fixed(value, x, y, size) {
    const name = this.film.data.values[value];
    return text(name, x, y, name.length < 3 ? size : Math.min(size, 90 / name.length), "fixed");
  }

  /* The small box in which a value of a domain has its place: middle, width and height. */
  slot(vertex, value) {
    const { width, data: { cell, card: [w, h] } } = this.film;
    const columns = vertex.cell ? Math.ceil(Math.sqrt(width)) : vertex.columns;
    const i = vertex.cell ? value : vertex.domain.indexOf(value);
    const rows = Math.ceil((vertex.cell ? width : vertex.domain.length) / columns);
    const [wide, high] = vertex.cell
      ? [(cell - 3 - STRIP) / columns, (cell - 4) / rows]
      : [Math.min(vertex.wide, (w - 8) / columns), Math.min(21, (h - 30) / rows)];
    const x = vertex.cell ? -STRIP / 2 : 0, y = vertex.cell ? 0 : 12;
    return [x + (i % columns - (columns - 1) / 2) * wide, y + (Math.floor(i / columns) - (rows - 1) / 2) * high, wide, high];
  }

  /* Every value in its own place, a hole where one is gone, and those that are just going struck out and boxed. */
  candidates(v, size) {
    const vertex = this.film.data.vertices[v];
    return vertex.domain.flatMap((value) => {
      const removed = this.scene.gone.has(v * this.film.width + value);
      if (!removed && !this.film.isLeft(v, value)) return [];
      const [x, y, wide, high] = this.slot(vertex, value);
      const digit = text(this.film.data.values[value], x, y, size);
      return removed ? this.struck(x, y, wide - 1, high - 1, digit) : [digit];
    });
  }

  struck(x, y, wide, high, inside) {
    return [
      element("rect", { class: "boxed", x: x - wide / 2, y: y - high / 2, width: wide, height: high }),
      inside,
      element("path", { class: "strike", d: `M${x - wide / 2} ${y + high / 4}L${x + wide / 2} ${y - high / 4}` }),
    ];
  }

  bits(v, left, removed) {
    const vertex = this.film.data.vertices[v];
    const square = (value) => {
      const [x, y, wide, high] = this.slot(vertex, value);
      return `M${x - wide / 2 + 2} ${y - high / 2 + 2}h${wide - 4}v${high - 4}h${4 - wide}z`;
    };
    const gone = removed.flatMap((value) => {
      const [x, y, wide, high] = this.slot(vertex, value);
      return this.struck(x, y, wide, high, element("path", { class: "bits", d: square(value) }));
    });
    return [element("path", { class: "bits", d: left.map(square).join("") }), ...gone];
  }

  ramp(v, left) {
    const { width, data: { cell } } = this.film;
    const share = left.length < 2 ? 0 : left.length / width;
    return [element("rect", { class: "ramp", x: 3 - cell / 2, y: 3 - cell / 2, width: cell - 6, height: cell - 6, "fill-opacity": share })];
  }

  /* A few values spelt out, many as a number. */
  summary(left, removed, x, y, size) {
    const names = left.map((value) => this.film.data.values[value]);
    const high = removed.length ? y - 11 : y;
    const drawn = [];
    if (!left.length) drawn.push(text("none", x, high, size - 4, "empty"));
    else if (left.length === 1) drawn.push(text(names[0], x, high, size, "fixed"));
    else if (left.length === 2) drawn.push(text(names.join(" "), x, high, names.join("").length > 3 ? size - 5 : size - 2));
    else drawn.push(text(`·${left.length}·`, x, high, size + 2));
    if (removed.length) {
      const count = text(removed.length === 1 ? this.film.data.values[removed[0]] : `−${removed.length}`, x, y + 14, 18);
      const boxed = this.struck(x, y + 14, 32, 22, count);
      drawn.push(...(removed.length === 1 ? boxed : boxed.slice(0, 2)));
    }
    return drawn;
  }

  /* The value whose place is under a point of the screen; null between places. */
  valueAt(v, clientX, clientY) {
    const vertex = this.film.data.vertices[v], box = this.groups[v].firstChild.getBoundingClientRect();
    const [w, h] = this.size(vertex);
    const x = ((clientX - box.left) / box.width - 0.5) * w, y = ((clientY - box.top) / box.height - 0.5) * h;
    return vertex.domain.find((value) => {
      const [left, top, wide, high] = this.slot(vertex, value);
      return Math.abs(x - left) <= wide / 2 && Math.abs(y - top) <= high / 2;
    }) ?? null;
  }
}
