/* The lists of values that vertices and the tuples of helpers allow each other, with the same rules as
   csp/board/drawn/tuples.py. */

const findParts = ({ data: { helpers }, width }, v) => (helpers?.[v]?.needs || []).flat().map((need) => Math.floor(need / width));

/* Return a map from each vertex to the helpers of which it is a part of the tuples. */
export function indexTuples(film) {
  const found = new Map();
  for (const [v, { number }] of Object.entries(film.data.helpers || {})) {
    if (!number) new Set(findParts(film, v)).forEach((part) => found.set(part, [...found.get(part) || [], Number(v)]));
  }
  return found;
}

/* Return the values that a vertex lists, if the candidates remain for which a function returns true. */
export function listAllowed(film, v, remains) {
  const left = film.data.vertices[v].domain.filter((value) => remains(v * film.width + value));
  if (film.data.helpers?.[v]?.tabled) return left.filter((value) => film.listNeeds(v * film.width + value).every(remains));
  const allowed = (film.tuples.get(v) || []).reduce((values, helper) => {
    const parts = new Set(listAllowed(film, helper, remains).flatMap((value) => film.listNeeds(helper * film.width + value)));
    return parts.size ? values.filter((value) => parts.has(v * film.width + value)) : values;
  }, left);
  return allowed.length ? allowed : left;
}

/* Return the vertices whose lists a change of a vertex can change. */
export const listJoined = (film, v) => [v, ...film.tuples.get(v) || []].flatMap((helper) => [helper, ...findParts(film, helper)]);

/* Return the candidates that lists of tuples lost by removals, except the removed ones. */
export function listLost(film, removed) {
  if (!film.tuples.size) return [];
  const affected = new Set([...removed].flatMap((code) => listJoined(film, Math.floor(code / film.width))));
  const remains = (code) => film.alive[code], remained = (code) => remains(code) || removed.has(code);
  return [...affected].flatMap((v) => {
    const after = listAllowed(film, v, remains);
    return listAllowed(film, v, remained).filter((value) => !after.includes(value)).map((value) => v * film.width + value);
  }).filter((code) => !removed.has(code));
}
