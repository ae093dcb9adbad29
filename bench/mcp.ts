import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { inFolder } from './support/folder.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import { Watched } from './support/watched.ts';
import { LOAD_TOOLS, loadWithWrk } from './support/wrk.ts';

const SECONDS = 3;
const WARM_UP_SECONDS = 1;
const CONNECTIONS = 16;
const KEY = 'the-key-of-the-benchmark';
const VERSION = '2026-07-28';
const TOOL = 'session.status';
const DOCUMENTED = fileURLToPath(new URL('./support/mcpServer.ts', import.meta.url));

const _meta = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const mcp: Benchmark = {
  title: "`tools/call` over MCP, 16 connections, hark's tools",
  needs: LOAD_TOOLS,
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      const environment = { SERVICE_DATA_DIR: folder, SERVICE_API_KEY: KEY, CHAT_RATE_LIMIT: '1000000000' };
      const listing = join(folder, 'tools.json');
      let tools = 0;
      for (let round = 0; round < rounds; round++) {
        const ours = await Watched.hark(environment, 0);
        const listed = await list(ours.mcpUrl);
        tools = listed.length;
        writeFileSync(listing, JSON.stringify(listed));
        samples.add('hark', await measure(ours));
        samples.add('documented', await measure(await Watched.start([DOCUMENTED, listing], {}, 0)));
      }
      const documented = (column: string) => ({
        name: `the SDK's documented server, ${tools} tools`,
        figure: samples.median('documented', column),
      });
      const ours = (column: string) => samples.median('hark', column);
      return [
        ratioRow(
          'calls, with authentication and metrics',
          documented('perSecond'),
          ours('perSecond'),
          { least: 6 },
          '/s',
        ),
        ratioRow('p99', documented('p99'), ours('p99'), { most: 1 }, 'ms'),
        limitRow('main thread blocked at most', ours('blockedMs'), 10, 'ms'),
      ];
    }),
};

async function list(url: string): Promise<readonly object[]> {
  const body = message('tools/list', {});
  const answer = await fetch(url, { method: 'POST', headers: headersOf('tools/list'), body });
  return z.object({ result: z.object({ tools: z.array(z.looseObject({})) }) }).parse(await answer.json())
    .result.tools;
}

async function measure(server: Watched) {
  const body = message('tools/call', { name: TOOL, arguments: {} });
  const headers = Object.entries(headersOf('tools/call', TOOL)).map(([name, value]) => `${name}: ${value}`);
  const asked = { body, connections: CONNECTIONS };
  await loadWithWrk(server.mcpUrl, WARM_UP_SECONDS, headers, asked);
  server.watch();
  const { perSecond, p99 } = await loadWithWrk(server.mcpUrl, SECONDS, headers, asked);
  return { perSecond, p99, blockedMs: await server.stop() };
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
}

function headersOf(method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${KEY}`,
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}
