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

/* Return a text with an s for each letter of a string, and without comments; its lines stay. */
export function blankWords(text) {
  return text.replace(TOKEN, (word, comment, string) => (comment ? "" : string ? word.replace(/.+|^$/gm, "s") : word));
}

/* Draw a text. Each layer has the name of an element and its spans: start, end and class, in order and without overlaps. */
export function drawText(place, text, layers) {
  const cuts = new Set([0, text.length]), next = layers.map(() => 0), parts = [];
  // Cut the text at each start and end of a span.
  for (const [, spans] of layers) for (const [start, end] of spans) cuts.add(start).add(end);
  const ends = [...cuts].sort((a, b) => a - b);
  // Wrap each part by the spans that contain it.
  for (let i = 1; i < ends.length; i += 1) {
    const [start, end] = [ends[i - 1], ends[i]];
    let part = document.createTextNode(text.slice(start, end));
    layers.forEach(([name, spans], layer) => {
      while (next[layer] < spans.length && spans[next[layer]][1] <= start) next[layer] += 1;
      const span = spans[next[layer]];
      if (span && span[0] <= start && end <= span[1]) part = wrap(name, span[2], part);
    });
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
