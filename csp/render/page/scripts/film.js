/* The film: the records of a trace as reversible patches, and one cursor. Nothing here draws.
   At position p the first p records have been applied; the record of a position is the last of them. */

import { indexTuples, listAllowed, listJoined, listLost } from "./tuples.js";

export const GRAINS = ["event", "step", "round", "decision"];
export const TERMS = { // as docs/glossary.md explains them
  event: "one record of a trace: a removal, a round, a check, a decision, a failure",
  step: "all removals by one given, one fixed variable or one propagator call",
  round: "the steps after variables fixed at its start or by its last places",
  decision: "to try a value",
  marked: "scheduled for propagation; pictures show an asterisk",
};
const REMOVALS = new Set(["given", "fixed", "placed", "filtered", "decided"]);
const ACTS = new Set(["fixed", "filtered"]); // the kinds of removals that arrows show
const WORK = new Set([...REMOVALS, "dequeued"]); // the kinds of records within a round
const ENDS = new Set(["rest", "failure", "solved", "reached"]);
const FLAGS = ["alive", "marked", "pencil", "drawn"]; // the arrays of the state
const MAX_SCOPE = 5; // number of vertices of a group that is always shown whole
const MAX_BOXES = 4; // number of kinds of boxes around removed values, of the classes taker0 to taker3
const INTERVAL = 2048; // number of records from one snapshot of the state to the next
const MAX_SNAPSHOTS = 128; // beyond it the interval grows

/* Return the number of the i-th letter (letter() in data.py): negative for a space, NaN beyond the end. */
export function decodeLetter(letters, i) {
  const code = letters.charCodeAt(i);
  return code - (code < 128 ? 63 : 192);
}

/* A trace with its present state: remaining values, marked vertices, queue and drawings at the cursor. */
export class Film {
  constructor(data) {
    this.data = data;
    this.opening = data.opening || "start";
    this.width = data.values.length;
    this.alive = new Uint8Array(this.data.vertices.length * this.width);
    this.data.vertices.forEach((vertex, v) => vertex.domain.forEach((value) => { this.alive[v * this.width + value] = 1; }));
    this.marked = new Uint8Array(this.data.vertices.length);
    this.pencil = new Uint8Array(this.data.vertices.length); // vertices whose single value is not placed yet
    (data.start || []).forEach((code) => { this.alive[code] = 0; });
    (data.pencil || []).forEach((v) => { this.pencil[v] = 1; });
    this.queue = Array.from({ length: data.queue }, (_, i) => i); // the propagation queue, as indices into data.waiting
    this.drawn = new Uint8Array((data.drawn?.shapes || []).length); // which shapes of data.drawn are visible
    (data.drawn?.start || []).forEach((i) => { this.drawn[i] = 1; });
    this.position = 0;
    this.interval = Math.max(INTERVAL, Math.ceil(this.end / MAX_SNAPSHOTS));
    this.snapshots = [this.copyState()]; // the i-th is the state at position i * interval
    this.ahead = 0; // a later position whose records are shown before they are applied, in predict mode
    this.grain = "step";
    this.places = new Map();
    this.tuples = indexTuples(this); // from a vertex to the helpers of which it is a part of the tuples
    for (const [v, { number, needs }] of Object.entries(data.helpers || {})) {
      if (number) needs.forEach((need, i) => this.places.set(need, [...this.listPlaces(need), v * this.width + data.vertices[v].domain[i]]));
    }
    this.changes = new Map(); // from a candidate to the records i that removed it or, as -1 - i, restored it
    // Index the records by the candidates that they remove or restore.
    data.records.forEach((record, i) => {
      const noteChange = (code, change) => {
        if (!this.changes.has(code)) this.changes.set(code, []);
        this.changes.get(code).push(change);
      };
      (record.gone || []).forEach((code) => noteChange(code, i));
      (record.also || []).forEach((code) => noteChange(code, i - 1)); // removed as a consequence of the step before
      (record.back || []).forEach((code) => noteChange(code, -1 - i));
    });
    this.writeCaptions();
    this.stops = {};
    this.silentStops = data.records.flatMap(({ kind }, i) => (kind === "dequeued" ? [i + 1] : [])); // positions after silent records
    this.skipSilent(true);
    // Take all snapshots, so that the first click is as fast as the others.
    this.seek(this.end);
    this.seek(0);
  }

  /* Set whether the cursor skips silent records, and compute the stops of each grain. */
  skipSilent(isSkipping) {
    this.skips = isSkipping;
    for (const grain of GRAINS) {
      this.stops[grain] = this.data.records.map((_, i) => i + 1).filter((p) => this.isStop(p, grain));
      this.stops[grain].unshift(0);
    }
  }

