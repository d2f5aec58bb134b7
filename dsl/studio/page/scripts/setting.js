/* Mode set, for setters of puzzles: the values that are in some solution, the redundant clues, and the difficulty. */

/* global player */
import { create } from "./states.js";

const MAX_RATING = 1000; // the rating that fills the bar
const SHOWN = 12; // maximum number of redundant clues that are listed

/* The line of findings about the present text, and the counts of solutions in the picture. */
export class Setting {
  constructor(studio, place) { Object.assign(this, { studio, place, counts: null }); }

  /* Return a trace without records that begins with only the values of solutions, and show a summary of the counts. */
  showCounts(film, { counts, cutoff, stopped }) {
    Object.assign(this, { counts, cutoff, spares: [] });
    const number = new Map(film.values.map((value, i) => [value, i])), width = film.values.length, gone = [];
    let open = 0, all = 0;
    // Remove the values that no solution has.
    film.vertices.forEach(({ name, domain }, v) => {
      if (!counts[name]) return;
      const possible = new Set(counts[name].map(([value]) => number.get(value)));
      open += possible.size > 1;
      all += domain.length;
      gone.push(...domain.filter((value) => !possible.has(value)).map((value) => v * width + value));
    });
    const summary = stopped ? `incomplete: ${stopped}` : open ? `${open} unfixed: each value with its number of solutions` : gone.length === all ? "no solution" : "one solution";
    this.place.hidden = false;
    this.place.replaceChildren(create("span", { class: "says" }, summary));
    return { ...film, records: [], start: gone, queue: 0, note: "", opening: summary, trees: film.trees.map((tree) => ({ ...tree, nodes: [] })) };
  }

  /* Draw beside each value the number of solutions that have it. */
  drawCounts() {
    const { film, picture } = player, number = new Map(film.data.values.map((value, i) => [value, i]));
    picture.guesses.setAttribute("class", "counts");
    picture.guesses.replaceChildren(...film.data.vertices.flatMap(({ name, x, y }, v) => {
      const counts = this.counts[name] || [];
      return counts.length < 2 ? [] : counts.map(([value, n]) => {
        const [dx, dy, wide, high] = picture.getPlace(v, number.get(value)), words = document.createElementNS("http://www.w3.org/2000/svg", "text");
        for (const [key, at] of Object.entries({ x: x + dx + wide / 2 - 3, y: y + dy + high / 2 - 3, "font-size": Math.min(8, high / 2) })) words.setAttribute(key, at);
        words.textContent = n >= this.cutoff ? `${n}+` : n;
        return words;
      });
    }));
  }

  /* Add words to the line of findings. */
  append(words) { this.place.append(" · ", words); }

  /* Add a redundant clue to the list, and grey out its line. */
  addSpare(clue) {
    this.spares.push(clue);
    const { spares } = this, list = this.place.querySelector(".spares") || this.place.appendChild(create("span", { class: "spares" }));
    const more = spares.length > SHOWN ? ` and ${spares.length - SHOWN} more` : "";
    list.textContent = ` · not needed (one at a time): ${spares.slice(0, SHOWN).map(({ name, line }) => `${name}${line ? ` (line ${line})` : ""}`).join(", ")}${more}`;
    const { editor } = this.studio;
    editor.greyOut(spares.filter(({ file, what }) => !file && what !== "group").map(({ line }) => line));
  }

  /* Show the rating as a bar, with the techniques that the puzzle needs. */
  showRating({ rating, hardest, steps }) {
    const stepCounts = Object.entries(steps).map(([name, count]) => `${count} ${name}`).join(", ");
    const bar = create("meter", { min: 0, max: 1, value: Math.log1p(rating) / Math.log1p(MAX_RATING), "aria-label": "difficulty" });
    this.place.append(" · ", bar, ` rating ${rating}${hardest ? `, hardest ${hardest}` : ""}${stepCounts ? ` (${stepCounts})` : ""}`);
  }

  /* Return whether a value is known to be in no solution. */
  isExcluded(name, value) { return Boolean(this.counts?.[name]) && !this.counts[name].some(([possible]) => possible === String(value)); }
}
