/* The matching lens: the active groups as bipartite graphs of variables and values, with the components of Régin's
   propagator. A frame surrounds a component that uses up its values, and a thick line is a pair of one matching. The film
   contains the matchings and their positions (MatchingData in contract.js). */

import { decodeLetter } from "./film.js";
import { createSvg, drawShape } from "./shapes.js";

const ASPECT = 1.4; // width of the stage divided by its height

/* The drawing of the matching lens. */
export class Matching {
  constructor(film, svg) {
    Object.assign(this, { film, svg, groups: Object.keys(film.data.groups).map(Number) });
  }

  /* Return the groups that are active in the present step. */
  findActiveGroups() {
    const { step } = this.film.getRecord() || {};
    const records = this.film.getVisibleRecords().filter((record, i, visible) => record.step === step && (step || i === visible.length - 1));
    return this.groups.filter((c) => records.some(({ constraint }) => constraint === c));
  }

  /* Return the groups to show: the active ones, else the last active one, else the first group of all. */
  chooseGroups() {
    const { data: { records }, position } = this.film, active = this.findActiveGroups();
    if (active.length) return active;
    const last = records.findLast(({ constraint }, i) => i < position && this.groups.includes(constraint));
    return [last ? last.constraint : this.groups[0]];
  }

  /* Return the present matching of a group: the last one that a record up to the cursor contains. */
  findMatching(c) {
    const { data, position } = this.film, isOf = ([group]) => group === c;
    return (data.records.findLast((record, i) => i < position && record.pairs?.some(isOf)) || data).pairs.find(isOf);
  }

  /* Draw the groups in the number of columns that makes them largest. */
  update(scene) {
    const shown = this.chooseGroups(), boxes = shown.map((c) => this.film.data.graphs[this.film.data.groups[c].graph].box);
    // Choose the number of columns by the largest box of a group.
    const [wide, high] = [2, 3].map((i) => Math.max(...boxes.map((box) => box[i])));
    const across = shown.map((_, i) => i + 1).reduce((best, count) => (this.computeScale(count, shown, wide, high) > this.computeScale(best, shown, wide, high) ? count : best));
    // Place the groups row by row.
    this.svg.replaceChildren(...shown.map((c, i) => {
      const place = [(i % across) * wide - boxes[i][0], Math.floor(i / across) * high - boxes[i][1]];
      return createSvg("g", { transform: `translate(${place.join(" ")})` }, ...this.createShapes(c, scene));
    }));
    this.svg.setAttribute("viewBox", `0 0 ${across * wide} ${Math.ceil(shown.length / across) * high}`);
    this.svg.parentElement?.classList.toggle("still", !this.findActiveGroups().length);
  }

  /* Return the scale of groups that are drawn in a number of columns. */
  computeScale(across, { length }, wide, high) { return Math.min(ASPECT / (across * wide), 1 / (Math.ceil(length / across) * high)); }

  /* Return the elements of a group: name, vertex, remaining values (remaining) and values that are removed now (gone). */
  getElements(c, scene) {
    const { film } = this, { vertices, constraints, groups, graphs } = film.data, { values } = graphs[groups[c].graph];
    return (groups[c].elements || constraints[c].scope).map((entry) => {
      const [v, name, images] = Array.isArray(entry) ? entry : [entry, vertices[entry].name];
      const { domain } = vertices[v], image = (value) => (images ? images[domain.indexOf(value)] : values.indexOf(value));
      return { name, v, remaining: film.getRemaining(v).map(image), gone: domain.filter((value) => scene.gone.has(v * film.width + value)).map(image) };
    });
  }

  /* Create the shapes of a group: frames of components, pairs, boxes of elements and values, and the title. */
  createShapes(c, scene) {
    const { data } = this.film, { graph, title } = data.groups[c], { columns, ends, frame: [from, to], high, label_x, values } = data.graphs[graph];
    const [, rows, places, pairs, spans, words] = this.findMatching(c), all = this.getElements(c, scene);
    const down = (letters, i) => data.rows[decodeLetter(letters, i)];
    const line = (i, value, kind) => createSvg("path", { class: kind, d: `M${ends[0]} ${down(rows, i)}L${ends[1]} ${down(places, value)}` });
    const boxes = columns.map(([x, wide]) => createSvg("g", {}, drawShape(["box", "body", [x, 0, wide, high], 5]), drawShape(["text", "", [x, 0], 15, ""])));
    const box = (column, y, words, kind) => {
      const shape = boxes[column].cloneNode(true); // cloning is much faster than creating
      shape.setAttribute("class", `vertex ${kind}`);
      shape.setAttribute("transform", `translate(0 ${y})`);
      shape.lastChild.textContent = words;
      return shape;
    };
    const frame = (y, tall, label) => [
      drawShape(["box", label ? "component" : "component spare", [(from + to) / 2, y, to - from, tall], 10]), drawShape(["text", "start", [label_x, y], 13, label])];
    return [
      ...[...spans].flatMap((_, i) => frame(...data.spans[decodeLetter(spans, i)], data.words[decodeLetter(words, i)])),
      ...all.flatMap(({ remaining, gone }, i) => [
        ...remaining.map((value) => line(i, value, decodeLetter(pairs, i) === value ? "pair matched" : "pair")), ...gone.map((value) => line(i, value, "pair gone"))]),
      ...all.map(({ name, v }, i) => box(0, down(rows, i), name, scene.causes.has(v) ? "cause" : "")),
      ...[...new Set(all.flatMap(({ remaining, gone }) => [...remaining, ...gone]))].map((value) => (
        box(1, down(places, value), typeof values[value] === "number" ? data.values[values[value]] : values[value], ""))),
      ...title.map((shape) => drawShape(shape)),
    ];
  }
}
