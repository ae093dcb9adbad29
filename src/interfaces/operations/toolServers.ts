import { z } from 'zod';
import type { ToolServerStatus } from '../../application/chat/toolServer.ts';
import type { ProbedServer } from '../../application/chat/toolServers.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { toolServersAt } from '../../projections/tools/toolServers.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineOperation, id, moment } from '../operation.ts';

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

export function toolServerOperations(
  toolServers: ToolServerDependencies,
  kvstore: Pick<Kvstore, 'reachable'>,
): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'tools.servers',
      area,
      device: 'never',
      summary: 'The configured tool servers and their state',
      description:
        'With `at`, as the log knows it: when each was connected or lost, and how many tools it had. Of a server whose ' +
        'state changed more than ten times an hour, not every change is in the log.',
      rest: { method: 'GET', path: '/api/tools/servers' },
      input: () => z.object({ at: moment() }),
      output: () =>
        z.object({
          servers: z.array(server()),
          count: z.int(),
          problem: z.string().exactOptional().describe('Why the file is not used; the servers are unchanged'),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run({ at }) {
        if (at !== undefined) {
          const servers = await toolServersAt(kvstore.reachable().store, at);
          return { servers: [...servers], count: servers.length };
        }
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
