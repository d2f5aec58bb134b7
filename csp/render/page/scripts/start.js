/* Unpack the compressed film of a page from disk (pack() in csp/render/page/player.py) and show it. */

import { show } from "./player.js";

/* Decompress base64 text into the JSON data of a film. */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

const ready = unpack(document.getElementById("film").textContent).then(show);
