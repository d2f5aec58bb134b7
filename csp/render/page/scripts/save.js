/* Save the present picture as a file, with its styles inside and its caption below. */

import { createSvg } from "./shapes.js";

const SIDE = 1600; // pixels of the longer side of a PNG

/* Return the style sheet of pictures (picture.css) with the present values of its colours. */
function readRules() {
  const colours = getComputedStyle(document.documentElement);
  return document.getElementById("look").textContent.replace(/:where\(main, ?\.menu\) svg/g, "svg")
    .replace(/var\((--[a-z-]+)\)/g, (_, name) => colours.getPropertyValue(name).trim());
}

/* Wrap lines at spaces to a maximum number of letters. */
export function wrapLines(lines, limit) {
  return lines.flatMap((line) => {
    const wrapped = [""];
    for (const word of line.split(" ")) {
      if (wrapped.at(-1) && wrapped.at(-1).length + word.length >= limit) wrapped.push("");
      wrapped.push(`${wrapped.pop()} ${word}`.trim());
    }
    return wrapped;
  });
}

/* Return an SVG document of a picture and its caption. */
export function writeSvg(svg, caption) {
  const [x, y, wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
  const size = Math.max(12, wide / 48), lines = wrapLines(caption, Math.floor(wide / size / 0.52));
  const tall = Math.ceil(high + size * (1.4 * lines.length + 1)), copy = svg.cloneNode(true);
  // Copy the picture without its interactive parts, and add styles, a background and the caption.
  const colours = getComputedStyle(document.documentElement);
  const [paper, ink] = ["--paper", "--ink"].map((name) => colours.getPropertyValue(name).trim());
  copy.querySelectorAll("[tabindex], .focus").forEach((node) => (node.matches(".focus") ? node.remove() : node.removeAttribute("tabindex")));
  const words = lines.map((line, i) => createSvg("text", {
    x: x + size / 2, y: y + high + size * (1.4 * i + 1.2), "font-size": size, fill: ink, style: "text-anchor: start" }, line));
  copy.prepend(createSvg("style", {}, readRules()), createSvg("rect", { x, y, width: wide, height: tall, fill: paper }));
  copy.append(...words);
  copy.removeAttribute("style");
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: wide, height: tall, viewBox: [x, y, wide, tall].join(" ") })) {
    copy.setAttribute(name, value);
  }
  return new XMLSerializer().serializeToString(copy);
}

/* Let the browser download data as a file. */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/* Download a picture and its caption as SVG. */
export function saveSvg(svg, caption, name) {
  download(`${name}.svg`, new Blob([writeSvg(svg, caption)], { type: "image/svg+xml" }));
}

/* Download a picture and its caption as PNG. */
export function savePng(svg, caption, name) {
  const picture = new Image();
  picture.onload = () => {
    const scale = SIDE / Math.max(picture.width, picture.height), canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width * scale, picture.height * scale].map(Math.round);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(`${name}.png`, blob));
  };
  picture.src = `data:image/svg+xml,${encodeURIComponent(writeSvg(svg, caption))}`;
}
