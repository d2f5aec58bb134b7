/* The legend, drawn with the same shapes as the picture so that both always agree. */

import { createHtml } from "./dom.js";
import { createSvg, drawShape } from "./shapes.js";

const STATES = ["marked", "active", "grouped", "cause", "failed", "swept"];
const MORE = ["○ decision · ■ failure · ◆ solution · ↺ restart · + next independent part · │ round · ◦ silent event",
  "queue: solid, a vertex; dashed, a value with one place left or a propagator; the first is next"];

/* Return whether a picture shows a sign; signs with the same look differ by their text. */
const isIn = (svg, [, selector, sign]) => (
  [...svg.querySelectorAll(`${selector}:not([display=none])`)].some(({ textContent }) => !sign || textContent === sign));

/* Create the list item of a legend entry: its shapes in a small picture, then its text. */
function createItem([words, , , ...shapes]) {
  const kind = ["vertex", ...shapes.flatMap(([, look]) => look.split(" ")).filter((word) => STATES.includes(word))].join(" ");
  const elements = shapes.map(([shape, look, ...rest]) => drawShape([shape, look.startsWith("body") ? "body" : look, ...rest], shape === "line" ? "mark" : ""));
  return createHtml("li", {}, createSvg("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" }, createSvg("g", { class: kind }, ...elements)), words);
}

/* Create the list item of a kind of node of the search tree. */
function createNodeItem([kind, [words, ...shapes]]) {
  return createHtml("li", {}, createSvg("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" },
    createSvg("g", { class: `node ${kind}`, transform: "scale(0.5)" }, ...shapes.map((shape) => drawShape(shape)))), words);
}

/* The legend of a lens: the signs in the picture, and a list of all signs. */
export class Legend {
  constructor(film, place, all) {
    Object.assign(this, { film, place, all, entries: [] });
  }

  /* List all signs of a lens, of the search tree, of the timeline and of the queue. */
  setLens(kind) {
    const { data } = this.film, entries = (kind === "matching" ? data.matching : data.lenses[kind].legend).map((i) => data.signs[i]);
    this.entries = entries;
    const nodes = data.trees[0].nodes.length < 2 ? [] : Object.entries(data.shapes).map(createNodeItem);
    this.all.replaceChildren(createHtml("ul", {}, ...entries.map(createItem), ...nodes, ...MORE.map((words) => createHtml("li", {}, words))));
    this.seen = null;
  }

  /* Show the signs of some kinds of nodes, in one line below the search tree. */
  showNodes(place, kinds) {
    place.replaceChildren(createHtml("ul", {}, ...Object.entries(this.film.data.shapes).filter(([kind]) => kinds.has(kind)).map(createNodeItem)));
  }

  /* Show the signs that are in the picture now, below it. */
  update(svg) {
    const visibleEntries = this.entries.filter((entry) => isIn(svg, entry)), seen = visibleEntries.map(([words]) => words).join();
    if (seen === this.seen) return;
    this.seen = seen;
    const brief = ([words, ...rest]) => [words.split(/[:,]/)[0], ...rest];
    this.place.replaceChildren(createHtml("ul", {}, ...visibleEntries.map((entry) => createItem(brief(entry)))));
  }
}
