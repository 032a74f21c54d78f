// A session with the language server, by the library that editors use. Run by TestClient.
import {spawn} from "node:child_process";
import {createRequire} from "node:module";
import assert from "node:assert";
const require = createRequire(process.cwd() + "/");
const {createProtocolConnection, StreamMessageReader, StreamMessageWriter} = require("vscode-languageserver-protocol/node");

const [server, root] = process.argv.slice(2);
const child = spawn(server, [], {stdio: ["pipe", "pipe", "inherit"]});
const c = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
const next = method => new Promise(done => { const d = c.onNotification(method, p => { d.dispose(); done(p); }); });
let documents = [];
c.onRequest("window/showDocument", p => { documents.push(p); return {success: true}; });
c.listen();

const init = await c.sendRequest("initialize", {processId: process.pid, rootUri: "file://" + root, capabilities: {}});
assert(init.capabilities.codeActionProvider);
let published = next("textDocument/publishDiagnostics");
await c.sendNotification("initialized", {});
let found = await published;
assert.equal(found.uri, "file://" + root + "/store.go");
assert.equal(found.diagnostics.length, 1);
const d = found.diagnostics[0];
assert.equal(d.severity, 1);
assert(d.relatedInformation.length > 5 && d.relatedInformation.some(r => r.message.startsWith("(1) ")));

const actions = await c.sendRequest("textDocument/codeAction",
  {textDocument: {uri: found.uri}, range: d.range, context: {diagnostics: [d]}});
assert.equal(actions.length, 3);
const edit = actions[0].edit.changes[found.uri][0];
assert.match(edit.newText, /^\t+\/\/empire:ignore [0-9a-f]{8} .*\n$/);
const said = next("window/showMessage");
await c.sendRequest("workspace/executeCommand", actions[1].command);
assert.match((await said).message, /^Scenario \d+: /);
await c.sendRequest("workspace/executeCommand", actions[2].command);
await new Promise(done => setTimeout(done, 200));
assert.match(documents[0].uri, /^file:.*\.html#v[0-9a-f]{8}$/);

// Accepted by the action's edit and saved: what was shown is taken away, and comes again without it.
const fs = await import("node:fs");
const broken = fs.readFileSync(root + "/store.go", "utf8"), lines = broken.split("\n");
lines.splice(edit.range.start.line, 0, edit.newText.trimEnd());
const save = async text => {
  fs.writeFileSync(root + "/store.go", text);
  published = next("textDocument/publishDiagnostics");
  await c.sendNotification("textDocument/didSave", {textDocument: {uri: found.uri}});
  return (await published).diagnostics;
};
assert.deepEqual(await save(lines.join("\n")), []);
assert.equal((await save(broken)).length, 1);

// Mended and saved: what was shown is taken away.
assert.deepEqual(await save(fs.readFileSync(root + "/store.fixed", "utf8")), []);
await assert.rejects(c.sendRequest("nothing/known", {}));
await c.sendRequest("shutdown");
await c.sendNotification("exit");
await new Promise(done => child.on("exit", done));
console.log("ok");
process.exit(0);
