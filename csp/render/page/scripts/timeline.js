/* The timeline: a slider over all events, with buttons at decisions, failures and solutions. */

import { createHtml, rove } from "./dom.js";
import { createSvg } from "./shapes.js";

const MARKS = { decision: "○", failure: "■", solved: "◆", reached: "◇", restart: "↺", part: "+" };

/* The slider, a strip with lines at rounds and silent steps, and buttons at important events. */
export class Timeline {
  constructor(film, slider, marks, seek) {
    Object.assign(this, { film, slider });
    slider.max = film.end;
    slider.addEventListener("input", () => seek(Number(slider.value)));
    const ticks = film.data.records.map(({ kind }, i) => (kind === "round" ? `M${i + 1} 0v10` : "")).join("");
    const strip = createSvg("svg", { viewBox: `0 0 ${film.end || 1} 10`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const hollow = film.silentStops.map((at) => `M${at} 3v7`).join("");
    strip.append(createSvg("path", { d: ticks, "vector-effect": "non-scaling-stroke" }), ...["quiet", "quiet core"].map((kind) => createSvg("path", { class: kind, d: hollow, "vector-effect": "non-scaling-stroke" })));
    marks.append(strip);
    const marked = film.data.records.map(({ kind }, i) => (MARKS[kind] ? i : -1)).filter((i) => i >= 0);
    marks.classList.toggle("many", film.data.records.filter(({ kind }) => kind === "decision").length > 40);
    const buttons = marked.map((i) => {
      const { kind, text } = film.data.records[i];
      const where = { class: kind, tabindex: -1, style: `left:${(100 * (i + 1)) / film.end}%`, title: text, "aria-label": `${MARKS[kind]} ${text}` };
      return createHtml("button", where, MARKS[kind]);
    });
    marks.append(...buttons);
    if (buttons.length) rove(marks, buttons, (i) => [marked[i], 0], (i) => seek(marked[i] + 1));
  }

  /* Move the slider to the cursor, with the present caption as its text for screen readers. */
  update() {
    this.slider.value = this.film.position;
    const record = this.film.getRecord();
    this.slider.setAttribute("aria-valuetext", record ? record.text : this.film.opening);
  }
}
