/* Keyboard commands: a key runs its command unless the focused element uses the key itself. */

import { createSvg } from "./shapes.js";

const SCROLLS = ["Arrow", "Home", "End", "Page"];

/* Return whether the focused element uses a key itself. */
export function usesKey(target, key) {
  if (target.matches("select")) return key !== "Escape";
  if (key === " " || key === "Enter") return target.matches("button, summary");
  return SCROLLS.some((start) => key.startsWith(start)) && target.matches("input, #queue, #source, #log, .words, #inspector");
}

/* A listener that runs the command of a pressed key; `commands` has the commands by the names of keys. */
export class Keyboard {
  constructor(commands, signal) {
    this.commands = commands;
    document.addEventListener("keydown", (event) => this.handleKey(event), { signal });
  }

  /* Run the command of a key, with -1 if shift is pressed, else 1. */
  handleKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key, command = this.commands[name];
    if (!command || usesKey(event.target, event.key)) return;
    event.preventDefault();
    command(event.shiftKey ? -1 : 1);
  }
}

/* Draw a ring around the focused element of a drawing, on top of all others. */
export function addFocusRing(svg) {
  const shape = svg.appendChild(createSvg("rect", { class: "focus", "vector-effect": "non-scaling-stroke", rx: 4 }));
  const hide = () => shape.setAttribute("visibility", "hidden");
  svg.addEventListener("focusin", ({ target }) => {
    if (!target.matches(":focus-visible")) return;
    const { x, y, width, height } = target.firstElementChild.matches("title") ? target.children[1].getBBox() : target.firstElementChild.getBBox();
    for (const [name, value] of Object.entries({ x: x - 4, y: y - 4, width: width + 8, height: height + 8 })) shape.setAttribute(name, value);
    shape.setAttribute("transform", target.getAttribute("transform") || "");
    shape.setAttribute("visibility", "visible");
  });
  svg.addEventListener("focusout", hide);
  hide();
}
