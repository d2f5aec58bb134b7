/* Reasons in the picture: the removal of the value under the pointer, and its chain of causes. */

import { traceCauses, findStarts } from "./causes.js";
import { createHtml } from "./dom.js";
import { createSvg, createText } from "./shapes.js";

/* The drawing of a chain of causes: each value has a ring and its name, vertices have the numbers of their steps, and all
   other vertices are dimmed. */
export class Causes {
  constructor(film, picture) {
    Object.assign(this, { film, picture });
    this.layer = picture.svg.appendChild(createSvg("g", { class: "because", "aria-hidden": "true" }));
  }

  /* Draw a chain, or remove it if it is empty. */
  highlight(chain) {
    const { film, picture } = this;
    // Collect for each vertex its values in the chain, with the kind and the step of their removal.
    const valuesOf = new Map(), steps = new Map();
    for (const [i, codes] of chain) {
      const { kind, step } = film.data.records[i];
      if (kind !== "given" && !steps.has(step)) steps.set(step, steps.size + 1);
      for (const code of codes) {
        const v = Math.floor(code / film.width);
        if (!valuesOf.has(v)) valuesOf.set(v, []);
        valuesOf.get(v).push([code % film.width, kind, steps.get(step)]);
      }
    }
    // Draw rings and numbers, and dim the other vertices.
    this.layer.replaceChildren(...[...valuesOf].flatMap(([v, gone]) => [...this.createRings(v, gone), ...this.createNumber(v, gone)]));
    const { scene } = picture, isShown = (v) => valuesOf.has(v) || scene.active.has(v) || scene.causes.has(v) || scene.failed.has(v);
    picture.svg.classList.toggle("tracing", valuesOf.size > 0);
    picture.groups.forEach((group, v) => {
      if (group.classList.contains("in-chain") !== (valuesOf.size > 0 && isShown(v))) group.classList.toggle("in-chain", valuesOf.size > 0 && isShown(v));
    });
  }

  /* Create the number of a vertex in a chain: the number of its last step; none if givens removed its values. */
  createNumber(v, gone) {
    const { x, y } = this.film.data.vertices[v], [wide, high] = this.picture.getForm(v).size;
    const last = Math.max(...gone.map(([, , step]) => step ?? 0)), at = [x - wide / 2 + 7, y - high / 2 + 5];
    if (!last) return [];
    return [createSvg("rect", { class: "order", x: at[0] - 8, y: at[1] - 7, width: 16, height: 14, rx: 7 }), createText(last, at[0], at[1], 11, "order")];
  }

  /* Create a ring for each value, or one around the vertex if the chain has all its values or all but one. */
  createRings(v, gone) {
    const { picture } = this, vertex = this.film.data.vertices[v], ring = (x, y, wide, high, kind, extra = "") => createSvg("rect", {
      class: extra + ({ given: "given", decided: "decided" }[kind] || ""), x: vertex.x + x - wide / 2, y: vertex.y + y - high / 2, width: wide, height: high, rx: 4 });
    if (gone.length > 1 && gone.length >= vertex.domain.length - 1) {
      const [wide, high] = picture.getForm(v).size, kinds = gone.map(([, kind]) => kind);
      return [ring(0, 0, wide - 8, high - 8, kinds.find((kind) => kind === "given" || kind === "decided"))];
    }
    return gone.map(([value, kind]) => {
      const [x, y, wide, high] = picture.getPlace(v, value);
      const name = createText(this.film.data.values[value], vertex.x + x, vertex.y + y, Math.min(13, high), "missed");
      return [ring(x, y, wide - 3, high - 3, kind, "value "), ...(picture.getForm(v).style === "digits" ? [name] : [])];
    }).flat();
  }
}

