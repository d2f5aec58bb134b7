/* Brushing: pointing at a line of the spec, a vertex, a queue entry, a line of the log or a node of the tree highlights
   the related elements in all panels. Two clauses of the spec can be pinned, each with its own pattern. */

const BRUSHED = ["picture", "caption", "queue", "source", "log", "tree"];
const pinned = []; // the lines of at most two clauses; they stay pinned in the next film

/* Set a class on the elements for which a test holds, and remove it from the others. */
function toggleClass(elements, name, isRelated) {
  [...elements].forEach((element, i) => {
    const isLit = isRelated(element.dataset, i);
    if (element.classList.contains(name) !== isLit) element.classList.toggle(name, isLit);
  });
}

/* The controller of highlighting and pins across all panels of a player. */
export class Brush {
  constructor(player) {
    Object.assign(this, { player, film: player.film, queue: player.byId("queue") });
    this.related = this.findRelated({});
    for (const place of BRUSHED.map((id) => player.byId(id))) {
      place.addEventListener("pointerover", ({ target }) => this.highlightTarget(target));
      place.addEventListener("focusin", ({ target }) => { if (target.matches(":focus-visible")) this.highlightTarget(target); });
      for (const kind of ["pointerleave", "focusout"]) place.addEventListener(kind, () => this.highlightTarget(null));
    }
    const source = player.byId("source");
    source.addEventListener("click", ({ target }) => { if (target.dataset.lines) this.pin([target.dataset.lines]); });
    source.addEventListener("keydown", (event) => this.handleKey(event));
    this.updatePins();
  }

  /* Highlight everything related to the element under the pointer; null for none. */
  highlightTarget(target) {
    const { lines, ...data } = target?.closest("[data-v], [data-vertex], [data-constraint], [data-lines], [data-at], [data-i]")?.dataset || {};
    this.highlight({ ...data, lines: lines ? [lines] : [] });
  }

  /* Move among the lines of the spec with the up and down keys, and pin the focused line with Enter. */
  handleKey(event) {
    const rows = [...event.currentTarget.querySelectorAll("[data-lines]")], at = rows.indexOf(event.target), way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Enter" && at >= 0) this.pin([rows[at].dataset.lines]);
    else if (way) rows[Math.max(0, Math.min(rows.length - 1, at + way))].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /* Highlight everything related to a vertex, a constraint, lines, a record or a tree node. */
  highlight(what) {
    const key = JSON.stringify(what);
    if (key === this.key) return;
    this.key = key;
    this.related = this.findRelated(what);
    this.draw();
  }

  /* Pin the lines of a clause, or unpin them if they are pinned; a third pin replaces the oldest. */
  pin(lines) {
    const at = pinned.findIndex(([first]) => first === lines[0]);
    if (at >= 0) pinned.splice(at, 1);
    else if (pinned.push(lines) > 2) pinned.shift();
    this.updatePins();
  }

  /* Adapt the pins to an edited spec; `shift` returns the new number of a line, 0 for a deleted one. */
  movePins(shift) {
    pinned.forEach((lines, i) => { pinned[i] = lines.map((line) => (/^\d+$/.test(line) ? String(shift(Number(line))) : line)).filter((line) => line !== "0"); });
    pinned.splice(0, 2, ...pinned.filter((lines) => lines.length));
    this.draw();
  }

  /* Remove all pins. */
  unpin() {
    pinned.length = 0;
    this.updatePins();
  }

  /* Compute the elements related to the pinned lines again, and draw. */
  updatePins() {
    this.pins = [0, 1].map((i) => this.findRelated({ lines: pinned[i] }));
    this.draw();
  }

  /* Return the vertices, constraints, records and lines of the spec that an element is related to.
     The element is a vertex, a constraint, lines of the spec, the position `at` of a record, or the tree node `i`. */
  findRelated({ v, vertex = v, constraint, lines = [], at, i }) {
    const { film, player: { source, tree } } = this, { data } = film, all = (numbers) => new Set(numbers);
    const findChanged = ({ gone }) => (gone || []).map((code) => Math.floor(code / film.width));
    // Start from a record or a tree node, from a vertex, or from constraints.
    let vertices = all(), constraints = all(), records = all();
    if (at || i) {
      records = all(at ? [Number(at) - 1] : tree.getRecords(Number(i)));
      vertices = all([...records].flatMap((record) => findChanged(data.records[record] || {})));
      constraints = all(at && data.records[at - 1]?.constraint !== undefined ? [data.records[at - 1].constraint] : []);
    } else if (vertex) {
      vertices = all([Number(vertex)]);
      constraints = all([...data.constraints.keys()].filter((c) => data.constraints[c].scope.includes(Number(vertex))));
      records = all([...data.records.keys()].filter((record) => findChanged(data.records[record]).includes(Number(vertex))));
    } else {
      constraints = all(constraint ? [Number(constraint)] : [...data.constraints.keys()].filter((c) => source.findLines(c).some((line) => lines.includes(String(line)))));
      vertices = all([...constraints].flatMap((c) => data.constraints[c].scope));
      records = all([...data.records.keys()].filter((record) => data.records[record].kind !== "dequeued" && constraints.has(data.records[record].constraint)));
    }
    return { vertices, constraints, records, lines: all(lines.length ? lines : [...constraints].flatMap((c) => source.findLines(c)).map(String)) };
  }

  /* Highlight the related elements and the pins in all panels, and report them to the page. */
  draw() {
    const { player: { picture, source, log, tree }, queue, related, pins } = this;
    [["related", related], ["first-pin", pins[0]], ["second-pin", pins[1]]].forEach(([name, { vertices, constraints, records, lines }]) => {
      const nodes = tree?.findNodes(records);
      toggleClass(picture.groups, name, (_, v) => vertices.has(v));
      toggleClass(queue.children, name, ({ vertex, constraint }) => vertices.has(Number(vertex)) || constraints.has(Number(constraint)));
      toggleClass(source.list.children, name, (data) => lines.has(data.lines));
      toggleClass(log.list.children, name, ({ at }) => records.has(Number(at) - 1));
      if (tree) toggleClass(tree.shapes.values(), name, ({ i }) => nodes.has(Number(i)));
    });
    document.dispatchEvent(new CustomEvent("brush", { detail: { related: related.lines, pins: pinned } }));
  }
}
