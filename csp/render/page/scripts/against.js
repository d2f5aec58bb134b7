/* Start the page that plays several films on one clock. */

import { Race } from "./race.js";

const race = new Race(JSON.parse(document.getElementById("films").textContent));
