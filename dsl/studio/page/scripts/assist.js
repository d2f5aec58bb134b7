/* Help while writing: completions, descriptions of names and diagnostics, definitions, renaming. */

const HOVER_DELAY = 250; // milliseconds until a resting mouse opens the tooltip

/* The list of completions and the tooltip of an editor; `ask` sends a question and returns its answer. */
export class Assist {
  constructor(editor, ask) {
    Object.assign(this, { editor, ask, completions: [], chosen: 0 });
    this.list = document.getElementById("completions");
    this.tip = document.getElementById("tip");
    const { area } = editor;
    area.addEventListener("keydown", (event) => this.handleKey(event), { capture: true });
    area.addEventListener("input", ({ data, inputType }) => this.handleInput(data, inputType));
    area.addEventListener("blur", () => this.close());
    area.addEventListener("scroll", () => this.close());
    area.addEventListener("mousemove", (event) => this.handleHover(event));
    area.addEventListener("mouseleave", () => this.hideTip());
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const i = [...this.list.children].indexOf(event.target.closest("li"));
      if (i >= 0) { this.chosen = i; this.accept(); }
    });
  }

  /* Return the line and column of the cursor. */
  get place() { return this.editor.getPlace(this.editor.area.selectionStart); }

  /* Run the command of a key, or move in the list of completions. */
  handleKey(event) {
    const is = (name) => event.key === name && !event.altKey;
    if ((event.ctrlKey || event.metaKey) && event.key === " ") { event.preventDefault(); this.complete(); }
    else if (is("F1")) { event.preventDefault(); this.describe(this.place); }
    else if (is("F12")) { event.preventDefault(); this.define(); }
    else if (is("F2")) { event.preventDefault(); this.rename(); }
    else if (is("Escape")) { this.close(); this.hideTip(); }
    if (this.list.hidden) return;
    if (is("ArrowDown") || is("ArrowUp")) {
      event.preventDefault();
      this.chosen = (this.chosen + (is("ArrowDown") ? 1 : this.completions.length - 1)) % this.completions.length;
      this.draw();
    } else if (is("Enter") || is("Tab")) {
      event.preventDefault();
      this.accept();
    }
  }

  /* Complete after the second letter of a name; anything else closes the list. */
  handleInput(data, kind) {
    this.hideTip();
    if (kind === "insertText" && data && /\w/.test(data) && /[A-Za-z]\w+$/.test(this.readPrefix())) this.complete();
    else this.close();
  }

  /* Return the text of the line before the cursor. */
  readPrefix() { return this.editor.text.slice(0, this.editor.area.selectionStart).split("\n").at(-1); }

  /* Query completions at the cursor, and list them. */
  async complete() {
    const at = this.editor.area.selectionStart, { completions } = await this.ask({ ask: "complete", ...this.place });
    if (!completions || at !== this.editor.area.selectionStart) return;
    this.prefix = this.readPrefix().match(/\w*$/)[0];
    this.completions = completions.slice(0, 50);
    this.chosen = 0;
    if (!completions.length) { this.close(); return; }
    this.list.hidden = false;
    this.draw();
    this.put(this.list, this.place);
  }

  /* Put an element below a place of the text, or above it if there is no room below. */
  put(element, place) {
    const [left, top] = this.editor.getPixels(place), { clientWidth, clientHeight } = this.editor.box, { offsetWidth, offsetHeight } = element;
    const isBelow = top + offsetHeight + 2 <= clientHeight || top - 22 < offsetHeight;
    Object.assign(element.style, { left: `${Math.max(0, Math.min(left, clientWidth - offsetWidth - 4))}px`, top: `${isBelow ? top + 2 : top - 22 - offsetHeight}px` });
  }

  /* List the completions, with a description of each. */
  draw() {
    this.list.replaceChildren(...this.completions.map(({ word, says }, i) => {
      const line = document.createElement("li"), about = document.createElement("span");
      line.setAttribute("role", "option");
      line.setAttribute("aria-selected", i === this.chosen);
      about.textContent = says;
      line.append(word, about);
      return line;
    }));
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  /* Replace the begun name by the chosen completion. */
  accept() {
    const { word } = this.completions[this.chosen], { area } = this.editor, at = area.selectionStart;
    this.close();
    area.setSelectionRange(at - this.prefix.length, at);
    document.execCommand("insertText", false, word);
    this.close();
  }

  /* Close the list of completions. */
  close() { this.list.hidden = true; }

  /* Describe the name under a resting mouse; a mouse that leaves the described name closes the tooltip. */
  handleHover(event) {
    clearTimeout(this.hoverTimer);
    const place = this.editor.findPlace(event);
    if (this.described && place && this.described.line === place.line && place.column >= this.described.column && place.column < this.described.column + this.described.width) return;
    this.hideTip();
    if (place) this.hoverTimer = setTimeout(() => this.describe(place), HOVER_DELAY);
  }

  /* Show the diagnostic at a place, else the description of its name. */
  async describe(place) {
    const diagnostic = this.editor.findDiagnostic(place), { description } = diagnostic ? {} : await this.ask({ ask: "hover", ...place });
    if (!diagnostic && !description) return;
    this.described = diagnostic || description;
    this.tip.textContent = diagnostic ? [diagnostic.message, diagnostic.hint].filter(Boolean).join("\n") : `${description.title}\n${description.says}`;
    this.tip.hidden = false;
    this.put(this.tip, this.described);
  }

  /* Show the mistake nearest to the cursor at its squiggle, if that is in view. */
  showMistake() {
    const { editor } = this, { line } = this.place, nearest = editor.diagnostics.filter(({ file }) => !file)
      .sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))[0];
    const top = nearest && editor.getPixels(nearest)[1];
    if (nearest && document.activeElement === editor.area && this.list.hidden && top > 0 && top <= editor.box.clientHeight) this.describe(nearest);
  }

  /* Close the tooltip. */
  hideTip() {
    clearTimeout(this.hoverTimer);
    this.described = null;
    this.tip.hidden = true;
  }

  /* Move the cursor to the definition of the name at the cursor, if it is in this text. */
  async define() {
    const { definition } = await this.ask({ ask: "define", ...this.place });
    if (definition && !definition.file) this.editor.goTo(definition.line, definition.column);
  }

  /* Rename the name at the cursor everywhere. */
  async rename() {
    const { place } = this, name = window.prompt("The new name");
    if (!name) return;
    const { edits, message } = await this.ask({ ask: "rename", name, ...place });
    if (edits) this.editor.apply(edits);
    else if (message) window.alert(message);
  }
}
