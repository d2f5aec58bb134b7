/* Choose the shapes of its form that a vertex shows, with the same rules as csp/picture/vertex.py. */

const FILL = "paint fill", BESIDE = 4, FEW = 2, SHADES = 4, PLACED = new Set(["left", "gone", "only"]);

/* Return whether a form shows each remaining value in its place. */
const isSpelt = ({ style }, { length }) => style === "digits" || (style === "bitmap" && length > 2);

/* Return whether a value of a form that counts removed values without a drawing has none. */
const isUndrawn = ({ single: { gone: [variants, letters] }, values }, value) => (
  !variants[letters ? letters.charCodeAt(values.indexOf(value)) - 48 : 0].length);

/* Return the names of the parts of the form that summarise the remaining and the removed values. */
function chooseDomainParts(form, left, gone, names, isWhole) {
  const after = gone.length ? ", gone" : "", { length } = left;
  if (form.kind === "row" || form.kind === "column" || (length === 1 && !after)) return [];
  if (form.kind === "cell" && form.style === "size" && isWhole) return [];
  if (!length && !after) return ["none"];
  if (isSpelt(form, left)) return form.whole.less && gone.some((value) => isUndrawn(form, value)) ? [left.some((value) => isUndrawn(form, value)) ? "less" : "no blank"] : [];
  const pair = names.join(" ").length > BESIDE ? "pair" : "two", isRamp = form.kind === "cell" && form.style === "size";
  const few = `list ${length}` in form.whole ? `list ${length}` : { 0: "none", 1: "", 2: pair }[length], short = few ?? (isRamp && !after ? "" : "many");
  return [
    ...(isRamp && length ? ["ramp"] : []), ...(short ? [short + after] : []),
    ...(after ? [gone.length <= FEW ? "few" : "more"] : []),
  ];
}

/* Return the values that are drawn one by one, each after the name of its part of the form. */
function chooseValueParts(form, left, gone, givenValue, isPencil) {
  const isLine = form.kind === "row" || form.kind === "column";
  if (!isLine && left.length === 1 && !gone.length && !(isPencil && form.style === "digits")) return [["last", left[0]]];
  if (!isLine && !isSpelt(form, left)) return left.length === 1 ? [["lone", left[0]]] : [];
  const part = (value) => (left.length === 1 || value === givenValue ? "only" : "left");
  return form.values.flatMap((value) => (gone.includes(value) ? [["gone", value]] : left.includes(value) ? [[part(value), value]] : []));
}

/* Return the shapes of a value, moved to its place. */
function moveValueShapes({ single, places, values }, { piece, given }, key, i, name) {
  const [variants, letters] = single[key];
  const [x, y] = PLACED.has(key) ? places[i] : [0, 0];
  return variants[letters ? letters.charCodeAt(i) - 48 : 0].map(([shape, look, at, size, words, ...rest]) => [
    shape, given !== undefined ? look.replace(/(fixed )?found( only)?/, "fixed") : look,
    shape === "line" ? `M${x} ${y}${at}` : [at[0] + x, at[1] + y, ...at.slice(2)],
    size, words === "{v}" ? piece || name(values[i]) : words, ...rest]);
}

/* Return all shapes of a vertex except its body. */
export function chooseShapes(form, vertex, all, gone, isMarked, name, isPencil = false) {
  const isWhole = all.length > 1 && all.length === vertex.domain.length && !gone.length, givenValue = isWhole ? vertex.given : undefined;
  const left = givenValue !== undefined && form.kind === "cell" ? [givenValue] : all;
  // Fill the texts of the form with the values.
  const names = left.map(name), [a, b] = names;
  const words = { u: form.whole.less && gone.filter((value) => isUndrawn(form, value)).length, n: left.length, g: gone.length, gone: gone.map(name).join(" "), a, b, ...Object.fromEntries(names.map((text, i) => [`v${i}`, text])) };
  const withText = (shape, text) => { const copy = [...shape]; copy[4] = text; return copy; };
  // The fewer values remain, the darker is the cell, as in csp/picture/vertex.py.
  const size = vertex.domain.length, depth = [1, 2, 3].filter((power) => left.length ** SHADES <= size ** power).length;
  const fill = (shape) => (shape[1] === "ramp" ? shape.with(1, `ramp ramp-${depth}`) : shape[4] ? withText(shape, shape[4].replace(/\{(\w+)\}/g, (_, key) => words[key])) : shape);
  const shapes = [
    ...form.whole.head || [], ...(vertex.label ? form.whole.name.map((shape) => withText(shape, vertex.label)) : []),
    ...chooseDomainParts(form, left, gone, names, isWhole).flatMap((key) => form.whole[key].map(fill)),
    ...chooseValueParts(form, left, gone, givenValue, isPencil).flatMap(([key, value]) => moveValueShapes(form, vertex, key, form.values.indexOf(value), name)),
    ...(isMarked ? form.whole.star : []),
  ];
  return shapes.sort((first, second) => (second[1] === FILL) - (first[1] === FILL)); // a fill is behind the name
}
