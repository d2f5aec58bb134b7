/* Who answers: a server over a socket, or a worker of the page's own. Both take questions and give messages. */

const WAIT = 1000; // milliseconds before the server is looked for again

/* Calls `hear` with each message, and with kind "gone" where nobody answers any more. */
export function connect(hear) {
  return document.body.dataset.engine === "worker" ? new Own(hear) : new Served(hear);
}

class Served {
  constructor(hear) {
    this.hear = hear;
    this.waiting = [];
    this.open();
  }

  open() {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    address.hash = "";
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => this.waiting.splice(0).forEach((one) => this.socket.send(one)));
    this.socket.addEventListener("message", ({ data }) => this.hear(JSON.parse(data)));
    this.socket.addEventListener("close", () => {
      this.hear({ kind: "gone" });
      setTimeout(() => this.open(), WAIT);
    });
  }

  ask(question) {
    const text = JSON.stringify(question);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(text);
  }
}

const PLAYS = ["play", "candidates", "techniques", "hint", "compare", "set", "explain", "both", "stop"];

/* Two workers, one for the picture and one for the editor. What does not stop is ended, and another one started.
   The second begins with the first's runtime when that has answered, and does not hold it up; until then one does both. */
class Own {
  constructor(hear) {
    this.hear = hear;
    this.workers = [this.start()];
    this.busy = [0, 0];
    setTimeout(() => hear({ kind: "hello", name: "", text: "" }));
  }

  start() {
    const worker = new Worker("worker.js", { type: "module" });
    worker.postMessage({ module: this.module });
    worker.addEventListener("message", ({ data }) => {
      const i = this.workers.indexOf(worker);
      if (i < 0) return;
      if (data.kind === "ready") {
        worker.isReady = true;
        this.module = data.module;
        return;
      }
      if (data.kind === "done") {
        this.busy[i] -= 1;
        if (this.workers.length < 2) this.workers.push(this.start());
      }
      this.hear(data);
    });
    return worker;
  }

  ask(question) {
    const isPlay = PLAYS.includes(question.ask), i = isPlay ? 0 : this.workers.length - 1;
    const isSlow = isPlay && this.workers[0].isReady && this.busy[0] > 0 && performance.now() - this.since > 400;
    if (question.ask === "stop" || isSlow) {
      this.workers[i].terminate();
      this.hear({ seq: this.last, kind: "stopped", message: "stopped" });
      this.busy[i] = 0;
      this.workers[i] = this.start();
      if (question.ask === "stop") return;
    }
    if (isPlay) Object.assign(this, { since: performance.now(), last: question.seq });
    this.busy[i] += 1;
    this.workers[i].postMessage(question);
  }
}
