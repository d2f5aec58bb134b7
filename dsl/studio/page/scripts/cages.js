/* Cages: write a clause for cells that the user drags over, or chooses by the key x. */

/* global player */
import { create, placeBox } from "./states.js";

/* The chosen cells, and the form that asks for their sum. */
export class Cages {
  constructor(studio) {
    Object.assign(this, { studio, chosen: new Set() });
    this.place = studio.byId("cage");
    document.addEventListener("pointerdown", (event) => this.startDrag(event));
    document.addEventListener("keydown", (event) => this.handleKey(event), { capture: true });
    this.place.addEventListener("keydown", (event) => { event.stopPropagation(); if (event.key === "Escape") this.clear(); });
    this.place.addEventListener("submit", (event) => { event.preventDefault(); this.write(); });
  }

  /* Return the vertex under the pointer; null for none, and in predict mode. */
  findVertex({ target }) {
    const group = target.closest?.("#picture .vertex");
    return group && !player.prediction.isOn ? Number(group.dataset.v) : null;
  }

  /* Choose the cells under the pointer until it is released; a drag begins when the pointer leaves its first cell. */
  startDrag(start) {
    const first = this.findVertex(start);
    if (first === null || start.button || start.pointerType === "touch" || player.zoom.scale > 1) return;
    // A drag begins when the pointer enters a second cell.
    const move = (event) => {
      const v = this.findVertex(event);
      if (v === null || (v === first && this.dragged !== first)) return;
      if (this.dragged !== first) { this.dragged = first; this.chosen = new Set([first]); }
      this.chosen.add(v);
      this.draw();
    };
    // After a drag, swallow the click and ask for the sum.
    const drop = () => {
      document.removeEventListener("pointermove", move);
      if (this.dragged !== first) return;
      this.dragged = null;
      window.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
      setTimeout(() => this.place.querySelector("input")?.focus());
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", drop, { once: true });
  }

  /* Choose the focused cell by the key x, or undo that. */
  handleKey(event) {
    const v = this.findVertex(event);
    if (event.key !== "x" || v === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.chosen.delete(v)) this.chosen.add(v);
    this.draw();
  }

  /* Choose no cells. */
  clear() {
    this.chosen = new Set();
    this.place.replaceChildren();
    this.draw();
  }

  /* Mark the chosen cells, and show the form for two or more. */
  draw() {
    player.picture.groups.forEach((group, v) => group.classList.toggle("picked", this.chosen.has(v)));
    const { size } = this.chosen, before = this.place.querySelector("input")?.value || "";
    this.place.hidden = size < 2;
    if (size < 2) return;
    const cancel = create("button", { type: "button" }, "cancel");
    cancel.addEventListener("click", () => this.clear());
    const sum = create("input", { inputmode: "numeric", size: 4, value: before, autocomplete: "off" });
    this.place.replaceChildren(create("label", {}, `a cage of ${size}, sum `, sum), " ", create("button", {}, "write"), " ", cancel);
    placeBox(this.place, player.picture.groups[[...this.chosen].at(-1)]);
  }

  /* Write the clauses of the cage into the spec: its values differ and, if a sum is entered, add up to it. */
  write() {
    const { editor } = this.studio, { vertices } = player.film.data, sum = this.place.querySelector("input").value.trim();
    if (sum && !/^\d+$/.test(sum)) return;
    const numbers = [...editor.text.matchAll(/"cage (\d+)"/g)].map(([, number]) => Number(number)), number = Math.max(0, ...numbers) + 1;
    const cells = [...this.chosen].sort((v, w) => v - w).map((v) => vertices[v].name).join(", ");
    const total = sum ? ` "total of cage ${number}": sum([${cells}]) = ${sum}.` : "";
    this.clear();
    editor.put(`${editor.text.trimEnd()}\n"cage ${number}": all_different([${cells}]).${total}\n`, false);
  }
}
