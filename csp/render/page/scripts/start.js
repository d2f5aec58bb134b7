/* The film of a page from disk is packed (packed() in csp/render/page/player.py), and shown once it is unpacked. */

import { show } from "./player.js";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

const ready = unpacked(document.getElementById("film").textContent).then(show);
