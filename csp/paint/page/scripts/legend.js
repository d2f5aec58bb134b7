/* The legend: the same marks as the picture, so that it cannot differ from it. */

import { html } from "./dom.js";
import { drawMark, element } from "./marks.js";

export function drawLegend(film, place, kind) {
  const signs = film.record()?.legend || (kind === "matching" ? film.data.matching : film.data.lenses[kind].legend);
  const entries = signs.map((i) => film.data.signs[i]).map(([words, ...marks]) => [
    element("g", { class: ["vertex", ...marks.flatMap(([, look]) => look.split(" ")).filter((word) => ["marked", "active", "cause"].includes(word))].join(" ") },
      ...marks.map(([shape, look, ...rest]) => drawMark([shape, look.startsWith("body") ? "body" : look, ...rest], shape === "line" ? "mark" : ""))), words]);
  if (film.data.trees[0].nodes.length > 1) {
    for (const [kind, [words, ...marks]] of Object.entries(film.data.shapes)) {
      entries.push([element("g", { class: `node ${kind}`, transform: "scale(0.5)" }, ...marks.map((mark) => drawMark(mark))), words]);
    }
  }
  const item = ([shape, words]) => html("li", {}, element("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" }, shape), words);
  place.replaceChildren(html("ul", {}, ...entries.map(item)));
}
