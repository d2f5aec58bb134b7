/* Small help with the page: making elements, scrolling a panel, moving among things with the arrow keys. */

export function html(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const heights = new WeakMap(), moves = new Map();

/* How high a panel is, without asking for a layout each time. */
export function heightOf(place) {
  if (!heights.has(place)) {
    heights.set(place, place.clientHeight);
    new ResizeObserver(() => heights.set(place, place.clientHeight)).observe(place);
  }
  return heights.get(place);
}

/* Scroll so that a line stands in the middle; only its own panel moves, never the page. It moves with the next frame,
   for a layout between the changes of one step would cost more than they do, and a panel is as high by then as the step
   leaves it. Returns about where it moves to. */
export function centre(scroll, top, height) {
  const to = (high) => Math.max(0, top - (high - height) / 2);
  if (!moves.size) {
    requestAnimationFrame(() => {
      const tops = [...moves].map(([place, where]) => [place, where(place.clientHeight)]);
      tops.forEach(([place, where]) => { place.scrollTop = where; });
      moves.clear();
    });
  }
  moves.set(scroll, to);
  return to(heightOf(scroll));
}

/* The nearest of some places in a direction, or the one itself where there is none. */
export function nearest(places, current, [dx, dy]) {
  const [x, y] = places[current];
  const far = (i) => {
    const along = (places[i][0] - x) * dx + (places[i][1] - y) * dy;
    const across = Math.abs((places[i][0] - x) * dy) + Math.abs((places[i][1] - y) * dx);
    return along > 0 ? along + 3 * across : Infinity;
  };
  return places.reduce((best, _, i) => (far(i) < far(best) ? i : best), current);
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/* Arrow keys among things in the plane. One of them is in the tab order. */
export function rove(container, items, place, open) {
  let current = 0;
  const take = (i) => {
    items[current].setAttribute("tabindex", -1);
    current = i;
    items[i].setAttribute("tabindex", 0);
  };
  if (items.length) take(0);
  container.addEventListener("keydown", (event) => {
    const direction = DIRECTIONS[event.key];
    if (event.key === "Enter" || event.key === " ") open(current);
    else if (!direction) return;
    else {
      const next = nearest(items.map((_, i) => place(i)), current, direction);
      if (next !== current) { take(next); items[next].focus(); }
    }
    event.preventDefault();
    event.stopPropagation();
  });
  container.addEventListener("click", (event) => {
    const i = items.indexOf(event.target.closest("[tabindex]"));
    if (i >= 0) { take(i); open(i, event); }
  });
}