/* A tooltip with the reason of the removed or found value under the pointer, or at the last tap of a finger. */
export class Reasons {
  constructor(film, picture, tip, light) {
    Object.assign(this, { film, picture, tip, light });
    picture.svg.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") this.explainAt(event); });
    picture.svg.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.hide(); });
    picture.svg.addEventListener("pointerup", (event) => { if (event.pointerType === "touch") this.explainAt(event, true); });
  }

  /* Hide the tooltip and its chain. */
  hide() {
    if (this.tip.hidden) return;
    this.tip.hidden = true;
    this.light(new Map());
  }

  /* Explain the value or vertex at the position of an event. */
  explainAt(event, touched = false) {
    const { film, picture, tip } = this, group = event.target.closest(".vertex");
    const v = group && Number(group.dataset.v), code = group && this.findRemoved(v, event), by = group ? film.findSettler(v) : undefined;
    const isGone = code !== null && code !== undefined;
    const words = isGone ? this.writeRemoved(code) : group && by !== undefined ? this.writeFound(v, by) : group && (touched || this.isDense(v)) ? this.writeRemaining(v) : "";
    if (!words) { this.hide(); return; }
    const state = `${v} ${words} ${film.position}`;
    if (tip.hidden || this.state !== state) {
      this.state = state;
      tip.hidden = false;
      tip.replaceChildren(words, ...(this.isDense(v) && !isGone && by === undefined ? [this.createLoupe(v)] : []));
      const start = isGone ? [[code, film.position]] : by === undefined ? [] : findStarts(film, v);
      this.light(start.length ? traceCauses(film, start) : new Map());
    }
    this.placeTip(v);
  }

  /* Place the tooltip beside a vertex, where it covers the fewest highlighted vertices. */
  placeTip(v) {
    const { picture, tip } = this, box = picture.svg.parentElement.getBoundingClientRect(), vertex = picture.groups[v].getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = tip, middle = [vertex.left + vertex.width / 2 - box.left, vertex.top + vertex.height / 2 - box.top];
    const lit = [...picture.svg.querySelectorAll(".vertex.in-chain, .vertex.active")].map((group) => group.getBoundingClientRect());
    // Try places below, above, right and left of the vertex, then the corners of the stage.
    const places = [
      [middle[0] - wide / 2, vertex.bottom - box.top + 6], [middle[0] - wide / 2, vertex.top - box.top - high - 6],
      [vertex.right - box.left + 6, middle[1] - high / 2], [vertex.left - box.left - wide - 6, middle[1] - high / 2],
      ...[0, box.width - wide].flatMap((x) => [[x, 0], [x, box.height - high]]),
    ].map(([x, y]) => [Math.max(0, Math.min(x, box.width - wide)), Math.max(0, Math.min(y, box.height - high))]);
    /* The vertex itself counts three times, so that the tooltip covers it last. */
    const covers = ([x, y]) => [...lit, vertex, vertex, vertex].filter(({ left, right, top, bottom }) => (
      left - box.left < x + wide && right - box.left > x && top - box.top < y + high && bottom - box.top > y)).length;
    const [left, top] = places.reduce((best, place) => (covers(place) < covers(best) ? place : best));
    Object.assign(tip.style, { left: `${left}px`, top: `${top}px` });
  }

  /* Return whether a vertex is a cell too small to spell out its values. */
  isDense(v) {
    const { kind, style } = this.picture.getForm(v);
    return kind === "cell" && style !== "digits";
  }

  /* Write the remaining values of a vertex, or their number in a dense one. */
  writeRemaining(v) {
    const { film } = this, { name } = film.data.vertices[v], left = film.getRemaining(v);
    if (this.isDense(v)) return `${name}: ${left.length ? `${left.length} left` : "no value left"}`;
    return `${name}: ${left.map((value) => film.data.values[value]).join(" ") || "no value left"}`;
  }

  /* Create an enlarged view of a vertex: its remaining values, and the values that are removed now. */
  createLoupe(v) {
    const { film, picture: { scene } } = this, { domain } = film.data.vertices[v];
    return createHtml("span", { class: "loupe", style: `grid-template-columns: repeat(${Math.ceil(Math.sqrt(domain.length))}, 1fr)` }, ...domain.map((value) => {
      const isGone = scene.gone.has(v * film.width + value), name = film.data.values[value];
      return isGone ? createHtml("del", {}, name) : createHtml("span", {}, film.isRemaining(v, value) ? name : "·");
    }));
  }

  /* Write the value of a vertex with the reason of the record that found it. */
  writeFound(v, by) {
    const { film } = this, [value] = film.getRemaining(v);
    return `${film.data.vertices[v].name} = ${film.data.values[value]}: ${shorten(film.data.records[by].text)}`;
  }

  /* Return the removed candidate whose place is under the pointer, else null. */
  findRemoved(v, { clientX, clientY }) {
    if (this.isDense(v)) return null;
    const value = this.picture.findValue(v, clientX, clientY);
    const code = v * this.film.width + value;
    return value === null || this.film.isRemaining(v, value) || this.film.findRemover(code) === undefined ? null : code;
  }

  /* Write the reason of the removal of a candidate. */
  writeRemoved(code) {
    const { film } = this, vertex = film.data.vertices[Math.floor(code / film.width)];
    return `${film.data.values[code % film.width]} is missing from ${vertex.name}: ${shorten(film.data.records[film.findRemover(code)].text)}`;
  }
}

/* Shorten a caption to its reason, without the removed values. */
export function shorten(caption) {
  return caption.replace(/(?:,? (?:which )?(?:removes|rules out|finds)|, so a line is at|: a line is at) .*$/, "").replace(/:$/, "");
}
