/* Reasons and causes in the picture: who removed a value, where the pointer or a finger is, and the chain behind it. */

import { chain } from "./causes.js";
import { element } from "./marks.js";

/* The values of a chain, each ringed in its place; the nearest causes thick. */
export class Causes {
  constructor(film, picture) {
    Object.assign(this, { film, picture });
    this.layer = picture.svg.appendChild(element("g", { class: "because", "aria-hidden": "true" }));
  }

  light(whole) {
    const { film, picture } = this;
    const of = new Map(); // from a vertex to its candidates in the chain, with what took them
    for (const [i, codes] of whole) {
      for (const code of codes) {
        const v = Math.floor(code / film.width);
        if (!of.has(v)) of.set(v, []);
        of.get(v).push([code % film.width, film.data.records[i].kind]);
      }
    }
    this.layer.replaceChildren(...[...of].flatMap(([v, gone]) => this.rings(v, gone)));
  }

  /* A ring for each value, or one around the vertex where they are all but the last. */
  rings(v, gone) {
    const { picture } = this, vertex = this.film.data.vertices[v], ring = (x, y, wide, high, kind) => element("rect", {
      class: { given: "given", decided: "decided" }[kind] || "", x: vertex.x + x - wide / 2, y: vertex.y + y - high / 2, width: wide, height: high, rx: 4 });
    if (gone.length > 1 && gone.length >= vertex.domain.length - 1) {
      const [wide, high] = picture.form(v).size, kinds = gone.map(([, kind]) => kind);
      return [ring(0, 0, wide - 8, high - 8, kinds.find((kind) => kind === "given" || kind === "decided"))];
    }
    return gone.map(([value, kind]) => {
      const [x, y, wide, high] = picture.room(v, value);
      return ring(x, y, wide - 3, high - 3, kind);
    });
  }
}

/* Who removed it, where the pointer is; a finger that taps is answered the same way, until it taps elsewhere. */
export class Reasons {
  constructor(film, picture, tip, light) {
    Object.assign(this, { film, picture, tip, light });
    picture.svg.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") this.point(event); });
    picture.svg.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.hide(); });
    picture.svg.addEventListener("pointerup", (event) => { if (event.pointerType === "touch") this.point(event, true); });
  }

  hide() {
    if (this.tip.hidden) return;
    this.tip.hidden = true;
    this.light(new Map());
  }

  point(event, touched = false) {
    const { film, picture, tip } = this, group = event.target.closest(".vertex");
    const v = group && Number(group.dataset.v), code = group && this.missing(v, event);
    const words = code !== null && code !== undefined ? this.words(code) : group && (touched || this.isDense(v)) ? this.left(v) : "";
    if (!words) { this.hide(); return; }
    if (tip.hidden || tip.textContent !== words) {
      tip.hidden = false;
      tip.textContent = words;
      this.light(code === null || code === undefined ? new Map() : chain(film, [[code, film.position]]));
    }
    const box = picture.svg.parentElement.getBoundingClientRect(), own = group.getBoundingClientRect();
    const below = own.bottom - box.top + 6, above = own.top - box.top - tip.offsetHeight - 6;
    const left = own.left + own.width / 2 - box.left - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(0, Math.min(left, box.width - tip.offsetWidth))}px`;
    tip.style.top = `${below + tip.offsetHeight > box.height && above > 0 ? above : below}px`;
  }

  isDense(v) { return this.picture.form(v).style === "size"; }

  left(v) {
    const { film } = this, { name } = film.data.vertices[v];
    return `${name}: ${film.left(v).map((value) => film.data.values[value]).join(" ") || "no value left"}`;
  }

  /* The candidate whose hole is under the pointer. */
  missing(v, { clientX, clientY }) {
    if (this.isDense(v)) return null;
    const value = this.picture.valueAt(v, clientX, clientY);
    return value === null || this.film.isLeft(v, value) ? null : v * this.film.width + value;
  }

  words(code) {
    const { film } = this, vertex = film.data.vertices[Math.floor(code / film.width)];
    return `${film.data.values[code % film.width]} is missing from ${vertex.name}: ${short(film.data.records[film.taker(code)].text)}`;
  }
}

/* The reason of a caption, without all that it removes. */
export function short(caption) {
  return caption.replace(/,? (?:which )?removes .*$/, "").replace(/:$/, "");
}
