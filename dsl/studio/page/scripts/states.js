/* What is said beside the editor: mistakes with what mends them, the verdict with what shows it, how far the answer is. */

export function made(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}

export function showMistakes(found, fixes, editor) {
  document.getElementById("mistakes").replaceChildren(...found.slice(0, 20).map((one, i) => {
    const line = made("li", { class: one.severity }), place = made("button", { class: "place" }, `${one.file || "line"} ${one.line}`);
    place.addEventListener("click", () => { if (!one.file) editor.go(one.line, one.column); });
    line.append(place, ` ${one.message}`);
    if (one.hint) line.append(made("span", { class: "hint" }, one.hint));
    for (const { title, edits } of fixes[i] || []) {
      const button = made("button", {}, title);
      button.addEventListener("click", () => editor.apply(edits));
      line.append(button, " ");
    }
    return line;
  }));
}

export function showVerdict(message, drop, showBoth) {
  const place = document.getElementById("verdict");
  place.hidden = !message;
  place.replaceChildren();
  if (!message) return;
  if (message.conflict) {
    place.append(made("p", {}, message.minimal ? "These cannot hold together; without any one of them the rest can:" : "These cannot hold together:"));
    place.append(made("ul", {}, ...message.conflict.slice(0, 12).map(({ name, line, file }) => {
      const row = made("li", {}, `${name}${line ? ` (${file || "line"} ${line})` : ""} `);
      if (line && !file) {
        const button = made("button", {}, "leave out");
        button.addEventListener("click", () => drop(line));
        row.append(button);
      }
      return row;
    })));
  } else if (message.differences) {
    const button = made("button", {}, "show both");
    button.addEventListener("click", showBoth);
    place.append(made("p", {}, `${message.differences.length} differ between two solutions: `, button));
    place.append(made("ul", {}, ...message.differences.slice(0, 8).map(([variable, one, other]) => made("li", {}, `${variable}: ${one} or ${other}`))));
  } else place.hidden = true;
}

const SOLUTIONS = { none: "no solution", one: "1 solution ✓", several: "several solutions", unknown: "not known how many solutions" };

/* How far the answer is: nothing is said twice, and what takes long can be stopped. */
export class Progress {
  constructor() {
    for (const id of ["state", "stop", "shallow"]) this[id] = document.getElementById(id);
  }

  begin() {
    clearTimeout(this.slow);
    clearTimeout(this.slower);
    this.say("…");
    this.stop.hidden = this.shallow.hidden = true;
    this.slow = setTimeout(() => { this.stop.hidden = false; showVerdict(null); }, 1000); // that of the text before
    this.slower = setTimeout(() => { this.shallow.hidden = false; }, 5000);
  }

  end() {
    clearTimeout(this.slow);
    clearTimeout(this.slower);
    this.stop.hidden = true;
  }

  /* All is said; how long that took. */
  done(ms) {
    this.end();
    this.shallow.hidden = true;
    this.state.textContent = `${this.solutions ?? ""} · ${Math.round(ms)} ms`;
  }

  say(words) { this.state.textContent = words; }

  verdict({ solutions, message }) {
    this.solutions = solutions === "unknown" || solutions === "none" ? message : SOLUTIONS[solutions];
    this.say(this.solutions);
  }
}
