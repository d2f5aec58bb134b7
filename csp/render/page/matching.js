/* The matching lens: the groups at work as bipartite graphs of variables and values, with the components of Régin's
   filter. A frame surrounds what keeps its values to itself, a thick line is a pair of one matching. */

import { element, text } from "./marks.js";

const ROW = 34, GAP = 16, ACROSS = 130, NARROW = 40;

/* As many elements as can be, each with a value of its own, by paths that exchange values: element by value. */
export function matched(images) {
  const owner = new Map();
  const place = (i, tried) => images[i].some((value) => {
    if (tried.has(value)) return false;
    tried.add(value);
    if (owner.has(value) && !place(owner.get(value), tried)) return false;
    owner.set(value, i);
    return true;
  });
  const left = images.map((_, i) => i).filter((i) => !place(i, new Set()));
  return { owner, left };
}

/* The strongly connected components of the graph that a matching directs, each with its values; those with values to
   spare are one, the last. Without a matching: the elements that have too few values between them, and the rest. */
export function components(images) {
  const { owner, left } = matched(images), values = [...new Set(images.flat())].sort((a, b) => a - b), count = images.length;
  const next = images.map((own) => own.map((value) => (owner.has(value) ? owner.get(value) : count)));
  next.push(images.map((_, i) => i)); // one who has a value to spare leads to all
  const reach = (starts) => {
    const seen = new Set(starts), todo = [...starts];
    while (todo.length) for (const i of next[todo.pop()]) if (!seen.has(i)) { seen.add(i); todo.push(i); }
    return seen;
  };
  const rest = (inside, taken) => [images.map((_, i) => i).filter((i) => !inside.has(i)), values.filter((value) => !taken.has(value))];
  if (left.length) {
    const members = [...reach(left)].sort((a, b) => a - b), taken = new Set(members.flatMap((i) => images[i]));
    const others = rest(new Set(members), taken);
    return [[members, [...taken].sort((a, b) => a - b)], ...(others[0].length || others[1].length ? [others] : [])];
  }
  const found = [], inside = new Set(), taken = new Set(), from = images.map((_, i) => reach([i]));
  for (let i = 0; i < count; i++) {
    if (inside.has(i) || from[i].has(count)) continue;
    const members = images.map((_, j) => j).filter((j) => from[i].has(j) && from[j].has(i));
    const own = values.filter((value) => members.includes(owner.get(value)));
    members.forEach((j) => inside.add(j));
    own.forEach((value) => taken.add(value));
    found.push([members, own]);
  }
  const others = rest(inside, taken);
  return others[0].length || others[1].length ? [...found, others] : found;
}

/* What a component says. */
export function meaning(members, values, name) {
  const listed = values.map(name).join(", ");
  if (!values.length) return "no value left";
  if (members.length > values.length) return `${members.length} for ${values.length} values: ${listed}`;
  if (!members.length || members.length < values.length) return "";
  return members.length > 1 ? `use up ${listed}` : `has ${listed}`;
}

export class Matching {
  constructor(film, svg) {
    Object.assign(this, { film, svg });
    this.groups = film.data.constraints.map((one, c) => (one.apart && one.apart.length > 1 ? c : -1)).filter((c) => c >= 0);
  }

  /* The groups at work; where none is, the one that was last, or the first. */
  shown(scene) {
    const now = this.groups.filter((c) => scene.constraints.has(c));
    if (now.length) return now;
    const { data: { records }, position } = this.film;
    const last = records.findLast(({ constraint }, i) => i < position && this.groups.includes(constraint));
    return [last ? last.constraint : this.groups[0]];
  }

  update(scene) {
    this.svg.replaceChildren();
    let left = 0, low = 0;
    for (const c of this.shown(scene)) {
      const [right, bottom] = this.draw(this.film.data.constraints[c], scene, left);
      left = right + 40;
      low = Math.max(low, bottom);
    }
    this.svg.setAttribute("viewBox", `-12 -34 ${Math.round(left)} ${Math.round(low + 40)}`);
  }

  /* The elements of a group: their names, their vertices, and what is left to them and is just going, as images. */
  elements({ apart }, scene) {
    const { film } = this, { vertices, values } = film.data;
    return apart.map((one) => {
      const [name, v, images] = Array.isArray(one) ? one : [vertices[one].name, one, null];
      const image = (value) => (images ? images[vertices[v].domain.indexOf(value)] : value);
      const gone = vertices[v].domain.filter((value) => scene.gone.has(v * film.width + value));
      return { name, v, own: film.left(v).map(image), gone: gone.map(image), named: images ? String : (value) => values[value] };
    });
  }

  draw(group, scene, left) {
    const all = this.elements(group, scene), wide = Math.max(60, ...all.map(({ name }) => 9 * name.length + 14));
    const named = all[0].named, images = all.map(({ own }) => own), { owner } = matched(images);
    const parts = components(images), first = left + 14 + wide / 2, last = first + wide / 2 + ACROSS + NARROW / 2;
    const known = new Set(parts.flatMap(([, values]) => values)), lost = [...new Set(all.flatMap(({ gone }) => gone))].filter((value) => !known.has(value));
    if (lost.length) parts.push([[], lost]);
    const at = new Map(), drawn = [], put = (...shapes) => drawn.push(...shapes);
    let y = 0, right = last + NARROW / 2 + 14;
    for (const [members, values] of parts) {
      const high = Math.max(members.length, values.length) * ROW, words = meaning(members, values, named);
      members.forEach((i, row) => at.set(`v${i}`, [first, y + (row + 0.5) * high / members.length]));
      values.forEach((value, row) => at.set(value, [last, y + (row + 0.5) * high / values.length]));
      put(element("rect", { class: words ? "component" : "component spare", x: left, y: y - 4, width: last + NARROW / 2 + 14 - left, height: high + 8, rx: 10 }));
      if (words) {
        const told = text(words, last + NARROW / 2 + 22, y + high / 2, 13, "meaning");
        put(told);
        right = Math.max(right, last + NARROW / 2 + 30 + 7 * words.length);
      }
      y += high + GAP;
    }
    const line = (i, value, kind) => {
      const [x, top] = at.get(`v${i}`), [p, q] = at.get(value);
      put(element("path", { class: kind, d: `M${x + wide / 2} ${top}L${p - NARROW / 2} ${q}` }));
    };
    all.forEach(({ own, gone }, i) => {
      own.forEach((value) => line(i, value, owner.get(value) === i ? "pair matched" : "pair"));
      gone.forEach((value) => line(i, value, "pair gone"));
    });
    const box = (x, top, w, words, kind) => element("g", { class: `vertex ${kind}`, transform: `translate(${x} ${top})` },
      element("rect", { class: "body", x: -w / 2, y: -12, width: w, height: 24, rx: 5 }), text(words, 0, 0, 15));
    all.forEach(({ name, v }, i) => put(box(...at.get(`v${i}`), wide, name, scene.causes.has(v) ? "cause" : "")));
    for (const [value, place] of at) if (typeof value === "number") put(box(...place, NARROW, named(value), ""));
    put(text(group.name, (first + last) / 2, -22, 15, "fixed"));
    this.svg.append(...drawn);
    return [right, y];
  }
}
