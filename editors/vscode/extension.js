// Starts `forebay lsp` for OpenQueue files.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const command = vscode.workspace.getConfiguration("forebay").get("path", "forebay");
  const server = { command, args: ["lsp"] };
  const selector = [{ language: "openqueue" }];
  client = new LanguageClient("forebay", "OpenQueue", server, { documentSelector: selector });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(
      `\`${command} lsp\` does not start: ${error.message}. Set forebay.path to where the forebay command is.`,
      "Open the setting",
    );
    if (choice) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "forebay.path");
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("forebay.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("forebay.path")) {
        await restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
