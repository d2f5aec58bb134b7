/* For who sets a puzzle: the values that are in some solution, what is not needed, and how hard it is. */

/* global player */
import { made } from "./states.js";

const MOST = 1000; // a rating that fills the bar
const SHOWN = 12;

export class Setting {
  constructor(studio, place) { Object.assign(this, { studio, place, counts: null }); }

  /* The film of a moment: what is left are the values of solutions. */
  still(film, { counts, cutoff, stopped }) {
    Object.assign(this, { counts, cutoff, spares: [] });
    const number = new Map(film.values.map((value, i) => [value, i])), width = film.values.length, gone = [];
    let open = 0, all = 0;
    film.vertices.forEach(({ name, domain }, v) => {
      if (!counts[name]) return;
      const own = new Set(counts[name].map(([value]) => number.get(value)));
      open += own.size > 1;
      all += domain.length;
      gone.push(...domain.filter((value) => !own.has(value)).map((value) => v * width + value));
    });
    const says = stopped ? `not known to the end: ${stopped}` : open ? `${open} are open: with each value, how many solutions have it` : gone.length === all ? "no solution" : "one solution";
    this.place.hidden = false;
    this.place.replaceChildren(made("span", { class: "says" }, says));
    return { ...film, records: [], start: gone, queue: 0, note: "", opening: says, trees: film.trees.map((tree) => ({ ...tree, nodes: [] })) };
  }

  /* Beside each value how many solutions have it. */
  count() {
    const { film, picture } = player, number = new Map(film.data.values.map((value, i) => [value, i]));
    picture.guesses.setAttribute("class", "counts");
    picture.guesses.replaceChildren(...film.data.vertices.flatMap(({ name, x, y }, v) => {
      const own = this.counts[name] || [];
      return own.length < 2 ? [] : own.map(([value, n]) => {
        const [dx, dy, wide, high] = picture.room(v, number.get(value)), words = document.createElementNS("http://www.w3.org/2000/svg", "text");
        for (const [key, at] of Object.entries({ x: x + dx + wide / 2 - 3, y: y + dy + high / 2 - 3, "font-size": Math.min(8, high / 2) })) words.setAttribute(key, at);
        words.textContent = n >= this.cutoff ? `${n}+` : n;
        return words;
      });
    }));
  }

  say(words) { this.place.append(" · ", words); }

  spare(one) {
    this.spares.push(one);
    const { spares } = this, list = this.place.querySelector(".spares") || this.place.appendChild(made("span", { class: "spares" }));
    const more = spares.length > SHOWN ? ` and ${spares.length - SHOWN} more` : "";
    list.textContent = ` · each of these could go: ${spares.slice(0, SHOWN).map(({ name, line }) => `${name}${line ? ` (line ${line})` : ""}`).join(", ")}${more}`;
    const { editor } = this.studio;
    editor.grey(spares.filter(({ file, what }) => !file && what !== "group").map(({ line }) => line));
  }

  rate({ rating, hardest, steps }) {
    const all = Object.entries(steps).map(([name, count]) => `${count} ${name}`).join(", ");
    const bar = made("meter", { min: 0, max: 1, value: Math.log1p(rating) / Math.log1p(MOST), "aria-label": "difficulty" });
    this.place.append(" · ", bar, ` rating ${rating}${hardest ? `, hardest ${hardest}` : ""}${all ? ` (${all})` : ""}`);
  }

  /* Whether a value is in no solution, as far as it is known. */
  excludes(name, value) { return Boolean(this.counts?.[name]) && !this.counts[name].some(([one]) => one === String(value)); }
}
