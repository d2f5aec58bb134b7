"use strict";
/* The timeline: a slider over all events, with marks for decisions, failures and solutions. */

const MARKS = { decision: "○", failure: "■", solved: "◆", restart: "↺", part: "+" };

class Timeline {
  constructor(film, slider, marks, seek) {
    Object.assign(this, { film, slider });
    slider.max = film.end;
    slider.addEventListener("input", () => seek(Number(slider.value)));
    const ticks = film.data.records.map(({ kind }, i) => (kind === "round" ? `M${i + 1} 0v10` : "")).join("");
    const strip = element("svg", { viewBox: `0 0 ${film.end || 1} 10`, preserveAspectRatio: "none" });
    strip.append(element("path", { d: ticks, "vector-effect": "non-scaling-stroke" }));
    marks.append(strip);
    const decisions = film.data.records.filter(({ kind }) => kind === "decision").length;
    marks.classList.toggle("many", decisions > 40);
    film.data.records.forEach(({ kind }, i) => {
      if (MARKS[kind]) marks.append(html("span", { class: kind, style: `left:${(100 * (i + 1)) / film.end}%` }, MARKS[kind]));
    });
  }

  update() {
    this.slider.value = this.film.position;
    const record = this.film.record();
    this.slider.setAttribute("aria-valuetext", record ? record.text : "the network");
  }
}
