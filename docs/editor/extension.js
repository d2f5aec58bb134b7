/* Starts `csp lsp` and shows what its lenses say. */

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("alldifferent").get("command");
  const documentSelector = [{ language: "alldifferent" }];
  client = new LanguageClient("alldifferent", { command, args: ["lsp"] }, { documentSelector });
  return client.start();
};

exports.deactivate = () => client?.stop();