  /* Complete the captions: add step and number of marked vertices, write the captions of silent records, and number the
     passes of propagators, as in csp/picture/frames.py. */
  writeCaptions() {
    const marked = new Set();
    let rules = 0, isRules = false;
    for (const record of this.data.records) {
      if (record.kind !== "dequeued") {
        if (record.kind === "filtered" && !isRules) rules++;
        isRules = record.kind === "filtered";
      }
      if (isRules) record.rules = rules;
      (record.marks || []).forEach((v) => { if (!marked.delete(v)) marked.add(v); });
      const count = `marked ${marked.size}${this.noteHelpers([...marked])}`;
      if (record.reason) record.text = `step ${record.step} · ${record.reason} · ${count}`;
      if (record.text !== undefined) continue;
      const { name, line } = this.data.constraints[record.constraint];
      record.text = `checked · ${name}${line ? ` (line ${line})` : ""}: no change · ${count}`;
    }
  }

  /* Return whether a vertex is drawn. */
  isDrawn(v) { return Math.min(...this.data.forms[this.data.vertices[v].form].size) > 0; }

  /* Return whether a vertex is a line of a board or a ruler, which has squares for values. */
  isLine(v) { const { form, piece } = this.data.vertices[v]; return piece === undefined && ["row", "column"].includes(this.data.forms[form].kind); }

  /* Return a note on how many of several vertices are helpers, which are not drawn; empty for none. */
  noteHelpers(vertices) {
    const count = vertices.filter((v) => !this.isDrawn(v)).length, noun = count === 1 ? "a helper" : "helpers";
    if (!count) return "";
    return count < vertices.length ? `, ${count} of them ${noun}` : count === 1 ? `, ${noun}` : `, all ${noun}`;
  }

  /* Return the last places of values that records found, by group. As in csp/picture/frames.py, at most three drawn groups
     are lit, each with at most half of all variables, or five. */
  findLastPlaces(records) {
    const { constraints, vertices } = this.data, groups = new Map(), found = new Set();
    let count = 0;
    for (const { kind, constraint, gone, fits: shown } of records) {
      if (kind !== "placed" || constraint === undefined || !gone) continue;
      const place = Math.floor(gone[0] / this.width); // all removed values are other values of the place
      if (found.has(`${constraint} ${place}`) || this.data.helpers?.[place]?.number) continue; // a helper's place is named instead
      found.add(`${constraint} ${place}`);
      const { scope } = constraints[constraint], fits = scope.length <= MAX_SCOPE || scope.length * 2 <= vertices.length;
      if (!groups.has(constraint)) {
        const isLit = fits && count < 3 && scope.some((v) => this.isDrawn(v));
        groups.set(constraint, { numbers: [], places: [], isLit });
        count += isLit;
      }
      groups.get(constraint).numbers.push(shown ?? this.getRemaining(place)[0]);
      groups.get(constraint).places.push(place);
    }
    return groups;
  }

  /* Return the last position. */
  get end() { return this.data.records.length; }

  /* Return the record of a position, undefined at the beginning. */
  getRecord(position = this.position) { return this.data.records[position - 1]; }

  /* Return whether the cursor stops at a position when it moves by a grain. */
  isStop(position, grain) {
    const record = this.getRecord(position), next = this.data.records[position];
    if (grain === "event" || !next) return true;
    if (record.kind === "step") return true;
    if (ENDS.has(record.kind)) return next.kind !== "solved" && !(record.kind === "rest" && this.isSilent(position - 1));
    if (!WORK.has(record.kind)) return false;
    if (grain === "round") return !this.joins(next, record) && this.hasRemovals(position);
    if (record.kind === "dequeued") return grain === "step" && !this.skips;
    if (record.kind === "given" && next.kind === "given") return false;
    const whole = !(REMOVALS.has(next.kind) && next.step === record.step);
    return whole && (grain === "step" || this.carriesOutDecision(position));
  }

  /* Return the candidates of helpers that say whether a vertex can have a value. */
  listPlaces(code) { return this.places.get(code) || []; }

  /* Return whether a removal is no news in a picture of many: of a helper, it follows from a drawn value; of a drawn value,
     its vertex did not list it before these removals, as in csp/picture/helpers.py. */
  isOld(code, removed) {
    const remains = (own) => this.alive[own] === 1;
    return !this.isNewsAfter(code, remains, (own) => remains(own) || removed.has(own));
  }

