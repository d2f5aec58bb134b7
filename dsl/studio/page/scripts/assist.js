/* Help while writing: completion, what a name is, definition, rename. */

const QUIET = 250; // milliseconds of a mouse at rest

export class Assist {
  constructor(editor, ask) {
    Object.assign(this, { editor, ask, found: [], chosen: 0 });
    this.list = document.getElementById("words");
    this.said = document.getElementById("said");
    const { area } = editor;
    area.addEventListener("keydown", (event) => this.key(event), { capture: true });
    area.addEventListener("input", ({ data, inputType }) => this.typed(data, inputType));
    area.addEventListener("blur", () => this.close());
    area.addEventListener("scroll", () => this.close());
    area.addEventListener("mousemove", (event) => this.rest(event));
    area.addEventListener("mouseleave", () => this.hush());
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const i = [...this.list.children].indexOf(event.target.closest("li"));
      if (i >= 0) { this.chosen = i; this.take(); }
    });
  }

  get place() { return this.editor.place(this.editor.area.selectionStart); }

  key(event) {
    const is = (name) => event.key === name && !event.altKey;
    if ((event.ctrlKey || event.metaKey) && event.key === " ") { event.preventDefault(); this.complete(); }
    else if (is("F1")) { event.preventDefault(); this.tell(this.place); }
    else if (is("F12")) { event.preventDefault(); this.define(); }
    else if (is("F2")) { event.preventDefault(); this.rename(); }
    else if (is("Escape")) { this.close(); this.hush(); }
    if (this.list.hidden) return;
    if (is("ArrowDown") || is("ArrowUp")) {
      event.preventDefault();
      this.chosen = (this.chosen + (is("ArrowDown") ? 1 : this.found.length - 1)) % this.found.length;
      this.draw();
    } else if (is("Enter") || is("Tab")) {
      event.preventDefault();
      this.take();
    }
  }

  typed(data, kind) {
    this.hush();
    if (kind === "insertText" && data && /\w/.test(data) && /[A-Za-z]\w+$/.test(this.before())) this.complete();
    else this.close();
  }

  before() { return this.editor.text.slice(0, this.editor.area.selectionStart).split("\n").at(-1); }

  async complete() {
    const at = this.editor.area.selectionStart, { found } = await this.ask({ ask: "complete", ...this.place });
    if (!found || at !== this.editor.area.selectionStart) return;
    this.begun = this.before().match(/\w*$/)[0];
    this.found = found.slice(0, 50);
    this.chosen = 0;
    if (!found.length) { this.close(); return; }
    this.list.hidden = false;
    this.draw();
    this.put(this.list, this.place);
  }

  /* Below a place of the text, or above it where there is no room. */
  put(shown, place) {
    const [left, top] = this.editor.pixels(place), { clientWidth, clientHeight } = this.editor.box, { offsetWidth, offsetHeight } = shown;
    const isBelow = top + offsetHeight + 2 <= clientHeight || top - 22 < offsetHeight;
    Object.assign(shown.style, { left: `${Math.max(0, Math.min(left, clientWidth - offsetWidth - 4))}px`, top: `${isBelow ? top + 2 : top - 22 - offsetHeight}px` });
  }

  draw() {
    this.list.replaceChildren(...this.found.map(({ word, says }, i) => {
      const line = document.createElement("li"), about = document.createElement("span");
      line.setAttribute("role", "option");
      line.setAttribute("aria-selected", i === this.chosen);
      about.textContent = says;
      line.append(word, about);
      return line;
    }));
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  take() {
    const { word } = this.found[this.chosen], { area } = this.editor, at = area.selectionStart;
    this.close();
    area.setSelectionRange(at - this.begun.length, at);
    document.execCommand("insertText", false, word);
    this.close();
  }

  close() { this.list.hidden = true; }

  rest(event) {
    clearTimeout(this.resting);
    const place = this.editor.under(event);
    if (this.told && place && this.told.line === place.line && place.column >= this.told.column && place.column < this.told.column + this.told.width) return;
    this.hush();
    if (place) this.resting = setTimeout(() => this.tell(place), QUIET);
  }

  async tell(place) {
    const mistake = this.editor.mistake(place), { found } = mistake ? { found: mistake } : await this.ask({ ask: "hover", ...place });
    if (!found) return;
    this.told = found;
    this.said.textContent = mistake ? [mistake.message, mistake.hint].filter(Boolean).join("\n") : `${found.title}\n${found.says}`;
    this.said.hidden = false;
    this.put(this.said, found);
  }

  hush() {
    clearTimeout(this.resting);
    this.told = null;
    this.said.hidden = true;
  }

  async define() {
    const { found } = await this.ask({ ask: "define", ...this.place });
    if (found && !found.file) this.editor.go(found.line, found.column);
  }

  async rename() {
    const { place } = this, name = window.prompt("The new name");
    if (!name) return;
    const { edits, message } = await this.ask({ ask: "rename", name, ...place });
    if (edits) this.editor.apply(edits);
    else if (message) window.alert(message);
  }
}
