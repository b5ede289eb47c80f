// Speaks to `mnemic mcp` over stdio as the Model Context Protocol's JavaScript SDK does.
//
//     node javascript_client.mjs WORK.json     (the SDK is looked for beside this file)
//
// WORK.json has `command`, `args`, `cwd` and `calls` ({name, arguments}). The answer is one JSON object:
// `tools`, `prompts`, `resources` by name, and `answers`, one a call, in their order.

import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const work = JSON.parse(readFileSync(process.argv[2], "utf8"));
const transport = new StdioClientTransport({
  command: work.command,
  args: work.args,
  cwd: work.cwd,
  env: { ...process.env },
});
const client = new Client({ name: "javascript-client", version: "1" });
await client.connect(transport);

const told = {
  tools: (await client.listTools()).tools.map((one) => one.name),
  prompts: (await client.listPrompts()).prompts.map((one) => one.name),
  resources: (await client.listResources()).resources.map((one) => one.uri),
  answers: [],
};
for (const call of work.calls) {
  const result = await client.callTool(call);
  const texts = result.content.filter((one) => one.type === "text").map((one) => one.text);
  told.answers.push({ failed: result.isError === true, text: texts.join("") });
}
await client.close();
process.stdout.write(JSON.stringify(told) + "\n");
