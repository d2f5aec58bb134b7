/* Marks: lines, boxes, discs and texts (ShapeData in contract.js). Their look is their class, and the style sheet gives it
   colours. Nothing is placed here. */

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function text(content, x, y, size, kind = "") {
  return element("text", { x, y, class: kind, ...(size ? { "font-size": size } : {}) }, content);
}

export function drawMark([shape, look, at, size, words, , fill], kind = "") {
  const known = { class: `${kind} ${look}`.trim(), ...(fill ? { fill } : {}) };
  if (shape === "line") return element("path", { ...known, d: at });
  const [x, y, w, h] = at;
  if (shape === "text") return text(words, x, y, size, known.class);
  if (shape === "disc") return element("circle", { ...known, cx: x, cy: y, r: w / 2 });
  return element("rect", { ...known, x: x - w / 2, y: y - h / 2, width: w, height: h, rx: size || 0 });
}

/* Draw marks in a place; those that are there already stay, for making elements is what a step takes longest for. */
export function drawMarks(place, marks, kind = "") {
  const before = place.marks || new Map(), now = new Map();
  for (const mark of marks) {
    let key = JSON.stringify(mark);
    while (now.has(key)) key += " "; // the same once more
    now.set(key, before.get(key) || drawMark(mark, kind));
  }
  before.forEach((shape, key) => { if (!now.has(key)) shape.remove(); });
  let next = place.firstChild;
  for (const shape of now.values()) {
    if (shape === next) next = next.nextSibling;
    else place.insertBefore(shape, next);
  }
  place.marks = now;
}
