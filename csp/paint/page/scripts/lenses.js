/* Lenses: ways to see the same step. The vertices and what is printed stay where they are; only what joins them differs,
   and that is in the plan: here it is only drawn, and lit. What a lens does not always show, shows while it is active. */

import { drawMark, element, reach, text } from "./marks.js";

const BEND = 0.16, INSET = 4; // as in csp/picture/edges/bows.py

export const LENSES = ["grid", "clique", "factor"];

/* The part of a line between the middles of two boxes that is outside of them, or nearly so. */
function between([[x, y], one], [[p, q], other], [bx, by] = [(x + p) / 2, (y + q) / 2]) {
  const blend = (s, t) => {
    const [a, b, c] = [(1 - s) * (1 - t), s + t - 2 * s * t, s * t];
    return [a * x + b * bx + c * p, a * y + b * by + c * q];
  };
  const leaves = (at, size, inner, outer) => {
    for (let i = 0; i < 12; i++) {
      const middle = (inner + outer) / 2, found = blend(middle, middle);
      if (found.every((ordinate, axis) => Math.abs(ordinate - at[axis]) < size[axis] / 2 - INSET)) inner = middle;
      else outer = middle;
    }
    return inner;
  };
  const start = leaves([x, y], one, 0, 0.5), end = leaves([p, q], other, 1, 0.5);
  const [from, via, to] = [blend(start, start), blend(start, end), blend(end, end)].map((point) => point.map((at) => at.toFixed(1)).join(" "));
  return `M${from}Q${via} ${to}`;
}

export class Lens {
  constructor(film, picture) {
    this.film = film;
    this.picture = picture;
    this.set(film.data.lens);
  }

  set(kind) {
    const { marks, constraints, lenses } = this.film.data, plan = lenses[kind];
    this.kind = kind;
    this.plan = plan;
    this.lit = [];
    this.shapes = new Map(); // from the number of a constraint to what shows it
    this.picture.edges.replaceChildren();
    this.texts?.forEach((shape) => shape.remove());
    this.drawn = new Set(plan.edges.flatMap((edge) => edge.constraints));
    this.printed = new Set(marks.flatMap((mark) => mark.constraints || []));
    marks.forEach((mark, i) => this.note(mark.constraints, this.picture.marks[i]));
    this.edges = plan.edges.map((edge) => [edge, this.add(edge.constraints, this.edge(edge))]);
    plan.chips.forEach((c) => { if (!constraints[c].chip.quiet) this.add([c], this.chip(c)); });
    this.texts = plan.texts.map((mark) => this.picture.printed.appendChild(drawMark(mark)));
    plan.texts.forEach((mark, i) => this.note(mark.constraints, this.texts[i]));
    this.hidden = plan.hidden;
    this.fit();
    this.update();
  }

  note(constraints, shape) {
    for (const c of constraints || []) this.shapes.set(c, [...(this.shapes.get(c) || []), shape]);
  }

  add(constraints, shape) {
    this.picture.edges.append(shape);
    this.note(constraints, shape);
    return shape;
  }

  edge({ way: [x, y, ...rest], dashed }) {
    const d = rest.length > 2 ? `M${x} ${y}C${rest.join(" ")}` : `M${x} ${y}L${rest.join(" ")}`;
    return element("path", { class: dashed ? "edge dashed" : "edge", d });
  }

