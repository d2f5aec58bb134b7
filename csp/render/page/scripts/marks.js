/* Create SVG elements of shapes: lines, boxes, discs and texts (ShapeData in contract.js). The look of a shape is its
   class, and the style sheet defines the colours. */

const SVG = "http://www.w3.org/2000/svg";

/* Create an SVG element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/* Create a text around a point. */
export function text(content, x, y, size, kind = "") {
  return element("text", { x, y, class: kind, ...(size ? { "font-size": size } : {}) }, content);
}

/* Create the element of a shape; `kind` is an additional class. */
export function drawMark([shape, look, at, size, words, , fill], kind = "") {
  const common = { class: `${kind} ${look}`.trim(), ...(fill ? { fill } : {}) };
  if (shape === "line") return element("path", { ...common, d: at });
  const [x, y, w, h] = at;
  if (shape === "text") return text(words, x, y, size, common.class);
  if (shape === "disc") return element("circle", { ...common, cx: x, cy: y, r: w / 2 });
  return element("rect", { ...common, x: x - w / 2, y: y - h / 2, width: w, height: h, rx: size || 0 });
}

/* Draw shapes in a group and reuse the elements of equal shapes, because creating elements is the slowest part of a step. */
export function drawMarks(place, marks, kind = "") {
  const before = place.marks || new Map(), now = new Map();
  for (const mark of marks) {
    let key = JSON.stringify(mark);
    while (now.has(key)) key += " "; // an equal shape is drawn twice
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
