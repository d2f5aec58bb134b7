/* Edits by keys. Each function returns the new text and its selection: [text, from, to]; null if the key has its usual effect. */

import { findTokens } from "./colours.js";

const TAB = 4; // columns
const CLOSING = { "(": ")", "[": "]", "{": "}", '"': '"', "'": "'" };
const BRACKETS = "([{}])";

/* Return the offsets of the first and the last character of all selected lines. */
function findLines(text, from, to) {
  const last = from < to && text[to - 1] === "\n" ? to - 1 : to; // a line without a selected character does not count
  const start = text.lastIndexOf("\n", from - 1) + 1, end = text.indexOf("\n", last);
  return [from ? start : 0, end < 0 ? text.length : end];
}

/* Replace all selected lines, and keep the selection; without one, keep the caret at its letter. */
function replaceLines(text, from, to, change) {
  const [start, end] = findLines(text, from, to), lines = text.slice(start, end), changed = change(lines);
  const caret = Math.max(start, from + changed.length - lines.length);
  return [text.slice(0, start) + changed + text.slice(end), ...(from < to ? [start, start + changed.length] : [caret, caret])];
}

/* Indent the selected lines, or outdent them; without a selection, insert spaces up to the next stop. */
export function indent(text, from, to, isOut) {
  if (from < to || isOut) return replaceLines(text, from, to, (lines) => (isOut ? lines.replace(/^ {1,4}/gm, "") : lines.replace(/^(?=.)/gm, " ".repeat(TAB))));
  const column = [...text.slice(text.lastIndexOf("\n", from - 1) + 1, from)].length, spaces = " ".repeat(TAB - column % TAB);
  return [text.slice(0, from) + spaces + text.slice(from), from + spaces.length, from + spaces.length];
}

/* Make comments of the selected lines; if all are comments, make them text again. */
export function toggleComment(text, from, to) {
  return replaceLines(text, from, to, (lines) => {
    const written = lines.split("\n").filter((line) => line.trim());
    if (written.every((line) => /^ *%/.test(line))) return lines.replace(/^( *)% ?/gm, "$1");
    const margin = Math.min(...written.map((line) => line.search(/\S/)));
    return lines.replace(new RegExp(`^( {${margin}})(?=.*\\S)`, "gm"), "$1% ");
  });
}

/* Begin a line with the indentation of the line before; null if that has none. */
export function openLine(text, from, to) {
  const [spaces] = text.slice(text.lastIndexOf("\n", from - 1) + 1, from).match(/^ */), caret = from + 1 + spaces.length;
  return spaces && [`${text.slice(0, from)}\n${spaces}${text.slice(to)}`, caret, caret];
}

/* Type a bracket or a quote: enclose the selection, close what is opened before a space, or step over the closing one. */
export function typeBracket(text, from, to, key) {
  const [before, after] = [text[from - 1] ?? "", text[to] ?? ""], closing = CLOSING[key], isQuote = closing === key;
  const token = findTokens(text).find(([start, end, look]) => start < from && from < end + !isClosed(text, start, end) && /comment|string/.test(look));
  if (from === to && after === key && (isQuote ? token : !token && Object.values(CLOSING).includes(key))) return [text, from + 1, from + 1];
  if (!closing || (from === to && (token || !/^[\s)\]}.,:]?$/.test(after) || (isQuote && /\w/.test(before))))) return null;
  return [text.slice(0, from) + key + text.slice(from, to) + closing + text.slice(to), from + 1, to + 1];
}

/* Return whether a token ends by itself: a quote that is not closed and a comment go on behind their last character. */
function isClosed(text, start, end) { return text[start] !== "%" && end > start + 1 && text[end - 1] === text[start]; }

/* Delete both brackets or quotes of an empty pair. */
export function erasePair(text, from, to) {
  if (from !== to || !from || CLOSING[text[from - 1]] !== text[from]) return null;
  return [text.slice(0, from - 1) + text.slice(from + 1), from - 1, from - 1];
}

/* Return the spans of the bracket at a caret and of its partner; none if the caret is at no bracket. */
export function findPair(text, caret) {
  const quoted = findTokens(text).filter(([, , look]) => /comment|string/.test(look));
  const isBracket = (at) => BRACKETS.includes(text[at] || " ") && !quoted.some(([start, end]) => start <= at && at < end);
  const first = [caret, caret - 1].find(isBracket);
  if (first === undefined) return [];
  // Walk to the bracket at which as many are closed as opened.
  const way = "([{".includes(text[first]) ? 1 : -1;
  for (let at = first, depth = 0; at >= 0 && at < text.length; at += way) {
    if (!isBracket(at)) continue;
    depth += "([{".includes(text[at]) ? way : -way;
    if (!depth) return [first, at].sort((a, b) => a - b).map((place) => [place, place + 1, "pair"]);
  }
  return [];
}