  chip(c, state = "") {
    const { name, chip: { at: [x, y, w, h], text: words, font } } = this.film.data.constraints[c];
    const body = element("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: 3 });
    const place = { class: `constraint ${state}`, transform: `translate(${x} ${y})` };
    return element("g", place, element("title", {}, name), body, text(words, 0, 0, font));
  }

  /* The part of the plane that is seen: all of it, whatever step it is. */
  fit() {
    const { film, picture, plan } = this;
    const [xs, ys] = reach([...film.data.marks, ...plan.texts]);
    film.data.vertices.forEach((vertex, v) => {
      const [w, h] = picture.form(v).size;
      xs.push(vertex.x - w / 2, vertex.x + w / 2);
      ys.push(vertex.y - h / 2, vertex.y + h / 2);
    });
    plan.edges.forEach(({ way }) => way.forEach((at, i) => (i % 2 ? ys : xs).push(at)));
    plan.chips.forEach((c) => {
      const [x, y, w, h] = film.data.constraints[c].chip.at;
      xs.push(x - w / 2, x + w / 2);
      ys.push(y - h / 2, y + h / 2);
    });
    const [left, top] = [Math.min(...xs) - 8, Math.min(...ys) - 8];
    const box = [left, top, Math.max(...xs) + 8 - left, Math.max(...ys) + 8 - top].map(Math.round);
    picture.svg.setAttribute("viewBox", box.join(" "));
    picture.svg.style.aspectRatio = `${box[2]} / ${box[3]}`;
  }

  /* Light what is active now; for what has no picture of its own, what it comes from. */
  update() {
    const { scene, behind, over } = this.picture, { constraints } = this.film.data;
    const isSeen = (c) => this.shapes.has(c) || (constraints[c].chip && this.plan.chips.includes(c));
    const own = [...scene.constraints].flatMap((c) => (isSeen(c) ? [c] : constraints[c].origins || [c]));
    const off = new Set(this.edges.filter(([edge]) => !this.isCrossed(edge, own)).map(([, shape]) => shape));
    this.lit.forEach((shape) => shape.classList.remove("on"));
    const isEdge = (shape) => shape.classList.contains("edge"); // of a whole round only the edges are lit
    const works = (shape) => !off.has(shape) && (scene.active.size || isEdge(shape));
    this.lit = own.flatMap((c) => this.shapes.get(c) || []).filter(works);
    this.lit.forEach((shape) => shape.classList.add("on"));
    const acting = scene.active.size ? [...scene.constraints].map((c) => this.acting(c)) : [];
    if (!scene.constraints.size) acting.push({ over: this.around() });
    for (const [layer, place] of [[behind, "behind"], [over, "over"]]) {
      const shapes = acting.flatMap((drawn) => drawn[place] || []);
      if (shapes.length || layer.firstChild) layer.replaceChildren(...shapes);
    }
  }

  /* Whether an edge is one that a removal went along: from a cause to a vertex that has lost a value. */
  isCrossed({ ends: [v, w], constraints }, own) {
    const { scene } = this.picture;
    if (w === undefined || !scene.causes.size || !scene.gone.size) return true;
    const crosses = (causes) => (causes.has(v) && this.isHit(w)) || (causes.has(w) && this.isHit(v));
    return constraints.some((c) => own.includes(c) && crosses(this.causes(c)));
  }

  /* Those of a constraint; where it alone has none, all. */
  causes(c) {
    const { scene } = this.picture, own = scene.reasons.get(c);
    return own?.size ? own : scene.causes;
  }

  /* What joins the variables of an active constraint that has no edges of its own. */
  acting(c) {
    const { plan, film } = this, one = film.data.constraints[c];
    if (this.drawn.has(c) || (this.printed.has(c) && one.scope.length === 2)) return {};
    if (!one.close) {
      if (plan.chips.includes(c)) return { behind: one.scope.map((v) => this.spoke(one, v)), over: [this.chip(c, "on")] };
      return this.kind === "grid" && one.scope.length > 2 ? {} : { behind: this.pairs(one.scope) };
    }
    const quiet = one.chip?.quiet && plan.chips.includes(c) ? [this.chip(c, "on")] : [];
    if (one.scope.length === 2) return { over: this.pairs(one.scope) };
    if (plan.acting === "bows") return { over: [...this.bows(one, this.causes(c)), ...quiet] };
    if (plan.acting === "threads") {
      const links = (one.links || []).map(([v, w]) => this.join(v, w));
      return { over: [...(one.ends || []).filter(() => one.chip).map((v) => this.spoke(one, v)), ...links, ...quiet] };
    }
    return {};
  }

  /* The edges of the vertex that is taken or decided, or of the first in the queue. */
  around() {
    const { film, plan, picture: { scene } } = this, { constraints, waiting } = film.data;
    const [own] = scene.active.size === 1 ? scene.active : [...film.queue.map((one) => waiting[one][1]).filter((v) => v >= 0), ...(film.position ? [] : [0])];
    const scopes = plan.near.map((c) => constraints[c].scope).filter((scope) => scope.includes(own));
    return [...new Set(scopes.flat())].filter((v) => v !== own).map((v) => element("path", { class: "near", d: this.bow(own, v) }));
  }

  at(v) { return [this.film.data.vertices[v].x, this.film.data.vertices[v].y]; }

  box(v) { return [this.at(v), this.picture.form(v).size]; }

  line(one, v) { return element("path", { class: this.isHit(v) ? "hit" : "", d: between(one, this.box(v)) }); }

  join(v, w) { return this.line(this.box(v), w); }

  pairs(scope) { return scope.flatMap((v, i) => scope.slice(i + 1).map((w) => this.join(v, w))); }

  /* From the border of a chip. */
  spoke({ chip: { at: [x, y, w, h] } }, v) { return this.line([[x, y], [w + 2 * INSET, h + 2 * INSET]], v); }

  /* From the causing vertices to the others of their group. */
  bows({ scope }, causes) {
    const rest = scope.filter((v) => !causes.has(v));
    const line = (cause, v) => element("path", { class: this.isHit(v) ? "hit" : "", d: this.bow(cause, v) });
    return scope.filter((v) => causes.has(v)).flatMap((cause) => rest.map((v) => line(cause, v)));
  }

  /* Towards the middle of all vertices, and never beyond them. */
  bow(one, other) {
    const [[x, y], [p, q]] = [this.at(one), this.at(other)], [dx, dy] = [p - x, q - y];
    const [[left, right], [top, bottom]] = this.hull ||= this.reach();
    const inward = dy * (left + right - x - p) - dx * (top + bottom - y - q), side = inward < -Math.hypot(dx, dy) ? -BEND : BEND;
    const clamp = (at, low, high) => Math.min(Math.max(at, low), high);
    const bend = [clamp((x + p) / 2 + dy * side, left, right), clamp((y + q) / 2 - dx * side, top, bottom)];
    return between(this.box(one), this.box(other), bend);
  }

  /* From where to where the vertices reach, across and down. */
  reach() {
    const boxes = this.film.data.vertices.map((_, v) => this.box(v));
    const ends = (axis) => boxes.flatMap(([at, size]) => [at[axis] - size[axis] / 2, at[axis] + size[axis] / 2]);
    return [ends(0), ends(1)].map((all) => [Math.min(...all), Math.max(...all)]);
  }

  isHit(v) {
    const { film, picture: { scene } } = this;
    return film.data.vertices[v].domain.some((value) => scene.gone.has(v * film.width + value));
  }
}
