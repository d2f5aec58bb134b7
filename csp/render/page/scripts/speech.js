/* Read captions aloud by the speech of the browser. */

/* A button that turns the reading on and off; at first it is off. It is hidden in a browser without speech, and if the
   captions have no language. */
export class Speech {
  constructor(button, language) {
    this.button = button;
    this.language = language;
    this.isOn = false;
    button.hidden = !language || !window.speechSynthesis;
  }

  /* Whether a caption is being read. */
  get isReading() { return this.isOn && window.speechSynthesis.speaking; }

  /* Turn the reading on or off; read the present caption if it is on. */
  toggle(words) {
    this.stop();
    this.set(!this.isOn);
    this.read(words);
  }

  /* Show on the button whether captions are read. */
  set(isOn) {
    this.isOn = isOn;
    this.button.setAttribute("aria-pressed", isOn);
  }

  /* Read a caption instead of the previous one, if the reading is on. */
  read(words) {
    if (!this.isOn) return;
    this.stop();
    const utterance = new SpeechSynthesisUtterance(words.join(" "));
    utterance.lang = this.language;
    window.speechSynthesis.speak(utterance);
  }

  /* Stop reading. */
  stop() { if (this.isOn) window.speechSynthesis.cancel(); }
}
