/* Links that contain spec and acts, and the state that the browser stores. */

const STORAGE_KEY = "csp studio";

/* Return bytes after a stream that compresses or decompresses. */
async function pipe(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/* Return the state as letters for a link; equal states have equal letters. */
export async function pack(state) {
  const bytes = await pipe(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/* Return the state that a link contains; null if it contains none. */
export async function unpack(hash) {
  const word = new URLSearchParams(hash.slice(1)).get("spec");
  if (!word) return null;
  try {
    const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const { text, level, acts, ...more } = JSON.parse(new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw"))));
    if (typeof text !== "string" || !Array.isArray(acts) || !acts.every((act) => typeof act === "string")) return null;
    return { text, level: String(level), acts, ...more };
  } catch {
    return null;
  }
}

/* Store the state in the browser. */
export function store(state) {
  try { localStorage.setItem(STORAGE_KEY, JSON.stringify(state)); } catch { /* a browser may keep nothing */ }
}

/* Return the stored state; null for none. */
export function load() {
  try { return JSON.parse(localStorage.getItem(STORAGE_KEY)); } catch { return null; }
}
