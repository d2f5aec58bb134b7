/* The messages below the editor: diagnostics with their fixes, the verdict with its evidence, and the state of the answer. */

/* Create an HTML element with attributes and children. */
export function create(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/* Put a box below an element of the picture, or above it if there is no room below. */
export function placeBox(box, element) {
  const { left, top, bottom, width } = element.getBoundingClientRect(), { offsetWidth, offsetHeight } = box;
  const isBelow = bottom + offsetHeight + 8 <= window.innerHeight || top < offsetHeight + 8;
  const x = Math.min(left + width / 2 - offsetWidth / 2, document.documentElement.clientWidth - offsetWidth - 4);
  const y = Math.min(isBelow ? bottom + 4 : top - offsetHeight - 4, window.innerHeight - offsetHeight - 4);
  Object.assign(box.style, { left: `${Math.max(4, x) + window.scrollX}px`, top: `${Math.max(4, y) + window.scrollY}px` });
}

/* List diagnostics, each with buttons for its place and its fixes. */
export function showDiagnostics(diagnostics, fixes, editor) {
  document.getElementById("diagnostics").replaceChildren(...diagnostics.slice(0, 20).map(({ severity, file, line, column, message, hint }, i) => {
    const item = create("li", { class: severity }), place = create("button", { class: "place" }, `${file || "line"} ${line}`);
    place.addEventListener("click", () => { if (!file) editor.goTo(line, column); });
    item.append(place, ` ${message}`);
    if (hint) item.append(create("span", { class: "hint" }, hint));
    for (const { title, edits } of fixes[i] || []) {
      const button = create("button", {}, title);
      button.addEventListener("click", () => editor.apply(edits));
      item.append(" ", button);
    }
    return item;
  }));
}

/* Show the evidence of a verdict: a conflict, whose clauses `leaveOut` removes, or the differences of two solutions; null
   shows nothing. */
export function showVerdict(message, leaveOut, showBoth) {
  const place = document.getElementById("verdict");
  place.hidden = !message;
  place.replaceChildren();
  if (!message) return;
  if (message.conflict) {
    place.append(create("p", {}, message.minimal ? "These contradict each other. Dropping any one is enough:" : "These contradict each other:"));
    place.append(create("ul", {}, ...message.conflict.slice(0, 12).map(({ name, line, file }) => {
      const row = create("li", {}, `${name}${line ? ` (${file || "line"} ${line})` : ""} `);
      if (line && !file) {
        const button = create("button", {}, "leave out");
        button.addEventListener("click", () => leaveOut(line));
        row.append(button);
      }
      return row;
    })));
  } else if (message.differences) {
    const button = create("button", {}, "show both");
    button.addEventListener("click", showBoth);
    place.append(create("p", {}, `Two solutions, different in ${message.differences.length} variable${message.differences.length > 1 ? "s" : ""}: `, button));
    place.append(create("ul", {}, ...message.differences.slice(0, 8).map(([variable, first, second]) => create("li", {}, `${variable}: ${first} or ${second}`))));
  } else place.hidden = true;
}

const SOLUTIONS = { none: "no solution", one: "1 solution ✓", several: "several solutions", unknown: "number of solutions unknown" };

/* The line about the state of the current answer; for a slow answer it has a button that stops it. */
export class Progress {
  constructor() {
    this.summary = this.time = "";
    for (const id of ["state", "stop", "shallow"]) this[id] = document.getElementById(id);
  }

  /* Wait for an answer: offer to stop it after one second, and to search less after five. */
  begin() {
    this.time = "";
    clearTimeout(this.slow);
    clearTimeout(this.slower);
    this.show("…");
    this.stop.hidden = this.shallow.hidden = true;
    this.slow = setTimeout(() => { this.stop.hidden = false; showVerdict(null); }, 1000); // the verdict of the previous text
    this.slower = setTimeout(() => { this.shallow.hidden = false; }, 5000);
  }

  /* Wait no longer. */
  end() {
    clearTimeout(this.slow);
    clearTimeout(this.slower);
    this.stop.hidden = true;
  }

  /* Show the verdict with the time of the whole answer. */
  finish(ms) {
    this.end();
    this.shallow.hidden = true;
    this.time = ` · ${Math.round(ms)} ms`;
    this.show(this.summary + this.time);
  }

  /* Show a summary of the answer, with its time if the answer is complete. */
  showSummary(summary) {
    this.summary = summary;
    this.show(summary + this.time);
  }

  /* Show a text in the line. */
  show(words) { this.state.textContent = words; }

  /* Show the number of solutions. */
  showVerdict({ solutions, message }) {
    this.showSummary(solutions === "unknown" || solutions === "none" ? message : SOLUTIONS[solutions]);
  }
}
