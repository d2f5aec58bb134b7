"use strict";
/* The panels beside the picture: queue, log, spec, the values of one vertex, legend, search tree. */

const LINE = 20; // the height of a line of the log and of the spec, in pixels

function html(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/* Scroll so that a line stands in the middle; only its own panel moves, never the page. */
function centre(scroll, top, height) {
  scroll.scrollTop = top - (scroll.clientHeight - height) / 2;
}

/* The marked vertices in the order in which they will be taken, the head first. */
class Queue {
  constructor(film, place) { Object.assign(this, { film, place }); }

  update() {
    const names = this.film.queue.map((v) => this.film.data.vertices[v].name);
    const shown = names.map((name, i) => html("b", i ? {} : { class: "head", title: "taken next" }, name));
    this.place.replaceChildren(`queue: ${names.length || "empty"} `, ...shown);
    this.place.scrollLeft = 0;
  }
}

/* All captions, of which only those near the part that is seen are on the page: thousands would slow every step. */
class Log {
  constructor(film, list, seek) {
    Object.assign(this, { film, list });
    this.lines = [{ kind: "round", text: "the network" }, ...film.data.records];
    list.addEventListener("scroll", () => this.draw());
    list.addEventListener("click", ({ target }) => {
      const at = target.closest("li").value;
      if (at > 0) seek(at - 1);
    });
  }

  update() {
    centre(this.list, this.film.position * LINE, LINE);
    this.draw();
  }

  draw() {
    const { film, list, lines } = this, first = Math.max(0, Math.floor(list.scrollTop / LINE) - 5);
    const last = Math.min(lines.length, first + Math.ceil(list.clientHeight / LINE) + 10);
    const space = (rows) => html("li", { style: `height:${rows * LINE}px`, "aria-hidden": "true" });
    const lit = film.position - Math.max(1, film.window().length);
    const state = [first, last, lit, film.position].join();
    if (state === this.drawn) return;
    this.drawn = state;
    const drawn = lines.slice(first, last).map(({ kind, text: caption }, i) => {
      const at = first + i, now = at > lit && at <= film.position ? "now" : "";
      return html("li", { value: at + 1, class: `${kind === "round" || kind === "rest" ? "tick" : ""} ${now}` }, caption);
    });
    list.replaceChildren(space(first), ...drawn, space(lines.length - last));
  }
}

class Source {
  constructor(film, list) {
    Object.assign(this, { film, list, lit: [] });
    list.parentElement.hidden = !list.children.length;
  }

  /* The lines of a constraint, or of those that it comes from. */
  lines(c) {
    const { constraints } = this.film.data, { line, origins } = constraints[c];
    return (line ? [line] : (origins || []).map((origin) => constraints[origin].line)).filter(Boolean);
  }

  /* Light the lines that are at work; where none is, stay at the one that was last. */
  update(scene) {
    this.lit.forEach((line) => line.classList.remove("lit"));
    const numbers = [...new Set([...scene.constraints].flatMap((c) => this.lines(c)).concat(...scene.relies))];
    this.lit = numbers.map((number) => this.list.children[number - 1]).filter(Boolean);
    this.lit.forEach((line) => line.classList.add("lit"));
    const { data: { records }, position } = this.film;
    const last = records.findLast(({ constraint }, i) => i < position && constraint !== undefined);
    const first = Math.min(...(numbers.length || !last ? numbers : this.lines(last.constraint)));
    centre(this.list, ((Number.isFinite(first) ? first : 1) - 1) * LINE, LINE);
  }
}

/* All values of one vertex: what is left, and for every missing one, which step took it. */
class Inspector {
  constructor(film, place, seek) {
    Object.assign(this, { film, place, seek, vertex: null });
    this.why = html("p", { class: "why", "aria-live": "polite" });
    for (const kind of ["focusin", "pointerover", "click"]) {
      place.addEventListener(kind, ({ target }) => {
        const at = target.dataset?.record;
        if (at === undefined) return;
        this.why.textContent = film.data.records[at].text;
        if (kind === "click") this.seek(Number(at) + 1);
      });
    }
    this.update();
  }

  open(v) {
    this.vertex = v;
    this.why.textContent = "";
    this.update();
  }

  update() {
    const { film, vertex: v } = this;
    if (v === null) {
      const hint = "Click a vertex to see all its values. Point at a missing one to see who removed it.";
      this.place.replaceChildren(html("p", { class: "hint" }, hint));
      return;
    }
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.record : undefined;
    const items = film.data.vertices[v].domain.map((value) => html("li", {}, this.item(v, value)));
    const mark = film.marked[v] ? " *" : "";
    this.place.replaceChildren(html("h2", {}, film.data.vertices[v].name + mark), html("ul", {}, ...items), this.why);
    if (focused !== undefined) this.place.querySelector(`[data-record="${focused}"]`)?.focus();
  }

  item(v, value) {
    const name = this.film.data.values[value];
    if (this.film.isLeft(v, value)) return html("span", { class: "left" }, name);
    const at = this.film.remover(v, value);
    const why = `${name} is gone: ${this.film.data.records[at].text}`;
    return html("button", { class: "missing", "data-record": at, "aria-label": why }, name);
  }
}

/* After Gist: circle = branching, diamond = solution, square = failure, triangle = a failed subtree. */
const SHAPES = {
  diamond: "M0 -11L11 0L0 11L-11 0z", square: "M-9 -9h18v18h-18z", triangle: "M0 -15L18 12H-18z",
  circle: "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
};
const SHAPE_OF = { solution: "diamond", failure: "square", collapsed: "triangle" };

class Tree {
  constructor(film, place, seek) {
    Object.assign(this, { film, place, seek });
    this.collapse(false);
  }

  collapse(isSmall) {
    this.nodes = this.film.data.trees[isSmall ? 1 : 0];
    const longest = Math.max(8, ...this.nodes.map(({ edge }) => (edge || "").length));
    this.pitch = [Math.max(100, 10 + 6.8 * longest), 78];
    const at = (node) => this.at(node);
    const svg = element("svg", { role: "group", "aria-label": "Search tree. Arrow keys move, Enter goes there." });
    this.shapes = this.nodes.map((node, i) => {
      const [x, y] = at(node);
      const label = [node.edge, node.text].filter(Boolean).join(", ");
      const group = element("g", { class: `node ${node.kind}`, transform: `translate(${x} ${y})`, tabindex: -1, role: "button",
        "data-i": i, "aria-label": label }, element("title", {}, label), element("path", { class: "shape", d: SHAPES[SHAPE_OF[node.kind] || "circle"] }));
      if (node.kind === "failure") group.append(...this.why(node.text.replace("failure · ", "")));
      if (node.count !== undefined) group.append(text(node.count, 0, 5, 0, "count"));
      if (node.parent !== undefined) {
        const [px, py] = at(this.nodes[node.parent]);
        svg.append(element("path", { class: "branch", d: `M${px} ${py}L${x} ${y}` }));
        group.append(text(node.edge, 0, -24));
      }
      return group;
    });
    svg.append(...this.shapes);
    const [width, height] = [0, 1].map((axis) => Math.max(...this.nodes.map((node) => at(node)[axis])) + this.pitch[axis] / 2);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    this.place.replaceChildren(svg);
    rove(svg, this.shapes, (i) => at(this.nodes[i]), (i) => this.open(i));
    this.update();
  }

  at({ x, y }) {
    const [wide, high] = this.pitch;
    return [(x + 0.5) * wide, (y + 0.5) * high];
  }

  /* Why a node has failed, in short lines below it. */
  why(words) {
    const lines = [""];
    for (const word of words.split(" ")) {
      if (lines.at(-1) && lines.at(-1).length + word.length > 17) lines.push("");
      lines.push(`${lines.pop()} ${word}`.trim());
    }
    return lines.slice(0, 3).map((line, i) => text(i === 2 && lines.length > 3 ? `${line} …` : line, 0, 17 + 11 * i, 10, "why"));
  }

  open(i) { this.seek(this.start(this.nodes[i])); }

  /* The first stop of a node. */
  start({ first }) { return this.film.stops.revision.find((stop) => stop > first) ?? this.film.end; }

  update() {
    const record = Math.max(0, this.film.position - 1);
    const now = this.nodes.findLastIndex(({ first }) => first <= record);
    this.shapes.forEach((shape, i) => {
      const later = this.nodes[i].first > record;
      if (shape.classList.contains("later") !== later) shape.classList.toggle("later", later);
      if (shape.classList.contains("now") !== (i === now)) shape.classList.toggle("now", i === now);
    });
    const [x, y] = this.at(this.nodes[Math.max(0, now)]);
    centre(this.place, y, 0);
    this.place.scrollLeft = x - this.place.clientWidth / 2;
  }
}

/* Arrow keys among things in the plane: to the nearest one in that direction. One of them is in the tab order. */
function rove(container, items, place, open) {
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let current = 0;
  const take = (i) => {
    items[current].setAttribute("tabindex", -1);
    current = i;
    items[i].setAttribute("tabindex", 0);
  };
  take(0);
  container.addEventListener("keydown", (event) => {
    const direction = directions[event.key];
    if (event.key === "Enter" || event.key === " ") open(current);
    else if (!direction) return;
    else {
      const [x, y] = place(current), [dx, dy] = direction;
      const far = (i) => {
        const along = (place(i)[0] - x) * dx + (place(i)[1] - y) * dy;
        const across = Math.abs((place(i)[0] - x) * dy) + Math.abs((place(i)[1] - y) * dx);
        return along > 0 ? along + 3 * across : Infinity;
      };
      const next = items.map((_, i) => i).reduce((best, i) => (far(i) < far(best) ? i : best), current);
      if (next !== current) { take(next); items[next].focus(); }
    }
    event.preventDefault();
    event.stopPropagation();
  });
  container.addEventListener("click", ({ target }) => {
    const i = items.indexOf(target.closest("[tabindex]"));
    if (i >= 0) { take(i); open(i); }
  });
}
