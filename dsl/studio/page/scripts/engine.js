/* The two engines that answer the page: a server over a socket, or workers of the page. Both receive questions and send
   messages (dsl/studio/protocol.py). */

const RETRY_DELAY = 1000; // milliseconds until the page connects to the server again

/* Connect to the engine of the page. It calls `receive` with each message, and with kind "gone" if the connection ends. */
export function connect(receive) {
  return document.body.dataset.engine === "worker" ? new WorkerEngine(receive) : new ServerEngine(receive);
}

/* An engine on a server; questions wait until the socket is open. */
class ServerEngine {
  constructor(receive) {
    this.receive = receive;
    this.waiting = [];
    this.open();
  }

  /* Open the socket, and again after a delay whenever it closes. */
  open() {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    address.hash = "";
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => this.waiting.splice(0).forEach((question) => this.socket.send(question)));
    this.socket.addEventListener("message", ({ data }) => this.receive(JSON.parse(data)));
    this.socket.addEventListener("close", () => {
      this.receive({ kind: "gone" });
      setTimeout(() => this.open(), RETRY_DELAY);
    });
  }

  /* Send a question, at once or when the socket is open. */
  ask(question) {
    const text = JSON.stringify(question);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(text);
  }
}

/* Questions of the picture; all others are questions of the editor. */
const PICTURE_QUESTIONS = ["play", "compare", "set", "explain", "both", "stop"];

/* An engine of two workers: one for the picture, one for the editor. A worker that does not stop is terminated and replaced.
   The second worker starts after the first answer and reuses the compiled runtime of the first; until then one worker
   answers all questions. */
class WorkerEngine {
  constructor(receive) {
    this.receive = receive;
    this.workers = [this.start()];
    this.busy = [0, 0];
    setTimeout(() => receive({ kind: "hello", name: "", text: "" }));
  }

  /* Start a worker, and count its unanswered questions. */
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
      this.receive(data);
    });
    return worker;
  }

  /* Send a question to the worker of its kind. */
  ask(question) {
    const isPicture = PICTURE_QUESTIONS.includes(question.ask), i = isPicture ? 0 : this.workers.length - 1;
    const isSlow = isPicture && this.workers[0].isReady && this.busy[0] > 0 && performance.now() - this.since > 400;
    // Replace a busy worker by a new one, because Python in a worker cannot be interrupted.
    if (question.ask === "stop" || isSlow) {
      this.workers[i].terminate();
      this.receive({ seq: this.last, kind: "stopped", message: "stopped" });
      this.busy[i] = 0;
      this.workers[i] = this.start();
      if (question.ask === "stop") return;
    }
    if (isPicture) Object.assign(this, { since: performance.now(), last: question.seq });
    this.busy[i] += 1;
    this.workers[i].postMessage(question);
  }
}
