/* The legend: the same marks as the picture, so that it cannot differ from it. */

import { html } from "./dom.js";
import { drawMark, element } from "./marks.js";
import { SHAPES } from "./tree.js";

export function drawLegend(film, place, kind) {
  const entries = (kind === "matching" ? film.data.matching : film.data.lenses[kind].legend).map((i) => film.data.signs[i]).map(([words, ...marks]) => [
    element("g", { class: ["vertex", ...marks.flatMap(([, look]) => look.split(" ")).filter((word) => ["marked", "active", "cause"].includes(word))].join(" ") },
      ...marks.map(([shape, look, ...rest]) => drawMark([shape, look.startsWith("body") ? "body" : look, ...rest], shape === "line" ? "mark" : ""))), words]);
  if (film.data.trees[0].length > 1) {
    const shape = (kind, name) => element("g", { class: `node ${kind}`, transform: "scale(0.8)" }, element("path", { class: "shape", d: SHAPES[name] }));
    entries.push([shape("", "circle"), "branching"], [shape("solution", "diamond"), "solution"],
      [shape("failure", "square"), "failure"], [shape("collapsed", "triangle"), "subtree without a solution, and its failures"]);
  }
  const item = ([shape, words]) => html("li", {}, element("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" }, shape), words);
  place.replaceChildren(html("ul", {}, ...entries.map(item)));
}
