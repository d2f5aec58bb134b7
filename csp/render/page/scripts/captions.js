/* The captions of pictures: of one step, of several, and of values with one place left. */

import { decodeLetter } from "./film.js";
import { listSigned, describeRepeated, describeUnseen } from "./helpers.js";

const MAX_NAMED = 4, MAX_LONG = 90; // as in csp/picture/scene.py: variables of a group without a line, and letters about last places
const MAX_PART = 150; // as in csp/trace/captions.py: letters of causes
const KIND_LINE = / \([^()]*line \d+\)$/; // as in csp/board/wording.py: the line at the end of a kind's name
const MAX_KINDS = 36; // as in csp/board/wording.py: letters of the names or kinds of constraints
const countWords = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/* Return the captions of the present records; for several steps, one line with the numbers of steps and values. */
export function writeCaption(film) {
  const records = film.getVisibleRecords();
  if (!records.length) return [`${film.opening} · ${film.data.vertices.length} variables${film.noteHelpers([...film.data.vertices.keys()])}`];
  if (film.isOneStep(records)) return writeStepCaptions(film, records);
  const all = records.flatMap(({ gone }) => gone || []), signed = listSigned(film, all), removed = signed.length;
  if (records[0].kind === "given") {
    const vertices = new Set(signed.map((code) => Math.floor(code / film.width)));
    const marked = [...film.marked.keys()].filter((v) => film.marked[v]);
    const what = removed ? `${countWords(removed, "value")} removed from ${countWords(vertices.size, "variable")}` : "no value removed in the picture";
    return [`the givens · ${what} · marked ${marked.length}${film.noteHelpers(marked)}`];
  }
  const { round, kind, text: decision } = film.data.records[film.position - records.length - 1] || {};
  const steps = [...new Set(records.map(({ step }) => step).filter(Boolean))];
  const which = steps.length > 1 ? `steps ${steps[0]} to ${steps.at(-1)}` : `step ${steps[0]}`;
  // A round and the propagators after it have the names of their pictures by ``csp draw``.
  const { rules } = records.at(-1), name = kind === "decision" ? `${decision} · ` : rules ? `rules ${rules} · ` : round ? `round ${round} · ` : "";
  const repeated = describeRepeated(film, all), isUnseen = !removed && !repeated;
  const places = writeLastPlaces(film, records), names = writeActed(film, records), start = !names || names.length + places.length > MAX_LONG ? "removed" : `${names} removed`;
  const what = isUnseen ? "no value removed in the picture" : removed ? `${start} ${countWords(removed, "value")}${repeated && `, and ${repeated} (not drawn)`}` : `nothing new: removed ${repeated}`;
  return [`${name}${steps.length ? [which, what, ...(places ? [places] : [])].join(" · ") : "no change"}`];
}

/* Return the notes below a caption: how to begin, and the variables that lost values without a sign. */
export function writeNotes(film, { gone, isOneStep }) {
  if (film.position) return [describeUnseen(film, [...gone], isOneStep)].filter(Boolean);
  return film.end ? ["Press → for the first step."] : [];
}

/* Write the captions of the records of one step: a line with their common cause, then a line for each constraint. A single
   record keeps its caption, and so do records whose captions have another form. */
function writeStepCaptions(film, records) {
  const parts = records.map(({ text, constraint }) => {
    const match = /^(step \d+) · ([\s\S]*?)(?:, which)? removes ([\s\S]*) · (marked \d+.*)$/.exec(text);
    const name = constraint === undefined ? "decision" : film.data.constraints[constraint].name; // a long implied name ends before "from"
    const place = match?.[2].startsWith(name) ? name : name.split(" from ")[0];
    const at = match?.[2].startsWith(place) ? `${match[2]} `.indexOf(": ", place.length) : -1;
    return at < 0 ? [] : [match[1], match[2].slice(0, at), match[2].slice(at + 2).replace(/,$/, ""), match[3], match[4]];
  });
  if (records.length === 1 || parts.some((part) => !part.length)) return records.map(({ text }) => text);
  // Write the common cause first, then what each constraint removes.
  const texts = [...new Set(parts.map(([, , cause]) => cause))].filter(Boolean).join(" · "), all = new Set(records.flatMap(({ cause }) => cause || []));
  const causes = texts.length > MAX_PART ? countWords(all.size, "cause") : texts;
  return [[parts[0][0], ...(causes ? [causes] : []), parts.at(-1)[4]].join(" · "), ...parts.map(([, place, cause, gone]) => `${place}${cause ? "" : " alone"}: ${gone}`)];
}

