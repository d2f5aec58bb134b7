/* The legend: the same shapes and classes as the picture, so that it cannot differ from it. */

import { html } from "./dom.js";
import { element, text } from "./marks.js";
import { SHAPES } from "./tree.js";

export function drawLegend(film, place, kind) {
  const box = { class: "body", x: -13, y: -11, width: 26, height: 22, rx: 3 };
  const vertex = (state, ...inside) => element("g", { class: `vertex ${state}` }, element("rect", box), ...inside);
  const line = (look) => element("path", { class: look, d: "M-13 0H13" }), frame = (look) => element("rect", { ...box, class: look });
  const entries = kind === "matching" ? [
    [vertex("cause"), "cause"],
    [line("pair matched"), "pair of one matching"],
    [line("pair"), "value left"],
    [line("pair gone"), "removed now: in no matching"],
    [frame("component"), "use up their values"],
    [frame("component spare"), "have values to spare"],
  ] : states(film, { vertex, line, frame, box });
  if (film.data.trees[0].length > 1) {
    const shape = (kind, name) => element("g", { class: `node ${kind}`, transform: "scale(0.8)" }, element("path", { class: "shape", d: SHAPES[name] }));
    entries.push([shape("", "circle"), "branching"], [shape("solution", "diamond"), "solution"],
      [shape("failure", "square"), "failure"], [shape("collapsed", "triangle"), "subtree without a solution, and its failures"]);
  }
  const item = ([shape, words]) => html("li", {}, element("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" }, shape), words);
  place.replaceChildren(html("ul", {}, ...entries.map(item)));
}

/* What the vertices, edges and marks of this film can show. */
function states(film, { vertex, line, frame, box }) {
  const strike = () => [
    element("rect", { class: "boxed", x: -8, y: -9, width: 16, height: 18 }), text("1", 0, 0, 16),
    element("path", { class: "strike", d: "M-8 4L8 -4" }),
  ];
  const entries = [
    [vertex("marked", text("*", 5, 3, 26, "asterisk")), "marked: its domain has changed"],
    [vertex("", ...strike()), "removed now"],
    [vertex("active"), "active group, or decision"],
    [vertex("cause"), "cause"],
    [vertex(""), "idle"],
  ];
  const edges = Object.values(film.data.lenses).flatMap((lens) => lens.edges), has = (test) => film.data.forms.some(test);
  if (film.data.vertices.some((one) => one.given)) entries.push([text("1", 0, 0, 22, "fixed"), "given"]);
  if (edges.some((edge) => !edge.dashed)) entries.push([line("edge"), "not equal"]);
  if (edges.some((edge) => edge.dashed)) entries.push([line("edge dashed"), "other constraint"]);
  if (has(({ style }) => style === "bitmap")) entries.push([element("path", { class: "bits", d: "M-9 -9h7v7h-7zM2 2h7v7h-7z" }), "values left, each in its place"]);
  if (has(({ kind, style }) => kind === "cell" && style === "size")) entries.push([vertex("", element("rect", { ...box, class: "ramp", "fill-opacity": 0.6 }), text("7", 0, 0, 14, "count")), "how many values are left"]);
  if (film.data.marks.some(({ look }) => look === "cage")) entries.push([line("mark cage dashed"), "cage, and what it must be"]);
  const greys = film.data.marks.filter(({ look }) => look === "shade").flatMap((mark) => mark.constraints || []), isGroup = (c) => film.data.constraints[c].apart?.length > 1;
  if (greys.some(isGroup)) entries.push([frame("shade"), "group of grey cells"]);
  if (greys.some((c) => !isGroup(c))) entries.push([frame("shade"), "even"]);
  if (film.data.marks.some(({ look }) => look === "odd")) entries.push([element("circle", { class: "odd", r: 11 }), "odd"]);
  return entries;
}
