/* Spec and acts as part of an address, and what the browser keeps. */

const KEPT = "csp studio";

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/* The part of an address that says all; the same for the same spec and acts. */
export async function packed(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/* What an address says, or nothing. */
export async function unpacked(hash) {
  const word = new URLSearchParams(hash.slice(1)).get("spec");
  if (!word) return null;
  try {
    const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const { text, level, acts, ...more } = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    if (typeof text !== "string" || !Array.isArray(acts) || !acts.every((act) => typeof act === "string")) return null;
    return { text, level: String(level), acts, ...more };
  } catch {
    return null;
  }
}

export function keep(state) {
  try { localStorage.setItem(KEPT, JSON.stringify(state)); } catch { /* a browser may keep nothing */ }
}

export function kept() {
  try { return JSON.parse(localStorage.getItem(KEPT)); } catch { return null; }
}
