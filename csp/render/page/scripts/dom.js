/* Helpers for the page: creating elements, scrolling panels, and moving among elements with the arrow keys. */

/* Create an HTML element with attributes and children. */
export function createHtml(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const heights = new WeakMap(), moves = new Map();

/* Return the height of a panel from a cache, because reading it forces a layout. */
export function getHeight(place) {
  if (!heights.has(place)) {
    heights.set(place, place.clientHeight);
    new ResizeObserver(() => heights.set(place, place.clientHeight)).observe(place);
  }
  return heights.get(place);
}

/* Scroll a panel so that a line is in its middle; the page itself does not scroll. The panel moves with the next frame,
   because a layout between the changes of one step would cost more than the changes, and because the step may change
   the height of the panel. Returns the approximate new scroll position. */
export function scrollToMiddle(scroll, top, height) {
  const to = (high) => Math.max(0, top - (high - height) / 2);
  if (!moves.size) {
    requestAnimationFrame(() => {
      const tops = [...moves].map(([place, where]) => [place, where(place.clientHeight)]);
      tops.forEach(([place, where]) => { place.scrollTop = where; });
      moves.clear();
    });
  }
  moves.set(scroll, to);
  return to(getHeight(scroll));
}

/* Return the index of the nearest place in a direction, or the current index if there is none. */
export function findNearest(places, current, [dx, dy]) {
  const [x, y] = places[current];
  const distance = (i) => {
    const along = (places[i][0] - x) * dx + (places[i][1] - y) * dy;
    const across = Math.abs((places[i][0] - x) * dy) + Math.abs((places[i][1] - y) * dx);
    return along > 0 ? along + 3 * across : Infinity;
  };
  return places.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), current);
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/* Let arrow keys move the focus among items in the plane; Enter, space and a click open an item. Only the current item is
   in the tab order. `place` returns the position of an item. */
export function rove(container, items, place, open) {
  roveAmong(container, items.map((_, i) => i), { place, open, get: (i) => items[i], find: ({ target }) => items.indexOf(target.closest("[tabindex]")) });
}

/* Let arrow keys move among items as `rove` does, but by index: `get` returns the element of an item, and may create it;
   `find` returns the item of a click, or -1. */
export function roveAmong(container, indices, { place, open, get, find }) {
  let current = 0;
  const setCurrent = (i) => {
    get(current).setAttribute("tabindex", -1);
    current = i;
    get(i).setAttribute("tabindex", 0);
  };
  if (indices.length) setCurrent(0);
  container.addEventListener("keydown", (event) => {
    const direction = DIRECTIONS[event.key], focused = find(event);
    if (focused >= 0) setCurrent(focused); // a script may have moved the focus
    if (event.key === "Enter" || event.key === " ") open(current);
    else if (!direction) return;
    else {
      const next = findNearest(indices.map(place), current, direction);
      if (next !== current) { setCurrent(next); get(next).focus(); }
    }
    event.preventDefault();
    event.stopPropagation();
  });
  container.addEventListener("click", (event) => {
    const i = find(event);
    if (i >= 0) { setCurrent(i); open(i, event); }
  });
}
