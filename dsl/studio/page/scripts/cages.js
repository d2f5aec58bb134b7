/* Cells that are dragged over, or chosen by x, become a cage: a clause of the spec. */

/* global player */
import { made } from "./states.js";

export class Cages {
  constructor(studio) {
    Object.assign(this, { studio, chosen: new Set() });
    this.place = studio.byId("cage");
    document.addEventListener("pointerdown", (event) => this.grab(event));
    document.addEventListener("keydown", (event) => this.key(event), { capture: true });
    this.place.addEventListener("keydown", (event) => { event.stopPropagation(); if (event.key === "Escape") this.clear(); });
    this.place.addEventListener("submit", (event) => { event.preventDefault(); this.write(); });
  }

  under({ target }) {
    const group = target.closest?.("#picture .vertex");
    return group && !player.prediction.on ? Number(group.dataset.v) : null;
  }

  grab(start) {
    const first = this.under(start);
    if (first === null || start.button || start.pointerType === "touch" || player.zoom.scale > 1) return;
    const move = (event) => {
      const v = this.under(event);
      if (v === null || (v === first && this.dragged !== first)) return;
      if (this.dragged !== first) { this.dragged = first; this.chosen = new Set([first]); }
      this.chosen.add(v);
      this.draw();
    };
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

  key(event) {
    const v = this.under(event);
    if (event.key !== "x" || v === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.chosen.delete(v)) this.chosen.add(v);
    this.draw();
  }

  clear() {
    this.chosen = new Set();
    this.place.replaceChildren();
    this.draw();
  }

  draw() {
    player.picture.groups.forEach((group, v) => group.classList.toggle("picked", this.chosen.has(v)));
    const { size } = this.chosen, before = this.place.querySelector("input")?.value || "";
    this.place.hidden = size < 2;
    if (size < 2) return;
    const cancel = made("button", { type: "button" }, "cancel");
    cancel.addEventListener("click", () => this.clear());
    const sum = made("input", { inputmode: "numeric", size: 4, value: before, autocomplete: "off" });
    this.place.replaceChildren(made("label", {}, `a cage of ${size}, sum `, sum), " ", made("button", {}, "write"), " ", cancel);
  }

  /* The clauses: its values differ, and, with a sum, add up to it. */
  write() {
    const { editor } = this.studio, { vertices } = player.film.data, sum = this.place.querySelector("input").value.trim();
    if (sum && !/^\d+$/.test(sum)) return;
    const numbers = [...editor.text.matchAll(/"cage (\d+)"/g)].map(([, number]) => Number(number)), number = Math.max(0, ...numbers) + 1;
    const cells = [...this.chosen].sort((one, other) => one - other).map((v) => vertices[v].name).join(", ");
    const total = sum ? ` "total of cage ${number}": sum([${cells}]) = ${sum}.` : "";
    this.clear();
    editor.put(`${editor.text.trimEnd()}\n"cage ${number}": all_different([${cells}]).${total}\n`, false);
  }
}