/* Return the names of the constraints that removed values with a sign; of more constraints their kinds, each with its
   number, and without lines if these are too long. The result is empty if a decision or a given also did. */
function writeActed(film, records) {
  const { constraints, kinds, kind_of: kindOf } = film.data, actors = new Map();
  records.forEach((record) => (record.gone || []).forEach((code) => { if (!actors.has(code)) actors.set(code, records.indexOf(record)); }));
  // A value that a cell lost with its place was removed by the constraint that acted first.
  const signed = listSigned(film, records.flatMap(({ gone }) => gone || [])), first = (code) => Math.min(...[code, ...film.listPlaces(code)].map((part) => actors.get(part) ?? Infinity));
  const numbers = signed.map(first).filter(Number.isFinite).map((i) => records[i].constraint);
  const acted = [...new Set(numbers)].sort((a, b) => a - b);
  if (acted.includes(undefined)) return "";
  const own = acted.map((number) => kinds[decodeLetter(kindOf, number)]);
  const count = (names) => [...new Set(names)].map((name) => { const { length } = names.filter((other) => other === name); return length > 1 ? `${name} ×${length}` : name; });
  const texts = [acted.map((number) => constraints[number].name), count(own), count(own.map((kind) => kind.replace(KIND_LINE, "")))];
  return texts.map((parts) => parts.join(", ")).find(({ length }) => length <= MAX_KINDS) ?? countWords(acted.length, "constraint");
}

/* Return the part of the caption of a round about values with one place left, by group. */
function writeLastPlaces(film, records) {
  const groups = [...film.findLastPlaces(records)], lit = groups.filter(([, { isLit }]) => isLit), others = groups.filter(([, { isLit }]) => !isLit);
  const { constraints, vertices, values, forms } = film.data, count = others.reduce((sum, [, { numbers }]) => sum + numbers.length, 0);
  const listNames = (scope) => (scope.length > MAX_NAMED ? "in a group" : `among ${scope.map((v) => vertices[v].name).join(", ")}`);
  const listValues = (numbers) => [...new Set(numbers)].sort((a, b) => a - b).map((i) => values[i] ?? i).join(", ");
  // A group without a line in the spec is described by its variables. The cells of a board show where a value is; other
  // variables are named.
  const drawn = [...vertices.keys()].filter((v) => film.isDrawn(v)), isBoard = drawn.every((v) => forms[vertices[v].form].kind === "cell");
  const listPlaces = (numbers, places) => [...numbers.keys()].sort((a, b) => numbers[a] - numbers[b]).map((k) => `${values[numbers[k]] ?? numbers[k]} fits only ${vertices[places[k]].name}`).join(", ");
  const writeValues = ({ numbers, places }) => (isBoard || !places.every((v) => film.isDrawn(v)) ? listValues(numbers) : listPlaces(numbers, places));
  const writeGroup = ({ line, name, scope }, group) => (line ? `${writeValues(group)} in ${name}` : `${listPlaces(group.numbers, group.places)} ${listNames(scope)}`);
  const write = (shown) => shown.map(([c, group]) => writeGroup(constraints[c], group)).join("; ");
  if (!groups.length) return "";
  if (lit.length) return `only one place left: ${write(lit)}${count ? `, and for ${countWords(count, "more value")}` : ""}`;
  const text = `only one place left: ${write(others)}`;
  return text.length <= MAX_LONG ? text : `${countWords(count, "value")} have only one place left`;
}
