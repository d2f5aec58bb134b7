"use strict";
/* The film: what happened, as patches with their inverses, and one cursor. Nothing here draws.
   Position p means that the first p records have happened; the record of a position is the one before it. */

const GRAINS = ["event", "revision", "round", "decision"];
const REMOVALS = new Set(["given", "fixed", "placed", "filtered", "decided"]);
const ENDS = new Set(["rest", "failure", "solved"]);

class Film {
  constructor(data) {
    Object.assign(this, data);
    this.width = data.values.length;
    this.alive = new Uint8Array(this.vertices.length * this.width);
    this.vertices.forEach((vertex, v) => vertex.domain.forEach((value) => { this.alive[v * this.width + value] = 1; }));
    this.marked = new Uint8Array(this.vertices.length);
    this.position = 0;
    this.grain = "revision";
    this.goneAt = new Map(); // from a candidate to the records that took it away
    this.records.forEach((record, i) => (record.gone || []).forEach((code) => {
      if (!this.goneAt.has(code)) this.goneAt.set(code, []);
      this.goneAt.get(code).push(i);
    }));
    this.stops = {};
    for (const grain of GRAINS) {
      this.stops[grain] = this.records.map((_, i) => i + 1).filter((p) => this.isStop(p, grain));
      this.stops[grain].unshift(0);
    }
  }

  get end() { return this.records.length; }

  record(position = this.position) { return this.records[position - 1]; }

  isStop(position, grain) {
    const record = this.record(position), next = this.records[position];
    if (grain === "event" || !next) return true;
    if (ENDS.has(record.kind)) return next.kind !== "solved";
    if (!REMOVALS.has(record.kind)) return false;
    if (grain === "round") return !REMOVALS.has(next.kind);
    const whole = !(REMOVALS.has(next.kind) && next.step === record.step);
    return whole && (grain === "revision" || this.decides(position));
  }

  /* Whether the revision that ends here is the one of a decision. */
  decides(position) {
    const step = this.record(position).step;
    let i = position - 1;
    while (i > 0 && this.records[i - 1].step === step) i--;
    return this.records[i].kind === "decided";
  }

  after(position = this.position) { return this.stops[this.grain].find((stop) => stop > position) ?? this.end; }

  before(position = this.position) { return this.stops[this.grain].findLast((stop) => stop < position) ?? 0; }

  /* Move the cursor; returns the vertices that have changed. */
  seek(to) {
    const touched = new Set();
    const put = (codes, alive) => (codes || []).forEach((code) => {
      this.alive[code] = alive;
      touched.add(Math.floor(code / this.width));
    });
    const toggle = (marks) => (marks || []).forEach((v) => { this.marked[v] ^= 1; touched.add(v); });
    for (; this.position < to; this.position++) {
      const patch = this.records[this.position];
      put(patch.gone, 0); put(patch.back, 1); toggle(patch.marks);
    }
    for (; this.position > to; this.position--) {
      const patch = this.records[this.position - 1];
      put(patch.back, 0); put(patch.gone, 1); toggle(patch.marks);
    }
    return touched;
  }

  /* The records that are seen happening at the cursor: those of its event, its revision, or its round so far. */
  window() {
    const p = this.position;
    if (!p) return [];
    let from = p - 1;
    if (this.grain !== "event" && REMOVALS.has(this.record().kind)) {
      const step = this.record().step;
      const joins = (one) => REMOVALS.has(one.kind) && (this.grain === "round" || one.step === step);
      while (from > 0 && joins(this.records[from - 1])) from--;
    }
    return this.records.slice(from, p);
  }

  /* What stands out at the cursor. */
  scene() {
    const shown = { gone: new Set(), causes: new Set(), active: new Set(), rules: new Set() };
    const records = this.window();
    for (const record of records) {
      (record.gone || []).forEach((code) => { if (!this.alive[code]) shown.gone.add(code); });
      (record.cause || []).forEach((v) => shown.causes.add(v));
      if (records[0].step !== records.at(-1).step) continue; // a whole round has no one active group
      if (record.rule !== undefined) shown.rules.add(record.rule);
      const active = record.rule === undefined ? record.active : this.rules[record.rule].scope;
      (active || []).forEach((v) => shown.active.add(v));
    }
    return shown;
  }

  isLeft(v, value) { return this.alive[v * this.width + value] === 1; }

  left(v) { return this.vertices[v].domain.filter((value) => this.isLeft(v, value)); }

  /* The number of the record that took a value from a vertex, as of now. */
  remover(v, value) {
    const when = this.goneAt.get(v * this.width + value) || [];
    return when.findLast((i) => i < this.position);
  }

  queue() { return this.vertices.map((_, v) => v).filter((v) => this.marked[v]); }

  /* The position of a link such as step=37 or event=120. */
  find(link) {
    const found = /^#?(step|event)=(\d+)$/.exec(link);
    if (!found) return null;
    const number = Number(found[2]);
    if (found[1] === "event" || !number) return Math.min(number, this.end);
    const last = this.records.findLastIndex((record) => record.step <= number);
    return last + 1;
  }

  link() {
    const step = this.position ? this.record().step : 0;
    return this.find(`step=${step}`) === this.position ? `#step=${step}` : `#event=${this.position}`;
  }
}
