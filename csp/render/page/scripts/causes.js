/* Chains of causes: the removals that a removal or a failure follows from, back to givens and decisions.
   The records contain all that is needed: the variables that caused a removal, and the earlier removals. */

/* Return the candidates whose earlier removal a record depends on. */
export function premises(film, i) {
  const record = film.data.records[i];
  if (record.lost) return record.lost; // other places of a value, or all places of a failed value
  return (record.kind === "placed" ? [] : record.cause || []).flatMap((v) => (
    film.data.vertices[v].domain.map((value) => v * film.width + value).filter((code) => film.taker(code, i) !== undefined)
  ));
}

/* Trace removals back to their causes. `starts` are pairs of a candidate and the record before which it was removed.
   Returns a map from each record of the chain to the candidates that it removed, in order of the records. */
export function chain(film, starts) {
  const needed = new Map(), todo = [...starts];
  while (todo.length) {
    const [code, before] = todo.pop(), taker = film.taker(code, before);
    if (taker === undefined) continue;
    const isNew = !needed.has(taker);
    if (isNew) needed.set(taker, new Set());
    needed.get(taker).add(code);
    if (isNew) premises(film, taker).forEach((premise) => todo.push([premise, taker]));
  }
  return new Map([...needed].sort(([first], [second]) => first - second));
}

/* Return the starts of the chain of a found value: the removals of all other values of its vertex. */
export function valueStarts(film, v) {
  return film.data.vertices[v].domain.filter((value) => !film.isLeft(v, value)).map((value) => [v * film.width + value, film.position]);
}

/* Return the chain of the records that end at a position. */
export function chainOf(film, records, position) {
  const first = position - records.length;
  return chain(film, records.flatMap((_, i) => premises(film, first + i).map((code) => [code, first + i])));
}

/* Summarize a chain in words, such as "3 steps back to 2 givens". */
export function summarize(film, whole) {
  const steps = new Set(), leaves = { given: new Set(), decided: new Set() };
  for (const i of whole.keys()) {
    const { kind, step } = film.data.records[i];
    (leaves[kind] || steps).add(step);
  }
  const count = (set, singular, plural) => (set.size ? [`${set.size} ${set.size === 1 ? singular : plural}`] : []);
  const back = [...count(leaves.given, "given", "givens"), ...count(leaves.decided, "decision", "decisions")].join(" and ");
  const by = count(steps, "step", "steps").join("");
  return [by, back && `${by ? "back to " : ""}${back}`].filter(Boolean).join(", ") || "nothing: so it was from the start";
}