  /* Return whether a removal is news; the functions return whether a candidate remains now, and before all removals. */
  isNewsAfter(code, remains, remained) {
    const v = Math.floor(code / this.width), isTabled = this.data.helpers?.[v]?.tabled;
    const isListed = (need) => this.getListed(Math.floor(need / this.width), remained).includes(need % this.width);
    return this.listNeeds(code).every(isTabled ? remained : remains) && this.listPlaces(code).every(remained)
      && (!this.data.helpers?.[v]?.number || this.listNeeds(code).every(isListed)) && (!this.tuples.has(v) || listAllowed(this, v, remained).includes(code % this.width));
  }

  /* Return whether two neighbours are in one picture of a round, which is apart from the propagators after it. */
  joins(record, other) { return WORK.has(record.kind) && record.rules === other.rules; }

  /* Return whether nothing was removed between the last fixpoint and record i. */
  isSilent(i) {
    while (i > 0 && ["dequeued", "round"].includes(this.data.records[i - 1].kind)) i--;
    return !i || !REMOVALS.has(this.data.records[i - 1].kind);
  }

  /* Return whether the round that ends at a position removed a value that the picture has not lost before. */
  hasRemovals(position) {
    let first = position;
    while (first > 0 && this.joins(this.data.records[first - 1], this.getRecord(position))) first--;
    return this.data.records.slice(first, position).some(({ kind, gone }) => REMOVALS.has(kind) && gone.some((code) => this.isNew(code, position, first)));
  }

  /* Return the drawn candidates without which a helper cannot have a value. */
  listNeeds(code) {
    const v = Math.floor(code / this.width);
    return [this.data.helpers?.[v]?.needs?.[this.data.vertices[v].domain.indexOf(code % this.width)] ?? []].flat();
  }

  /* Return the drawn vertices for which a fixed helper stands. */
  listFound(v) {
    const [value, ...others] = this.getRemaining(v);
    return others.length ? [] : this.listNeeds(v * this.width + value).map((code) => Math.floor(code / this.width));
  }

  /* Return whether the removal of a candidate after a first position is news at a position. */
  isNew(code, position, first) {
    const remains = (at) => (own) => this.findRemover(own, at) === undefined;
    return this.isNewsAfter(code, remains(position), remains(first));
  }

  /* Return whether the step that ends at a position carries out a decision. */
  carriesOutDecision(position) {
    const step = this.getRecord(position).step;
    let i = position - 1;
    while (i > 0 && this.data.records[i - 1].step === step) i--;
    return this.data.records[i].kind === "decided";
  }

  /* Return the next stop of the present grain after a position. */
  findNextStop(position = this.position) { return this.stops[this.grain].find((stop) => stop > position) ?? this.end; }

  /* Return the last stop of the present grain before a position. */
  findPreviousStop(position = this.position) { return this.stops[this.grain].findLast((stop) => stop < position) ?? 0; }

  /* Return a copy of the present state. */
  copyState() {
    return { position: this.position, queue: [...this.queue], ...Object.fromEntries(FLAGS.map((name) => [name, this[name].slice()])) };
  }

  /* Move the cursor and apply or undo the patches on the way, from the nearest snapshot if it is nearer than the present
     position; return the set of changed vertices. */
  seek(to) {
    const before = this.copyState(), { snapshots, interval } = this;
    const nearest = snapshots[Math.min(Math.round(to / interval), snapshots.length - 1)];
    if (Math.abs(to - nearest.position) < Math.abs(to - this.position)) Object.assign(this, this.copyState.call(nearest));
    const setAlive = (codes, alive) => codes?.forEach((code) => { this.alive[code] = alive; });
    const flip = (flags, indices) => indices?.forEach((i) => { flags[i] ^= 1; });
    const flipAll = ({ marks, pencil, drawn }) => { flip(this.marked, marks); flip(this.pencil, pencil); flip(this.drawn, drawn); };
    const changeQueue = (at, removed, inserted) => this.queue.splice(at, removed.length, ...inserted);
    // Forward: apply each patch, and take the missing snapshots.
    for (; this.position < to; this.position++) {
      if (this.position === snapshots.length * interval) snapshots.push(this.copyState());
      const patch = this.data.records[this.position];
      setAlive(patch.gone, 0); setAlive(patch.also, 0); setAlive(patch.back, 1); flipAll(patch);
      patch.queue?.forEach(([at, removed, inserted]) => changeQueue(at, removed, inserted));
    }
    // Back: apply each patch in reverse, with removed and inserted entries swapped.
    for (; this.position > to; this.position--) {
      const patch = this.data.records[this.position - 1];
      setAlive(patch.back, 0); setAlive(patch.also, 1); setAlive(patch.gone, 1); flipAll(patch);
      [...(patch.queue || [])].reverse().forEach(([at, removed, inserted]) => changeQueue(at, inserted, removed));
    }
    return this.findChanged(before);
  }

