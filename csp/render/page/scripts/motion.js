/* Motion while the film plays: what a frame removes fades out in its place, and what it adds fades in. */

export const FADE = 250; // milliseconds
const MAX_SHAPES = 400; // maximum number of shapes that fade in one frame; more would delay it
const SHAPES = ".vertex > g > *, .active-edges > *, .links > *";
const still = matchMedia("(prefers-reduced-motion: reduce)");

/* Draw the next frame of a picture and fade its changes, unless the reader prefers reduced motion. */
export function fadeInto({ svg }, draw) {
  if (still.matches) { draw(); return; }
  const places = new Map([...svg.querySelectorAll(SHAPES)].map((shape) => [shape, shape.parentNode]));
  draw();
  const removed = [...places.keys()].filter((shape) => !shape.isConnected), added = [...svg.querySelectorAll(SHAPES)].filter((shape) => !places.has(shape));
  if (removed.length + added.length > MAX_SHAPES) return;
  // A removed shape returns until it has faded.
  for (const shape of removed) {
    places.get(shape).append(shape);
    shape.animate({ opacity: [1, 0] }, FADE).finished.then(() => shape.remove());
  }
  added.forEach((shape) => shape.animate({ opacity: [0, 1] }, FADE));
}
