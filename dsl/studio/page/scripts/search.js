/* Find and replace: a strip over the first lines of the editor. */

/* The strip to find and replace; all matches are marked in the text. */
export class Search {
  constructor(editor) {
    Object.assign(this, { editor, matches: [], at: 0 });
    const byId = (id) => document.getElementById(id);
    [this.form, this.sought, this.replacement, this.count] = [byId("search"), byId("sought"), byId("replacement"), byId("matches")];
    editor.area.addEventListener("keydown", (event) => this.handleKey(event), { capture: true });
    editor.area.addEventListener("input", () => { if (!this.form.hidden) this.find(); });
    this.sought.addEventListener("input", () => { this.find(); this.go(0); });
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.go(1); });
    this.form.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the keys of the player are letters
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.shiftKey) { event.preventDefault(); this.go(-1); }
    });
    this.form.addEventListener("click", ({ target: { name } }) => { if (["replace", "replaceAll", "close"].includes(name)) this[name](); });
  }

  /* Open the strip by Ctrl-F or Ctrl-H, with the selected text. */
  handleKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !["f", "h"].includes(event.key)) return;
    event.preventDefault();
    const { area } = this.editor, selected = area.value.slice(area.selectionStart, area.selectionEnd);
    if (selected && !selected.includes("\n")) this.sought.value = selected;
    this.form.hidden = false;
    this.sought.select();
    this.sought.focus();
    this.find();
    this.go(0);
  }

  /* Find all matches; capital and small letters are equal. */
  find() {
    const sought = this.sought.value.toLowerCase(), text = this.editor.text.toLowerCase();
    this.matches = [];
    for (let at = sought ? text.indexOf(sought) : -1; at >= 0; at = text.indexOf(sought, at + sought.length)) this.matches.push(at);
    const next = this.matches.findIndex((at) => at >= this.editor.area.selectionStart);
    this.at = Math.max(0, next);
    this.draw();
  }

  /* Go to a later match (1), to an earlier one (-1), or show the present one (0). */
  go(way) {
    const { editor, matches } = this, { length } = matches;
    if (!length) return;
    this.at = (this.at + way + length) % length;
    editor.area.setSelectionRange(matches[this.at], matches[this.at] + this.sought.value.length);
    editor.scrollTo(editor.line);
    this.draw();
  }

  /* Mark the matches in the text, and show their number. */
  draw() {
    const { length } = this.sought.value;
    this.editor.mark(this.matches.map((at, i) => [at, at + length, i === this.at ? "now" : ""]));
    this.count.textContent = this.sought.value ? `${this.matches.length ? this.at + 1 : 0} of ${this.matches.length}` : "";
  }

  /* Replace the present match, and go to the next one. */
  replace() {
    const { editor, matches, at } = this, start = matches[at];
    if (start === undefined) return;
    const end = start + this.replacement.value.length;
    editor.edit([editor.text.slice(0, start) + this.replacement.value + editor.text.slice(start + this.sought.value.length), end, end], false);
    this.find();
    this.go(0);
  }

  /* Replace all matches. */
  replaceAll() {
    const { editor, matches, sought, replacement } = this, starts = [...matches.map((at) => at + sought.value.length)];
    const parts = matches.map((at, i) => editor.text.slice(i ? starts[i - 1] : 0, at) + replacement.value);
    if (matches.length) editor.edit([parts.join("") + editor.text.slice(starts.at(-1)), 0, 0], false);
    this.find();
  }

  /* Close the strip; the present match is selected. */
  close() {
    this.form.hidden = true;
    this.editor.mark([]);
    this.editor.area.focus();
  }
}
