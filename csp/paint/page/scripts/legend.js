/* The legend: the same marks as the picture, so that it cannot differ from it. */

import { html } from "./dom.js";
import { drawMark, element } from "./marks.js";

const STATES = ["marked", "active", "cause", "failed"];
const MORE = ["○ decision · ■ failure · ◆ solution · ↺ restart · + next independent part · │ round · ◦ silent step",
  "queue: solid, a vertex; dashed, a value with one place left, or a filter; the head is taken next"];

/* What is found in a picture where an entry is meant: its state, or the last of its marks. */
function sign(marks) {
  const looks = marks[0][1].split(" "), state = looks.find((word) => STATES.includes(word));
  if (state === "marked") return ".asterisk";
  if (state === "failed") return ".badge";
  if (state) return `.vertex.${state}`;
  const own = (marks.find(([, look]) => look.includes("strike") || look === "ramp") || marks[0])[1];
  const words = own.split(" ").filter((word) => word !== "body" && (word !== "edge" || !own.includes("pair")) && word !== "lost");
  return own === "body cell" ? null : `.${words.join(".")}${words.length === 1 && words[0] === "component" ? ":not(.spare)" : ""}`;
}

function item([words, ...marks]) {
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
    this.entries = own.map((entry) => [sign(entry.slice(1)), entry]);
    const shapes = data.trees[0].nodes.length < 2 ? [] : Object.entries(data.shapes).map(([kind, [words, ...marks]]) => (
      html("li", {}, element("svg", { viewBox: "-15 -13 30 26", "aria-hidden": "true" }, element("g", { class: `node ${kind}`, transform: "scale(0.5)" }, ...marks.map((mark) => drawMark(mark)))), words)));
    this.all.replaceChildren(html("ul", {}, ...own.map(item), ...shapes, ...MORE.map((words) => html("li", {}, words))));
    this.seen = null;
  }

  /* The signs that are in the picture now, in one line under it. */
  update(svg) {
    const now = this.entries.filter(([sign]) => sign && svg.querySelector(sign)).map(([, entry]) => entry), seen = now.map(([words]) => words).join();
    if (seen === this.seen) return;
    this.seen = seen;
    const brief = ([words, ...marks]) => [words.startsWith("failure") ? words : words.split(/[:,]/)[0], ...marks];
    this.place.replaceChildren(html("ul", {}, ...now.map((entry) => item(brief(entry)))));
  }
}
