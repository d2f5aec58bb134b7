/* Chains of causes: the removals that a removal or a failure follows from, back to givens and decisions.
   Everything is in the records: whose values were the reason, and who had taken what from whom by then. */

/* The candidates whose absence a record needed. */
export function premises(film, i) {
  const record = film.data.records[i];
  if (record.lost) return record.lost; // the other places of a value, or all that an empty line had
  return (record.kind === "placed" ? [] : record.cause || []).flatMap((v) => (
    film.data.vertices[v].domain.map((value) => v * film.width + value).filter((code) => film.taker(code, i) !== undefined)
  ));
}

/* From candidates that were gone before a record, back: for each record, the candidates for which it is needed. */
export function chain(film, starts) {
  const needed = new Map(), todo = [...starts];
  while (todo.length) {
    const [code, before] = todo.pop(), taker = film.taker(code, before);
    if (taker === undefined) continue;
    const isNew = !needed.has(taker);
    if (isNew) needed.set(taker, new Set());
    needed.get(taker).add(code);
    if (isNew) premises(film, taker).forEach((one) => todo.push([one, taker]));
  }
  return new Map([...needed].sort(([one], [other]) => one - other));
}

/* Where the chain of a value that was found begins: all others are gone. */
export function found(film, v) {
  return film.data.vertices[v].domain.filter((value) => !film.isLeft(v, value)).map((value) => [v * film.width + value, film.position]);
}

/* The chain behind what is seen at a position: what its records follow from. */
export function chainOf(film, records, position) {
  const first = position - records.length;
  return chain(film, records.flatMap((_, i) => premises(film, first + i).map((code) => [code, first + i])));
}

/* How a chain is summed up. */
export function told(film, whole) {
  const steps = new Set(), leaves = { given: new Set(), decided: new Set() };
  for (const i of whole.keys()) {
    const { kind, step } = film.data.records[i];
    (leaves[kind] || steps).add(step);
  }
  const count = (set, one, many) => (set.size ? [`${set.size} ${set.size === 1 ? one : many}`] : []);
  const back = [...count(leaves.given, "given", "givens"), ...count(leaves.decided, "decision", "decisions")].join(" and ");
  const by = count(steps, "step", "steps").join("");
  return [by, back && `${by ? "back to " : ""}${back}`].filter(Boolean).join(", ") || "nothing: so it was from the start";
}
