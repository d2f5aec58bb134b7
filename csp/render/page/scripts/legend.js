/* The legend: the same marks as the picture, so that it cannot differ from it. */

import { html } from "./dom.js";
import { drawMark, element } from "./marks.js";

const STATES = ["marked", "active", "cause", "failed"];
const MORE = ["○ decision · ■ failure · ◆ solution · ↺ restart · + next independent part · │ round · ◦ silent step",
  "queue: solid, a vertex; dashed, a value with one place left, or a filter; the head is taken next"];

/* Whether a picture has a sign; those of one look differ by their texts. */
const isIn = (svg, [, selector, sign]) => [...svg.querySelectorAll(selector)].some(({ textContent }) => !sign || textContent === sign);

function item([words, , , ...marks]) {
  const kind = ["vertex", ...marks.flatMap(([, look]) => look.split(" ")).filter((word) => STATES.includes(word))].join(" ");
  const shapes = marks.map(([shape, look, ...rest]) => drawMark([shape, look.startsWith("body") ? "body" : look, ...rest], shape === "line" ? "mark" : ""));
  return html("li", {}, element("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" }, element("g", { class: kind }, ...shapes)), words);
}

export class Legend {
  constructor(film, place, all) {
    Object.assign(this, { film, place, all, entries: [] });
  }

  /* All signs of a lens, and those of the tree and of what stands under the picture. */
  set(kind) {
    const { data } = this.film, own = (kind === "matching" ? data.matching : data.lenses[kind].legend).map((i) => data.signs[i]);
    this.entries = own;
    const shapes = data.trees[0].nodes.length < 2 ? [] : Object.entries(data.shapes).map(([kind, [words, ...marks]]) => (
      html("li", {}, element("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" }, element("g", { class: `node ${kind}`, transform: "scale(0.5)" }, ...marks.map((mark) => drawMark(mark)))), words)));
    this.all.replaceChildren(html("ul", {}, ...own.map(item), ...shapes, ...MORE.map((words) => html("li", {}, words))));
    this.seen = null;
  }

  /* The signs that are in the picture now, in one line under it. */
  update(svg) {
    const now = this.entries.filter((entry) => isIn(svg, entry)), seen = now.map(([words]) => words).join();
    if (seen === this.seen) return;
    this.seen = seen;
    const brief = ([words, ...rest]) => [words.split(/[:,]/)[0], ...rest];
    this.place.replaceChildren(html("ul", {}, ...now.map((entry) => item(brief(entry)))));
  }
}
