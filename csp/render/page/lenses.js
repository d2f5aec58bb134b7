/* Lenses: three ways to see the same step. The vertices stay where they are; only what joins them differs.
   grid: nothing; clique: who must differ from whom; factor: every constraint as a vertex of its own.
   What has no place in a lens, for want of room or because no line of the spec says it, shows while it is active. */

import { element, text } from "./picture.js";

export const LENSES = ["grid", "clique", "factor"];

export class Lens {
  constructor(film, picture) {
    this.film = film;
    this.picture = picture;
    this.set(film.data.edges.length ? "clique" : "grid");
  }

  set(kind) {
    const { cages, signs, edges, constraints } = this.film.data;
    this.kind = kind;
    this.lit = [];
    this.edges = new Map(); // from the number of a constraint to what shows it
    this.picture.edges.replaceChildren();
    cages.forEach((cage) => this.addCage(cage));
    signs.forEach((sign) => this.addSign(sign));
    if (kind === "clique") edges.forEach((edge) => this.addEdge(edge));
    if (kind === "factor") constraints.forEach((one, c) => { if (one.place && !one.quiet) this.addConstraint(one, c); });
    this.hidden = constraints.filter(({ scope }, c) => scope.length > 1 && !this.edges.has(c)).length;
    this.fit();
    this.update();
  }

  show(constraints, shape) {
    this.picture.edges.append(shape);
    for (const c of constraints) this.edges.set(c, [...(this.edges.get(c) || []), shape]);
  }

  addEdge({ way, constraints, dashed }) {
    const [x, y, ...curve] = way;
    this.show(constraints, element("path", { class: dashed ? "edge dashed" : "edge", d: `M${x} ${y}C${curve.join(" ")}` }));
  }

  /* A comparison of two neighbours on a grid. */
  addSign({ constraint, ends, text: sign, underlined }) {
    const [one, other] = ends.map((v) => this.film.data.vertices[v]);
    const drawn = text(sign, (one.x + other.x) / 2, (one.y + other.y) / 2, 18, "sign");
    if (underlined) drawn.setAttribute("text-decoration", "underline");
    this.show([constraint], drawn);
  }

  /* Any other relation of cells that touch: bars between them, and what it asks above the first, or left of it. */
  addCage({ constraint, links, text: asked, left }) {
    const { film } = this, corner = links[0][0], { x, y } = film.data.vertices[corner];
    const ways = links.map((link) => link.map((v) => `${film.data.vertices[v].x} ${film.data.vertices[v].y}`).join("L"));
    this.show([constraint], element("path", { class: "bar", d: `M${ways.join("M")}` }));
    const half = film.data.cell / 2, at = left ? [x - half - 3, y - half + 9] : [x - half, y - half - 9];
    this.show([constraint], text(asked, ...at, 13, left ? "cage-text left" : "cage-text"));
  }

  addConstraint(one, c) {
    if (!this.isAside(one)) {
      for (const v of one.scope) this.show([c], element("path", { class: "edge", d: this.spoke(one, v) }));
    }
    this.show([c], this.chip(one));
  }

  /* Whether a constraint stands on the margin of a large grid, where only the edges of the active ones are seen. */
  isAside({ scope }) { return scope.every((v) => this.film.data.vertices[v].cell); }

