/* The matching lens: the groups at work as bipartite graphs of variables and values, with the components of Régin's
   filter. A frame surrounds what keeps its values to itself, a thick line is a pair of one matching. What is matched, and
   where it stands, is in the film (MatchingData in contract.js). */

import { number } from "./film.js";
import { drawMark, element } from "./marks.js";

const ASPECT = 1.4; // of a stage: its width by its height

export class Matching {
  constructor(film, svg) {
    Object.assign(this, { film, svg, groups: Object.keys(film.data.groups).map(Number) });
  }

  /* The groups at work in this step. */
  atWork() {
    const { step } = this.film.record() || {};
    const now = this.film.window().filter((one, i, all) => one.step === step && (step || i === all.length - 1));
    return this.groups.filter((c) => now.some(({ constraint }) => constraint === c));
  }

  /* These; where none is, the one that was last, or the first. */
  shown() {
    const { data: { records }, position } = this.film, found = this.atWork();
    if (found.length) return found;
    const last = records.findLast(({ constraint }, i) => i < position && this.groups.includes(constraint));
    return [last ? last.constraint : this.groups[0]];
  }

  /* What was told last of a group. */
  told(c) {
    const { data, position } = this.film, isOf = ([group]) => group === c;
    return (data.records.findLast((one, i) => i < position && one.pairs?.some(isOf)) || data).pairs.find(isOf);
  }

  update(scene) {
    const shown = this.shown(), boxes = shown.map((c) => this.film.data.graphs[this.film.data.groups[c].graph].box);
    const [wide, high] = [2, 3].map((i) => Math.max(...boxes.map((box) => box[i])));
    const across = shown.map((_, i) => i + 1).reduce((best, one) => (this.share(one, shown, wide, high) > this.share(best, shown, wide, high) ? one : best));
    this.svg.replaceChildren(...shown.map((c, i) => {
      const place = [(i % across) * wide - boxes[i][0], Math.floor(i / across) * high - boxes[i][1]];
      return element("g", { transform: `translate(${place.join(" ")})` }, ...this.draw(c, scene));
    }));
    this.svg.setAttribute("viewBox", `0 0 ${across * wide} ${Math.ceil(shown.length / across) * high}`);
    this.svg.parentElement?.classList.toggle("still", !this.atWork().length);
  }

  /* How large groups are, so many beside each other. */
  share(across, { length }, wide, high) { return Math.min(ASPECT / (across * wide), 1 / (Math.ceil(length / across) * high)); }

  /* The elements of a group: their names, their vertices, and which of its values are left to them and are just going. */
  elements(c, scene) {
    const { film } = this, { vertices, constraints, groups, graphs } = film.data, { values } = graphs[groups[c].graph];
    return (groups[c].elements || constraints[c].scope).map((one) => {
      const [v, name, images] = Array.isArray(one) ? one : [one, vertices[one].name];
      const { domain } = vertices[v], image = (value) => (images ? images[domain.indexOf(value)] : values.indexOf(value));
      return { name, v, own: film.left(v).map(image), gone: domain.filter((value) => scene.gone.has(v * film.width + value)).map(image) };
    });
  }

  draw(c, scene) {
    const { data } = this.film, { graph, title } = data.groups[c], { columns, ends, frame: [from, to], high, said, values } = data.graphs[graph];
    const [, rows, places, pairs, spans, words] = this.told(c), all = this.elements(c, scene);
    const down = (letters, i) => data.rows[number(letters, i)];
    const line = (i, value, kind) => element("path", { class: kind, d: `M${ends[0]} ${down(rows, i)}L${ends[1]} ${down(places, value)}` });
    const boxes = columns.map(([x, wide]) => element("g", {}, drawMark(["box", "body", [x, 0, wide, high], 5]), drawMark(["text", "", [x, 0], 15, ""])));
    const box = (column, y, words, kind) => {
      const shape = boxes[column].cloneNode(true); // much quicker than made anew
      shape.setAttribute("class", `vertex ${kind}`);
      shape.setAttribute("transform", `translate(0 ${y})`);
      shape.lastChild.textContent = words;
      return shape;
    };
    const frame = (y, tall, told) => [
      drawMark(["box", told ? "component" : "component spare", [(from + to) / 2, y, to - from, tall], 10]), drawMark(["text", "start", [said, y], 13, told])];
    return [
      ...[...spans].flatMap((_, i) => frame(...data.spans[number(spans, i)], data.words[number(words, i)])),
      ...all.flatMap(({ own, gone }, i) => [
        ...own.map((value) => line(i, value, number(pairs, i) === value ? "pair matched" : "pair")), ...gone.map((value) => line(i, value, "pair gone"))]),
      ...all.map(({ name, v }, i) => box(0, down(rows, i), name, scene.causes.has(v) ? "cause" : "")),
      ...[...new Set(all.flatMap(({ own, gone }) => [...own, ...gone]))].map((value) => (
        box(1, down(places, value), typeof values[value] === "number" ? data.values[values[value]] : values[value], ""))),
      ...title.map((mark) => drawMark(mark)),
    ];
  }
}
