"use strict";
/* Lenses: three ways to see the same step. The vertices stay where they are; only what joins them differs.
   grid: nothing; clique: who must differ from whom; factor: every constraint as a vertex of its own. */

const LENSES = ["grid", "clique", "factor"];

class Lens {
  constructor(film, picture) {
    this.film = film;
    this.picture = picture;
    this.crowded = film.vertices.some((vertex) => vertex.cell);
    this.set(film.edges.length ? "clique" : "grid");
  }

  set(kind) {
    const { film } = this;
    this.kind = kind;
    this.lit = [];
    this.edges = new Map(); // from a rule to what shows it
    this.picture.edges.replaceChildren();
    film.cages.forEach((cage, i) => this.addCage(cage, i));
    film.signs.forEach((sign) => this.addSign(sign));
    if (kind === "clique") film.edges.forEach((edge) => this.addEdge(edge));
    if (kind === "factor") film.rules.forEach((rule, r) => { if (rule.place) this.addRule(rule, r); });
    this.fit();
    this.update();
  }

  show(rules, shape) {
    this.picture.edges.append(shape);
    for (const rule of rules) this.edges.set(rule, [...(this.edges.get(rule) || []), shape]);
  }

  addEdge({ way, rules, dashed }) {
    const [x, y, ...curve] = way;
    this.show(rules, element("path", { class: dashed ? "edge dashed" : "edge", d: `M${x} ${y}C${curve.join(" ")}` }));
  }

  /* A comparison of two neighbours on a grid. */
  addSign({ rule, ends, text: sign, underlined }) {
    const [one, other] = ends.map((v) => this.film.vertices[v]);
    const drawn = text(sign, (one.x + other.x) / 2, (one.y + other.y) / 2, 18, "sign");
    if (underlined) drawn.setAttribute("text-decoration", "underline");
    this.show([rule], drawn);
  }

  /* Any other relation of cells that touch: bars between them, and what it asks above the first. */
  addCage({ rule, links, text: asked }, i) {
    const { film } = this, corner = links[0][0], { x, y } = film.vertices[corner];
    const ways = links.map((link) => link.map((v) => `${film.vertices[v].x} ${film.vertices[v].y}`).join("L"));
    this.show([rule], element("path", { class: "bar", d: `M${ways.join("M")}` }));
    const isSecond = film.cages.slice(0, i).some((cage) => cage.links[0][0] === corner); // of a row and of a column
    const half = film.cell / 2, at = isSecond ? [x - half - 3, y - half + 9] : [x - half, y - half - 9];
    this.show([rule], text(asked, ...at, 13, isSecond ? "cage-text second" : "cage-text"));
  }

  addRule(rule, r) {
    const { film } = this, [x, y, w, h] = rule.place;
    if (!this.crowded) {
      for (const v of rule.scope) this.show([r], element("path", { class: "edge", d: this.spoke(rule, v) }));
    }
    const chip = element("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: 3 });
    const place = { class: "rule", transform: `translate(${x} ${y})` };
    const size = film.vertices[rule.scope[0]].cell ? 20 : 11;
    this.show([r], element("g", place, element("title", {}, rule.name), chip, text(rule.chip, 0, 0, size)));
  }

  /* From the border of a chip to the middle of a vertex. */
  spoke({ place: [x, y, w, h] }, v) {
    const vertex = this.film.vertices[v], [dx, dy] = [vertex.x - x, vertex.y - y];
    const share = Math.min(w / 2 / Math.abs(dx), h / 2 / Math.abs(dy), 1);
    return `M${x + dx * share} ${y + dy * share}L${vertex.x} ${vertex.y}`;
  }

  /* The part of the plane that is seen: all of it, whatever step it is. */
  fit() {
    const { film, picture } = this;
    const xs = [], ys = [];
    for (const vertex of film.vertices) {
      const [w, h] = picture.size(vertex);
      xs.push(vertex.x - w / 2, vertex.x + w / 2);
      ys.push(vertex.y - h / 2, vertex.y + h / 2);
    }
    if (film.cages.length) ys.push(Math.min(...ys) - 12);
    film.headers.forEach(([, x, y]) => { xs.push(x - 8); ys.push(y - 8); });
    if (this.kind === "clique") film.edges.forEach(({ way }) => way.forEach((at, i) => (i % 2 ? ys : xs).push(at)));
    if (this.kind === "factor") {
      film.rules.filter((rule) => rule.place).forEach(({ place: [x, y, w, h] }) => {
        xs.push(x - w / 2, x + w / 2);
        ys.push(y - h / 2, y + h / 2);
      });
    }
    const [left, top] = [Math.min(...xs) - 8, Math.min(...ys) - 8];
    const box = [left, top, Math.max(...xs) + 8 - left, Math.max(...ys) + 8 - top].map(Math.round);
    picture.svg.setAttribute("viewBox", box.join(" "));
    picture.svg.style.aspectRatio = `${box[2]} / ${box[3]}`;
  }

  /* Light what is active now. */
  update() {
    const { scene, behind, over } = this.picture;
    this.lit.forEach((shape) => shape.classList.remove("on"));
    this.lit = [...scene.rules].flatMap((rule) => this.edges.get(rule) || []);
    this.lit.forEach((shape) => shape.classList.add("on"));
    const sudden = this.kind === "grid" || !this.crowded ? [] : [...scene.rules];
    const isStraight = (r) => this.kind === "factor" && this.isBeside(this.film.rules[r]);
    const draw = (r) => (this.kind === "clique" ? this.arcs(r) : this.spokes(r));
    const fill = (layer, rules) => { if (rules.length || layer.firstChild) layer.replaceChildren(...rules.flatMap(draw)); };
    fill(behind, sudden.filter(isStraight));
    fill(over, sudden.filter((r) => !isStraight(r)));
  }

  /* Whether a constraint stands at the end of its own row or column, so that its edges run behind the cells. */
  isBeside({ place, scope }) {
    const { vertices } = this.film;
    return place && [["x", 0], ["y", 1]].some(([axis, i]) => scope.every((v) => vertices[v][axis] === place[i]));
  }

  spokes(r) {
    const rule = this.film.rules[r];
    if (!rule.place) return [];
    return rule.scope.map((v) => element("path", { class: this.isHit(v) ? "hit" : "", d: this.spoke(rule, v) }));
  }

  /* On a crowded grid: bows from the causing vertex to the others of its group. */
  arcs(r) {
    const { film, picture: { scene } } = this;
    const { scope } = film.rules[r];
    return scope.filter((v) => scene.causes.has(v)).flatMap((cause) => {
      const from = film.vertices[cause];
      return scope.filter((v) => v !== cause).map((v) => {
        const to = film.vertices[v], [dx, dy] = [to.x - from.x, to.y - from.y];
        const bend = `${from.x + dx / 2 + dy * 0.16} ${from.y + dy / 2 - dx * 0.16}`;
        return element("path", { class: this.isHit(v) ? "hit" : "", d: `M${from.x} ${from.y}Q${bend} ${to.x} ${to.y}` });
      });
    });
  }

  isHit(v) {
    const { film, picture: { scene } } = this;
    return film.vertices[v].domain.some((value) => scene.gone.has(v * film.width + value));
  }
}
