import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/*
 * A stateless server as the SDK's documentation shows it, with hark's tools: each request has a server of its own, on
 * which every tool is registered anew. They answer at once, with what `session.status` says when nobody talks.
 */

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Parameters<typeof z.fromJSONSchema>[0];
  readonly outputSchema?: Parameters<typeof z.fromJSONSchema>[0];
}

const listed: readonly Listed[] = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const tools = listed.map(({ name, description, inputSchema }) => ({
  name,
  description,
  inputSchema: z.fromJSONSchema(inputSchema),
}));
const nobody = { sessions: [], activeSessions: 0 };

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'service', version: '1.0.0' });
  for (const { name, ...config } of tools)
    server.registerTool(name, config, async () => ({
      content: [{ type: 'text', text: JSON.stringify(nobody) }],
      structuredContent: nobody,
    }));
  return server;
});

const answer = toNodeHandler(handler);
const http = createServer((request, response) => {
  const { method = 'GET', url = '/', headers } = request;
  void answer(Object.assign(request, { method, url, headers }), response);
});
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('It does not listen');
  console.log(JSON.stringify({ ports: { health: address.port, mcp: address.port } }));
});
process.on('SIGTERM', () => process.exit(0));
