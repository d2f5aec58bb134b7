/* Read and write the address of the page: the step and all settings of the view that differ from their defaults. */

import { GRAINS } from "./film.js";

/* Return the part of the address after # for the present view of a player. */
export function writeAddress(player) {
  const { film } = player, parts = [film.getLink()], note = (name, now, initial) => { if (now !== initial) parts.push(`${name}=${now}`); };
  note("lens", player.kind, player.first);
  note("grain", film.grain, "step");
  note("speed", player.speed.value, "2");
  if (!film.skips) parts.push("silent=1");
  if (document.body.classList.contains("bare")) parts.push("view=picture");
  if (player.prediction.isOn) parts.push("mode=predict");
  const spec = new URLSearchParams(location.hash.slice(1)).get("spec"); // the address of the studio contains the spec
  if (spec) parts.push(`spec=${spec}`);
  return parts.join("&");
}

/* Replace the address of the page, without an entry in the history. */
export function replaceAddress(parts) {
  try { history.replaceState(null, "", `#${parts}`); } catch { /* a page inside another has no address */ }
}

/* Set the view of a player to an address, and play if it says so; unknown parts are ignored. */
export function applyAddress(player, hash) {
  const { film } = player, parts = new URLSearchParams(hash.slice(1)), position = film.findPosition(hash);
  if (player.kinds.includes(parts.get("lens")) && parts.get("lens") !== player.kind) player.setLens(parts.get("lens"));
  if (GRAINS.includes(parts.get("grain")) && parts.get("grain") !== film.grain) player.setGrain(parts.get("grain"));
  if ([...player.speed.options].some(({ value }) => value === parts.get("speed"))) player.speed.value = parts.get("speed");
  if (parts.has("silent")) player.setSilent(parts.get("silent") === "1");
  if (parts.has("view")) player.setBare(parts.get("view") === "picture");
  if (position !== null && position !== film.position) { player.pause(); player.seek(position); }
  if (parts.has("mode")) player.prediction.set(parts.get("mode") === "predict");
  if (parts.has("play") && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}
