/* Draw the text of the editor: coloured tokens, and wavy lines under diagnostics. */

const { keywords, functions } = JSON.parse(document.getElementById("vocabulary").textContent);
const WORDS = new Set([...keywords, ...functions]);
const TOKEN = /(%[^\n]*)|("(?:[^"]|"")*"?|'[^'\n]*'?)|([A-Z_]\w*)|([a-z]\w*)|(\d+)/g;

/* Return the coloured tokens of a text: start, end and class. */
export function findTokens(text) {
  const tokens = [];
  for (const match of text.matchAll(TOKEN)) {
    const [word, comment, string, variable, name] = match;
    let look = "number";
    if (comment) look = "comment";
    else if (string) look = "string";
    else if (variable) look = "variable";
    else if (name) look = WORDS.has(name) ? "word" : "";
    if (look) tokens.push([match.index, match.index + word.length, look]);
  }
  return tokens;
}

/* Draw a text. `marks` are the underlined parts: start, end and severity, in order and without overlaps. */
export function drawText(place, text, marks) {
  const cuts = new Set([0, text.length]), looks = findTokens(text);
  // Cut the text at each start and end of a token or an underline.
  for (const [start, end] of [...looks, ...marks]) cuts.add(start).add(end);
  const ends = [...cuts].sort((a, b) => a - b), parts = [];
  // Wrap each part by the token and the underline that contain it.
  let look = 0, mark = 0;
  for (let i = 1; i < ends.length; i += 1) {
    const [start, end] = [ends[i - 1], ends[i]];
    while (look < looks.length && looks[look][1] <= start) look += 1;
    while (mark < marks.length && marks[mark][1] <= start) mark += 1;
    const isInside = (span) => span && span[0] <= start && end <= span[1];
    let part = document.createTextNode(text.slice(start, end));
    if (isInside(looks[look])) part = wrap("span", looks[look][2], part);
    if (isInside(marks[mark])) part = wrap("u", marks[mark][2], part);
    parts.push(part);
  }
  place.replaceChildren(...parts, "\n");
}

/* Create an element with a class around a node. */
function wrap(name, look, inner) {
  const element = document.createElement(name);
  element.className = look;
  element.append(inner);
  return element;
}