  /* Return the set of vertices whose values or signs differ from an earlier state, or whose list a changed helper limits. */
  findChanged({ alive, marked, pencil }) {
    const changed = new Set();
    this.alive.forEach((isAlive, code) => { if (isAlive !== alive[code]) changed.add(Math.floor(code / this.width)); });
    [...changed].flatMap((v) => listJoined(this, v)).forEach((v) => changed.add(v));
    this.marked.forEach((_, v) => { if (this.marked[v] !== marked[v] || this.pencil[v] !== pencil[v]) changed.add(v); });
    return changed;
  }

  /* Return the records that the page shows at a position: its event, its step, or its round so far. */
  getVisibleRecords(p = this.ahead || this.position) {
    if (!p) return [];
    // Extend the window back to the first record of the same step or round.
    let from = p - 1;
    const { kind, step } = this.getRecord(p);
    if (this.grain !== "event" && WORK.has(kind)) {
      const isWide = this.grain === "round" || (kind === "given" && this.data.records[p]?.kind !== "given");
      const joins = (record) => (isWide ? this.joins(record, this.getRecord(p)) && (this.grain === "round" || record.kind === kind) : step && record.step === step);
      while (from > 0 && joins(this.data.records[from - 1])) from--;
    }
    return this.data.records.slice(from, p);
  }

  /* Return whether all records belong to one step. */
  isOneStep(records) { return records.length === 1 || records.every(({ step }) => step && step === records[0].step); }

  /* Collect what the page highlights at the cursor: removed values, causes, active constraints and failures. */
  getScene() {
    const scene = { gone: new Set(), causes: new Set(), reasons: new Map(), active: new Set(), groups: new Set(), placed: new Set(), constraints: new Set(), losses: [], swept: new Set(), relies: new Set(), removers: new Map(), takers: [], failed: new Set(), lined: new Set(), grouped: new Set(), links: [], signs: [] };
    // Merge the highlights of all visible records.
    const records = this.getVisibleRecords(), isOneStep = scene.isOneStep = this.isOneStep(records);
    const removed = new Set(records.flatMap(({ kind, gone }) => (kind !== "reached" && gone) || []));
    const gone = [...removed].filter((code) => !this.alive[code] && (isOneStep || !this.isOld(code, removed)));
    scene.gone = new Set([...gone, ...listLost(this, removed)]);
    for (const record of records) {
      const all = record.gone || [], gone = all.filter((code) => scene.gone.has(code)), isAct = ACTS.has(record.kind) && record.cause;
      // The causes of a round are those who acted: at the tails of the arrows. For a last place no variable acted.
      const isLoss = isAct && record.constraint !== undefined && gone.length > 0;
      // The values of a whole area share a tint and an arrow.
      if (isLoss) scene.losses.push({ constraint: record.constraint, causes: record.cause, gone: record.swept?.slice(0, 1) || gone });
      if (gone.length) (record.swept || []).forEach((code) => scene.swept.add(code));
      // In a round, causes of unseen removals have no border. A helper has the cells for which it stands.
      const isSeen = isOneStep || (isLoss && gone.some((code) => this.isDrawn(Math.floor(code / this.width))));
      if (isSeen) (record.cause || []).forEach((v) => scene.causes.add(v));
      const isNews = isAct && !isOneStep && all.some((code) => [code, ...this.listNeeds(code)].some((part) => scene.gone.has(part)));
      const placed = record.kind === "placed" && !isOneStep ? [Math.floor(all[0] / this.width)] : [];
      (isNews ? record.cause : placed.filter((v) => this.listFound(v).length === 1)).flatMap((v) => this.listFound(v)).forEach((v) => scene.causes.add(v));
      // In a round only the constraints that removed a value are at work.
      if (record.constraint !== undefined && (isOneStep || gone.length)) {
        scene.constraints.add(record.constraint);
        scene.reasons.set(record.constraint, new Set([...(scene.reasons.get(record.constraint) || []), ...(record.cause || [])]));
      }
      // A failure shows who removed the last places of a value.
      for (const code of record.kind === "failure" ? record.lost || [] : []) {
        const { kind, cause, constraint } = this.data.records[this.findRemover(code, this.position - 1)] || {};
        if (constraint !== undefined) scene.takers.push({ constraint, causes: [], gone: [code] });
        if (!ACTS.has(kind) || constraint === undefined) continue;
        // A value that a pair excludes alone from a failed variable has the other variable of the pair as its cause.
        const { scope } = this.data.constraints[constraint], isPair = record.constraint === undefined && kind === "filtered" && scope.length === 2;
        const causes = cause || (isPair ? scope.filter((v) => v !== Math.floor(code / this.width)) : []);
        if (causes.length) scene.losses.push({ constraint, causes, gone: [code] });
      }
      if (record.signs && !record.back) scene.signs = [...new Set([...scene.signs, ...record.signs])];
      if (!isOneStep) continue; // a whole round has no single active group
      (record.relies || []).forEach((line) => scene.relies.add(line));
      (record.lined || []).forEach((v) => scene.lined.add(v));
      scene.links.push(...(record.links || []));
      const active = record.active || this.data.constraints[record.constraint]?.scope;
      (active || []).forEach((v) => scene[record.kind === "failure" ? "failed" : "active"].add(v));
    }
    this.chooseKinds(records, scene).forEach((codes, kind) => codes.forEach((code) => scene.removers.set(code, kind)));
    // The groups with a last place of a value are highlighted.
    for (const [c, { isLit }] of this.findLastPlaces(records)) {
      scene.placed.add(c);
      if (!isLit) continue;
      scene.groups.add(c);
      this.data.constraints[c].scope.filter((v) => !this.isLine(v)).forEach((v) => scene.grouped.add(v));
    }
    return scene;
  }

