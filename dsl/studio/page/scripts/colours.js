/* Colours and squiggles of a text. */

const { keywords, functions } = JSON.parse(document.getElementById("vocabulary").textContent);
const WORDS = new Set([...keywords, ...functions]);
const TOKEN = /(%[^\n]*)|("(?:[^"]|"")*"?|'[^'\n]*'?)|([A-Z_]\w*)|([a-z]\w*)|(\d+)/g;

/* The pieces of a text with their classes. */
export function pieces(text) {
  const found = [];
  for (const match of text.matchAll(TOKEN)) {
    const [word, comment, string, variable, name] = match;
    let look = "number";
    if (comment) look = "comment";
    else if (string) look = "string";
    else if (variable) look = "variable";
    else if (name) look = WORDS.has(name) ? "word" : "";
    if (look) found.push([match.index, match.index + word.length, look]);
  }
  return found;
}

/* Draw a text: `marks` are [start, end, severity], in their order and apart. */
export function colour(place, text, marks) {
  const cuts = new Set([0, text.length]), looks = pieces(text);
  for (const [start, end] of [...looks, ...marks]) cuts.add(start).add(end);
  const ends = [...cuts].sort((a, b) => a - b), parts = [];
  let look = 0, mark = 0;
  for (let i = 1; i < ends.length; i += 1) {
    const [start, end] = [ends[i - 1], ends[i]];
    while (look < looks.length && looks[look][1] <= start) look += 1;
    while (mark < marks.length && marks[mark][1] <= start) mark += 1;
    const inside = (one) => one && one[0] <= start && end <= one[1];
    let part = document.createTextNode(text.slice(start, end));
    if (inside(looks[look])) part = wrapped("span", looks[look][2], part);
    if (inside(marks[mark])) part = wrapped("u", marks[mark][2], part);
    parts.push(part);
  }
  place.replaceChildren(...parts, "\n");
}

function wrapped(name, look, inner) {
  const made = document.createElement(name);
  made.className = look;
  made.append(inner);
  return made;
}