  chip({ name, scope, place: [x, y, w, h], chip: words }, state = "") {
    const chip = element("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: 3 });
    const place = { class: `constraint ${state}`, transform: `translate(${x} ${y})` };
    const size = this.film.data.vertices[scope[0]].cell ? 20 : 11;
    return element("g", place, element("title", {}, name), chip, text(words, 0, 0, size));
  }

  /* From the border of a chip to the middle of a vertex. */
  spoke({ place: [x, y, w, h] }, v) {
    const vertex = this.film.data.vertices[v], [dx, dy] = [vertex.x - x, vertex.y - y];
    const share = Math.min(w / 2 / Math.abs(dx), h / 2 / Math.abs(dy), 1);
    return `M${x + dx * share} ${y + dy * share}L${vertex.x} ${vertex.y}`;
  }

  /* The part of the plane that is seen: all of it, whatever step it is. */
  fit() {
    const { film, picture } = this;
    const xs = [], ys = [];
    for (const vertex of film.data.vertices) {
      const [w, h] = picture.size(vertex);
      xs.push(vertex.x - w / 2, vertex.x + w / 2);
      ys.push(vertex.y - h / 2, vertex.y + h / 2);
    }
    if (film.data.cages.length) ys.push(Math.min(...ys) - 12);
    film.data.headers.forEach(([, x, y]) => { xs.push(x - 8); ys.push(y - 8); });
    if (this.kind === "clique") film.data.edges.forEach(({ way }) => way.forEach((at, i) => (i % 2 ? ys : xs).push(at)));
    if (this.kind === "factor") {
      film.data.constraints.filter(({ place }) => place).forEach(({ place: [x, y, w, h] }) => {
        xs.push(x - w / 2, x + w / 2);
        ys.push(y - h / 2, y + h / 2);
      });
    }
    const [left, top] = [Math.min(...xs) - 8, Math.min(...ys) - 8];
    const box = [left, top, Math.max(...xs) + 8 - left, Math.max(...ys) + 8 - top].map(Math.round);
    picture.svg.setAttribute("viewBox", box.join(" "));
    picture.svg.style.aspectRatio = `${box[2]} / ${box[3]}`;
  }

  /* Light what is active now; for what has no picture of its own, what it comes from. */
  update() {
    const { scene, behind, over } = this.picture, { constraints } = this.film.data;
    const shown = (c) => (this.edges.has(c) || constraints[c].quiet ? [c] : constraints[c].origins || []);
    this.lit.forEach((shape) => shape.classList.remove("on"));
    this.lit = [...scene.constraints].flatMap(shown).flatMap((c) => this.edges.get(c) || []);
    this.lit.forEach((shape) => shape.classList.add("on"));
    const sudden = [...scene.constraints].map((c) => this.sudden(c));
    for (const [layer, place] of [[behind, "behind"], [over, "over"]]) {
      const shapes = sudden.flatMap((drawn) => drawn[place] || []);
      if (shapes.length || layer.firstChild) layer.replaceChildren(...shapes);
    }
  }

  /* What an active constraint shows besides, behind the vertices and over them. */
  sudden(c) {
    const { kind, picture: { scene } } = this;
    const one = this.film.data.constraints[c], isAside = this.isAside(one), isSeen = this.edges.has(c);
    if (isSeen && !isAside) return {};
    if (kind === "clique" && isAside && one.scope.some((v) => scene.causes.has(v))) return { over: this.arcs(one) };
    if (kind === "factor" && (one.place || one.links)) {
      return { behind: this.spokes(one), over: one.quiet ? [this.chip(one, "on")] : [] };
    }
    return isSeen || (kind === "grid" && one.scope.length > 2) ? {} : { behind: this.joins(one) };
  }

  /* A line between every two variables of a constraint. */
  joins({ scope }) {
    const at = (v) => `${this.film.data.vertices[v].x} ${this.film.data.vertices[v].y}`;
    return scope.flatMap((v, i) => scope.slice(i + 1).map((w) => element("path", { d: `M${at(v)}L${at(w)}` })));
  }

  /* The edges of an active constraint: to each of its vertices or, on a large grid, through its cells alone. */
  spokes(one) {
    const { vertices } = this.film.data, at = (v) => `${vertices[v].x} ${vertices[v].y}`;
    const edge = (v, d) => element("path", { class: this.isHit(v) ? "hit" : "", d });
    const spokes = (one.ends || one.scope).map((v) => edge(v, this.spoke(one, v)));
    return [...spokes, ...(one.links || []).map(([v, w]) => edge(w, `M${at(v)}L${at(w)}`))];
  }

  /* On a crowded grid: bows from the causing vertices to the others of their group. */
  arcs({ scope }) {
    const { film, picture: { scene } } = this;
    return scope.filter((v) => scene.causes.has(v)).flatMap((cause) => {
      const from = film.data.vertices[cause];
      return scope.filter((v) => !scene.causes.has(v)).map((v) => {
        const to = film.data.vertices[v], [dx, dy] = [to.x - from.x, to.y - from.y];
        const bend = `${from.x + dx / 2 + dy * 0.16} ${from.y + dy / 2 - dx * 0.16}`;
        return element("path", { class: this.isHit(v) ? "hit" : "", d: `M${from.x} ${from.y}Q${bend} ${to.x} ${to.y}` });
      });
    });
  }

  isHit(v) {
    const { film, picture: { scene } } = this;
    return film.data.vertices[v].domain.some((value) => scene.gone.has(v * film.width + value));
  }
}
