/* The matching lens: the groups at work as bipartite graphs of variables and values, with the components of Régin's
   filter. A frame surrounds what keeps its values to itself, a thick line is a pair of one matching. Nothing is matched
   here: the film tells it (MatchingData in contract.js). */

import { element, text } from "./marks.js";

const ROW = 34, GAP = 16, ACROSS = 130, NARROW = 40;

/* The components, each with its values, of which the film tells those that use theirs up; all with values to spare are one,
   the last. Where some element of a set has no value in the matching, it has too few: all that are left to it are its. */
export function components(images, owned, tight) {
  const sorted = (values) => [...new Set(values)].sort((a, b) => a - b);
  const found = tight.map((members) => [members, sorted(members.some((i) => owned[i] === undefined) ? members.flatMap((i) => images[i]) : members.map((i) => owned[i]))]);
  const inside = new Set(tight.flat()), taken = new Set(found.flatMap(([, values]) => values));
  const rest = [images.map((_, i) => i).filter((i) => !inside.has(i)), sorted(images.flat()).filter((value) => !taken.has(value))];
  return rest.some((own) => own.length) ? [...found, rest] : found;
}

/* What the film tells of the elements of a group: what is left to each, its value in the matching, and the tight sets. */
export function read([, pairs, sets], elements) {
  const images = elements.map(({ own }) => own), fails = pairs.includes("/"), owned = images.map(([value]) => value);
  const told = images.flatMap((own, i) => (fails || own.length > 1 ? [i] : [])), spare = new Set(told.flatMap((i) => images[i]));
  told.forEach((i, at) => { owned[i] = elements[i].image(elements[i].domain[pairs.charCodeAt(at) - 48]); });
  const alone = images.flatMap((_, i) => (told.includes(i) ? [] : [[i]]));
  alone.forEach(([i]) => spare.delete(owned[i]));
  const found = sets || (told.length && (fails || spare.size === told.length) ? [told] : []);
  return { images, owned, tight: [...alone, ...found].sort(([i], [j]) => i - j) };
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

  /* The groups at work in this step; where none is, the one that was last, or the first. */
  shown() {
    const { data: { records }, position } = this.film, { step } = this.film.record() || {};
    const now = this.film.window().filter((one, i, all) => one.step === step && (step || i === all.length - 1));
    const found = this.groups.filter((c) => now.some(({ constraint }) => constraint === c));
    if (found.length) return found;
    const last = records.findLast(({ constraint }, i) => i < position && this.groups.includes(constraint));
    return [last ? last.constraint : this.groups[0]];
  }

  /* What was told last of a group. */
  told(c) {
    const { data, position } = this.film, isOf = ([group]) => group === c;
    return (data.records.findLast((one, i) => i < position && one.pairs?.some(isOf)) || data).pairs.find(isOf);
  }

  update(scene) {
    this.svg.replaceChildren();
    let left = 0, low = 0;
    for (const c of this.shown()) {
      const [right, bottom] = this.draw(this.film.data.constraints[c], this.told(c), scene, left);
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
      return { name, v, image, domain: vertices[v].domain, own: film.left(v).map(image), gone: gone.map(image), named: images ? String : (value) => values[value] };
    });
  }

  draw(group, told, scene, left) {
    const all = this.elements(group, scene), wide = Math.max(60, ...all.map(({ name }) => 9 * name.length + 14));
    const named = all[0].named, every = [...new Set(all.flatMap(({ own, gone }) => [...own, ...gone]))];
    const narrow = Math.max(NARROW, ...every.map((value) => 9 * String(named(value)).length + 14)), { images, owned, tight } = read(told, all);
    const parts = components(images, owned, tight), first = left + 14 + wide / 2, last = first + wide / 2 + ACROSS + narrow / 2;
    const known = new Set(parts.flatMap(([, values]) => values)), lost = [...new Set(all.flatMap(({ gone }) => gone))].filter((value) => !known.has(value));
    if (lost.length) parts.push([[], lost]);
    const at = new Map(), drawn = [], put = (...shapes) => drawn.push(...shapes);
    let y = 0, right = last + narrow / 2 + 14;
    for (const [members, values] of parts) {
      const high = Math.max(members.length, values.length) * ROW, words = meaning(members, values, named);
      members.forEach((i, row) => at.set(`v${i}`, [first, y + (row + 0.5) * high / members.length]));
      values.forEach((value, row) => at.set(value, [last, y + (row + 0.5) * high / values.length]));
      put(element("rect", { class: words ? "component" : "component spare", x: left, y: y - 4, width: last + narrow / 2 + 14 - left, height: high + 8, rx: 10 }));
      if (words) {
        put(text(words, last + narrow / 2 + 22, y + high / 2, 13, "meaning"));
        right = Math.max(right, last + narrow / 2 + 30 + 7 * words.length);
      }
      y += high + GAP;
    }
    const line = (i, value, kind) => {
      const [x, top] = at.get(`v${i}`), [p, q] = at.get(value);
      put(element("path", { class: kind, d: `M${x + wide / 2} ${top}L${p - narrow / 2} ${q}` }));
    };
    all.forEach(({ own, gone }, i) => {
      own.forEach((value) => line(i, value, owned[i] === value ? "pair matched" : "pair"));
      gone.forEach((value) => line(i, value, "pair gone"));
    });
    const box = (x, top, w, words, kind) => element("g", { class: `vertex ${kind}`, transform: `translate(${x} ${top})` },
      element("rect", { class: "body", x: -w / 2, y: -12, width: w, height: 24, rx: 5 }), text(words, 0, 0, 15));
    all.forEach(({ name, v }, i) => put(box(...at.get(`v${i}`), wide, name, scene.causes.has(v) ? "cause" : "")));
    for (const [value, place] of at) if (typeof value === "number") put(box(...place, narrow, named(value), ""));
    put(text(group.name, (first + last) / 2, -22, 15, "fixed"));
    this.svg.append(...drawn);
    return [right, y];
  }
}
