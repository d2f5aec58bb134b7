/* Create SVG elements of shapes: lines, boxes, discs and texts (ShapeData in contract.js). The look of a shape is its
   class, and the style sheet defines the colours. */

const SVG = "http://www.w3.org/2000/svg";

/* Create an SVG element with attributes and children. */
export function createSvg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/* Create a text around a point. */
export function createText(content, x, y, size, kind = "") {
  return createSvg("text", { x, y, class: kind, ...(size ? { "font-size": size } : {}) }, content);
}

/* Create the element of a shape; `kind` is an additional class. */
export function drawShape([shape, look, at, size, words, , fill], kind = "") {
  const common = { class: `${kind} ${look}`.trim(), ...(fill ? { fill } : {}) };
  if (shape === "line") return createSvg("path", { ...common, d: at });
  const [x, y, w, h] = at;
  if (shape === "text") return createText(words, x, y, size, common.class);
  if (shape === "disc") return createSvg("circle", { ...common, cx: x, cy: y, r: w / 2 });
  return createSvg("rect", { ...common, x: x - w / 2, y: y - h / 2, width: w, height: h, rx: size || 0 });
}

/* Draw shapes in a group and reuse the elements of equal shapes, because creating elements is the slowest part of a step. */
export function drawShapes(place, shapes, kind = "") {
  const before = place.shapes || new Map(), now = new Map();
  for (const shape of shapes) {
    let key = JSON.stringify(shape);
    while (now.has(key)) key += " "; // an equal shape is drawn twice
    now.set(key, before.get(key) || drawShape(shape, kind));
  }
  // Remove the elements of shapes that are gone, and put the others into order.
  before.forEach((node, key) => { if (!now.has(key)) node.remove(); });
  let next = place.firstChild;
  for (const node of now.values()) {
    if (node === next) next = next.nextSibling;
    else place.insertBefore(node, next);
  }
  place.shapes = now;
}
