import { z } from 'zod';
import type { ToolServerStatus } from '../../application/chat/toolServer.ts';
import type { ProbedServer } from '../../application/chat/toolServers.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { type AnyOperation, defineOperation, id } from '../operation.ts';

const area = 'tools';

const server = lazily(() =>
  z.object({
    name: z.string(),
    prefix: z.string(),
    state: z.enum(['connecting', 'connected', 'disconnected']),
    version: z.string().exactOptional().describe('Of the protocol that was agreed on'),
    tools: z.int(),
    refused: z.int().describe('Tools that it has and that cannot be used'),
    connectedAt: z.number().exactOptional(),
    error: z.string().exactOptional().describe('Why it is not connected'),
  }),
);

interface ToolServerDependencies {
  list(): readonly ToolServerStatus[];
  /** What is wrong with the file that describes them, if anything is. */
  problem(): string | undefined;
  /** Asks it for its tools, after connecting where it is not connected; undefined where there is none. */
  probe(name: string): Promise<ProbedServer | undefined>;
}

export function toolServerOperations(toolServers: ToolServerDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'tools.servers',
      area,
      device: 'never',
      summary: 'The configured tool servers and their state',
      rest: { method: 'GET', path: '/api/tools/servers' },
      input: () => z.object({}),
      output: () =>
        z.object({
          servers: z.array(server()),
          count: z.int(),
          problem: z.string().exactOptional().describe('Why the file is not used; the servers are unchanged'),
        }),
      errors: [],
      example: { input: {} },
      run() {
        const servers = [...toolServers.list()];
        const wrong = toolServers.problem();
        return { servers, count: servers.length, ...(wrong === undefined ? {} : { problem: wrong }) };
      },
    }),
    defineOperation({
      name: 'tools.probe',
      area,
      device: 'never',
      summary: 'Connects to one of them if needed, and asks it for its tools',
      rest: {
        method: 'POST',
        path: '/api/tools/servers/:name/probe',
        invalidId: 'Invalid tool server name format',
      },
      input: () => z.object({ name: id() }),
      output: () =>
        z.object({
          server: server(),
          ms: z.int(),
          tools: z.array(z.string()).readonly().describe('By the names by which models call them'),
        }),
      errors: ['TOOL_SERVER_UNKNOWN'],
      example: { input: { name: 'unknown' } },
      async run({ name }) {
        const probed = await toolServers.probe(name);
        if (!probed) throw new HarkError('TOOL_SERVER_UNKNOWN');
        return probed;
      },
    }),
  ];
}
