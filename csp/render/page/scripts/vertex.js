/* Which marks of its form a vertex shows, as csp/picture/vertex.py chooses them; where they are, is in the form. */

const BESIDE = 4, FEW = 2, PLACED = new Set(["left", "gone", "only"]);

const isSpelt = ({ style }, { length }) => style === "digits" || (style === "bitmap" && length > 2);

/* The parts that stand for many values. */
function chosen(form, left, gone, names, isWhole) {
  const after = gone.length ? ", gone" : "", { length } = left;
  if (form.kind === "row" || form.kind === "column" || (length === 1 && !after)) return [];
  if (form.kind === "cell" && form.style === "size" && isWhole) return [];
  if (!length && !after) return ["none"];
  if (isSpelt(form, left)) return [];
  const pair = names.join(" ").length > BESIDE ? "pair" : "two";
  return [
    ...(form.kind === "cell" && form.style === "size" ? ["ramp"] : []),
    ...(length === 1 ? [] : [({ 0: "none", 2: pair }[length] || "many") + after]),
    ...(after ? [gone.length <= FEW ? "few" : "more"] : []),
  ];
}

/* The values that have marks of their own, and which. */
function said(form, left, gone, told, isPencil) {
  const isLine = form.kind === "row" || form.kind === "column";
  if (!isLine && left.length === 1 && !gone.length && !(isPencil && form.style === "digits")) return [["last", left[0]]];
  if (!isLine && !isSpelt(form, left)) return left.length === 1 ? [["lone", left[0]]] : [];
  const own = (value) => (left.length === 1 || value === told ? "only" : "left");
  return form.values.flatMap((value) => (gone.includes(value) ? [["gone", value]] : left.includes(value) ? [[own(value), value]] : []));
}

/* The marks of a value, in its place. */
function own({ said, places, values }, { piece, given }, key, i, name) {
  const [alike, letters] = said[key];
  const [x, y] = PLACED.has(key) ? places[i] : [0, 0];
  return alike[letters ? letters.charCodeAt(i) - 48 : 0].map(([shape, look, at, size, words, ...rest]) => [
    shape, given !== undefined ? look.replace(/(fixed )?found/, "fixed") : look,
    shape === "line" ? `M${x} ${y}${at}` : [at[0] + x, at[1] + y, ...at.slice(2)],
    size, words === "{v}" ? piece || name(values[i]) : words, ...rest]);
}

/* All marks of a vertex but its body. */
export function inside(form, vertex, all, gone, isMarked, name, isPencil = false) {
  const isWhole = all.length > 1 && all.length === vertex.domain.length && !gone.length, told = isWhole ? vertex.given : undefined;
  const left = told !== undefined && form.kind === "cell" ? [told] : all;
  const names = left.map(name), [a, b] = names;
  const words = { n: left.length, g: gone.length, gone: gone.map(name).join(" "), a, b };
  const put = (mark, text) => { const made = [...mark]; made[4] = text; return made; };
  const fill = (mark) => (mark[4] ? put(mark, mark[4].replace(/\{(\w+)\}/g, (_, key) => words[key])) : mark);
  return [
    ...form.whole.head || [], ...(vertex.label ? form.whole.name.map((mark) => put(mark, vertex.label)) : []),
    ...chosen(form, left, gone, names, isWhole).flatMap((key) => form.whole[key].map(fill)),
    ...said(form, left, gone, told, isPencil).flatMap(([key, value]) => own(form, vertex, key, form.values.indexOf(value), name)),
    ...(isMarked ? form.whole.star : []),
  ];
}
