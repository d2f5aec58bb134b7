/* The marks of the plan: what is printed around the vertices, and never moves. */

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

/* The shape of a mark; its look is its class, and the style sheet gives it colours. */
export function drawMark({ shape, look, at, text: words, size, dashed }) {
  const kind = ["mark", look, dashed ? "dashed" : ""].join(" ").trim();
  if (shape === "line") {
    const corners = at.map((ordinate, i) => (i % 2 ? `${ordinate}` : `${i ? "L" : "M"}${ordinate} `)).join("");
    return element("path", { class: kind, d: corners });
  }
  const [x, y, w, h] = at;
  if (shape === "disc") return element("circle", { class: kind, cx: x, cy: y, r: w / 2 });
  if (shape === "box") return element("rect", { class: kind, x: x - w / 2, y: y - h / 2, width: w, height: h });
  return text(words, x, y, size, kind);
}

/* How far marks reach: their ordinates across, and down. */
export function reach(marks) {
  const xs = [], ys = [];
  for (const { shape, at, size } of marks) {
    if (shape === "line") at.forEach((ordinate, i) => (i % 2 ? ys : xs).push(ordinate));
    else if (shape === "text") { xs.push(at[0] - size, at[0] + size); ys.push(at[1] - size / 2, at[1] + size / 2); }
    else { xs.push(at[0] - at[2] / 2, at[0] + at[2] / 2); ys.push(at[1] - at[3] / 2, at[1] + at[3] / 2); }
  }
  return [xs, ys];
}