  /* Return the removed values of each kind of box: one kind for each record of a step whose values the picture strikes.
     The result is empty for a single record, and for more than MAX_BOXES. */
  chooseKinds(records, { isOneStep, gone }) {
    const isStruck = (code) => gone.has(code) && this.isDrawn(Math.floor(code / this.width));
    const kinds = records.filter(({ swept }) => !swept).map((record) => (record.gone || []).filter(isStruck)).filter((codes) => codes.length);
    return isOneStep && records.length > 1 && kinds.length <= MAX_BOXES ? kinds : [];
  }

  /* Return whether a value remains at a vertex. */
  isRemaining(v, value) { return this.alive[v * this.width + value] === 1; }

  /* Return the remaining values of a vertex. */
  getRemaining(v) { return this.data.vertices[v].domain.filter((value) => this.isRemaining(v, value)); }

  /* Return the values that a vertex lists, as in csp/picture/helpers.py: those that no helper excludes from it. If a helper
     has found the place of a value there, it is the only one. The function returns whether a candidate remains. */
  getListed(v, remains = (code) => this.alive[code]) {
    const isFixed = (helper) => this.data.vertices[helper].domain.filter((value) => remains(helper * this.width + value)).length === 1;
    const left = listAllowed(this, v, remains).filter((value) => this.listPlaces(v * this.width + value).every(remains));
    const found = left.filter((value) => this.listPlaces(v * this.width + value).some((place) => isFixed(Math.floor(place / this.width))));
    return found.length ? found : left;
  }

  /* Return the index of the record that removed a value from a vertex, undefined if the value remains at the position. */
  findRemoverOf(v, value, position = this.position) { return this.findRemover(v * this.width + value, position); }

  /* Return the index of the record that left a vertex with a single value, undefined if there is none. */
  findSettler(v) {
    if (this.getRemaining(v).length !== 1) return undefined;
    const records = this.data.vertices[v].domain.map((value) => this.findRemoverOf(v, value)).filter((at) => at !== undefined);
    return records.length ? Math.max(...records) : undefined;
  }

  /* Return the index of the record that removed a candidate, undefined if it remains at the position. */
  findRemover(code, position = this.position) {
    const last = (this.changes.get(code) || []).findLast((change) => (change < 0 ? -1 - change : change) < position);
    return last < 0 ? undefined : last;
  }

  /* Return the position of a link such as step=37 or event=120, null if it contains none. */
  findPosition(link) {
    const match = /^#?(?:.*&)?(step|event)=(\d+)(?:&|$)/.exec(link);
    if (!match) return null;
    const number = Number(match[2]);
    if (match[1] === "event" || !number) return Math.min(number, this.end);
    const last = this.data.records.findLastIndex((record) => record.step <= number);
    return last + 1;
  }

  /* Return the link of the present position: its step if the position ends the step, else its event. */
  getLink() {
    const step = this.position ? this.getRecord().step : 0;
    return this.findPosition(`step=${step}`) === this.position ? `step=${step}` : `event=${this.position}`;
  }
}
