/* The engine of a page without a server: Python in the browser, which receives questions and sends messages.
   The first message to the worker contains the compiled runtime if another worker has it already, so that it is fetched
   and compiled once. */

const runtime = new URL("$runtime", location.href).href;
const { promise: ready, resolve } = Promise.withResolvers();

/* Let Pyodide reuse a compiled runtime, by replacing the functions of the browser that fetch and compile it. Returns a
   function that returns the compiled runtime. */
function shareModule(module) {
  const { fetch } = globalThis;
  if (module) globalThis.fetch = (address, ...more) => (String(address).endsWith(".wasm") ? Promise.resolve(new Response()) : fetch(address, ...more));
  WebAssembly.instantiateStreaming = async (response, imports) => {
    module ||= await WebAssembly.compileStreaming(response);
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  return () => module;
}

/* Start Python; return the generator function that answers a question. */
async function start(module) {
  const getModule = shareModule(module);
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
  postMessage({ kind: "ready", module: getModule() });
  return answers;
}

onmessage = async ({ data }) => {
  if ("module" in data) { resolve(start(data.module)); return; }
  const answers = await ready;
  for (const message of answers(JSON.stringify(data))) postMessage(JSON.parse(message));
};
