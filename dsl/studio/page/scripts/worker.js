/* The engine of a page without a server: Python in the browser, which reads questions and gives messages. */

const runtime = new URL("$runtime", location.href).href;
const ready = start();

async function start() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", runtime).href);
  const pyodide = await loadPyodide({ indexURL: runtime });
  pyodide.unpackArchive(await (await fetch(new URL("python.zip", location.href))).arrayBuffer(), "zip");
  const answers = pyodide.runPython(`
import json
from csp import CspError
from dsl.studio.protocol import answer
from dsl.studio.questions import Question

def answers(text):
    data = json.loads(text)
    try:
        for message in answer(Question.of(data)):
            yield json.dumps(message)
    except CspError as error:
        yield json.dumps({"seq": data["seq"], "kind": "refused", "message": str(error)})
        yield json.dumps({"seq": data["seq"], "kind": "done", "ms": 0})

answers
`);
  postMessage({ kind: "ready" });
  return answers;
}

onmessage = async ({ data }) => {
  const answers = await ready;
  for (const message of answers(JSON.stringify(data))) postMessage(JSON.parse(message));
};
