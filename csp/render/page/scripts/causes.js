/* Chains of causes: the removals that a removal or a failure follows from, back to givens and decisions.
   The records contain everything that is needed: the variables that caused a removal, and the earlier removals. */

/* Return the candidates whose earlier removal a record depends on. */
export function findPremises(film, i) {
  const record = film.data.records[i];
  if (record.lost) return record.lost; // other places of a value, or all places of a failed value
  return (record.kind === "placed" ? [] : record.cause || []).flatMap((v) => (
    film.data.vertices[v].domain.map((value) => v * film.width + value).filter((code) => film.findRemover(code, i) !== undefined)
  ));
}

/* Trace removals back to their causes. `starts` are pairs of a candidate and the record before which it was removed.
   Returns a map from each record of the chain to the candidates that it removed, in order of the records. */
export function traceCauses(film, starts) {
  // Follow each removal to its premises, once for each record.
  const records = new Map(), pending = [...starts];
  while (pending.length) {
    const [code, before] = pending.pop(), remover = film.findRemover(code, before);
    if (remover === undefined) continue;
    const isNew = !records.has(remover);
    if (isNew) records.set(remover, new Set());
    records.get(remover).add(code);
    if (isNew) findPremises(film, remover).forEach((premise) => pending.push([premise, remover]));
  }
  return new Map([...records].sort(([first], [second]) => first - second));
}

/* Return the starts of the chain of a found value, for `traceCauses`: the removals of all other values of its vertex. */
export function findStarts(film, v) {
  return film.data.vertices[v].domain.filter((value) => !film.isRemaining(v, value)).map((value) => [v * film.width + value, film.position]);
}

/* Return the chain of causes of consecutive records, the last of which is at a position. */
export function traceRecords(film, records, position) {
  const first = position - records.length;
  return traceCauses(film, records.flatMap((_, i) => findPremises(film, first + i).map((code) => [code, first + i])));
}

/* Summarize a chain in words, such as "3 steps and 2 givens". */
export function summarize(film, whole) {
  const steps = new Set(), leaves = { given: new Set(), decided: new Set() };
  for (const i of whole.keys()) {
    const { kind, step } = film.data.records[i];
    (leaves[kind] || steps).add(step);
  }
  const count = (set, singular, plural) => (set.size ? [`${set.size} ${set.size === 1 ? singular : plural}`] : []);
  const back = [...count(leaves.given, "given", "givens"), ...count(leaves.decided, "decision", "decisions")].join(" and ");
  const by = count(steps, "step", "steps").join("");
  return [by, back].filter(Boolean).join(" and ") || "nothing: it holds from the start";
}
