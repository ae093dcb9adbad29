import type { Command } from 'commander';
import { z } from 'zod';
import { CliFailure } from '../failure.ts';
import { globalOptions } from '../options.ts';
import { counted, print, printDocument, printRows, toned } from '../output.ts';
import { clientOf } from '../restClient.ts';

const SERVERS = 'api/tools/servers';
/** Connecting takes as long as the server's own limits let it. */
const TIMEOUT_MS = 60_000;

const server = z.looseObject({
  name: z.string(),
  prefix: z.string(),
  state: z.string(),
  tools: z.number(),
  refused: z.number(),
  version: z.string().optional(),
  error: z.string().optional(),
});
const listed = z.looseObject({ servers: z.array(server), problem: z.string().optional() });
const probed = z.looseObject({ server, ms: z.number() });

export function addTools(program: Command): void {
  const tools = program.command('tools').description('the tool servers that a running service uses');
  tools
    .command('status')
    .description('list them with their state')
    .action((_options: unknown, command: Command) => status(command));
  tools
    .command('probe')
    .description('ask one for its tools now; exit code 1 when it does not answer')
    .argument('<name>', 'of the tool server')
    .action((name: string, _options: unknown, command: Command) => probe(name, command));
}

async function status(command: Command): Promise<void> {
  const answer = await clientOf(command).get(SERVERS, listed);
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.servers.length === 0) print('nothing');
  else printRows(answer.servers.map(rowOf));
  if (answer.problem !== undefined) print(toned('red', answer.problem));
}

async function probe(name: string, command: Command): Promise<void> {
  const path = `${SERVERS}/${encodeURIComponent(name)}/probe`;
  const sent = { method: 'POST', body: {}, timeoutMs: TIMEOUT_MS } as const;
  const answer = await clientOf(command).ask(path, probed, sent);
  if (globalOptions(command).json) printDocument(answer);
  else printRows([[...rowOf(answer.server), `${answer.ms} ms`]]);
  if (answer.server.state !== 'connected') throw new CliFailure(`${name} is not connected`);
}

function rowOf({ name, prefix, state, tools, refused, version, error }: z.output<typeof server>): string[] {
  const has = refused > 0 ? `${counted(tools, 'tool')}, ${refused} refused` : counted(tools, 'tool');
  return [state, name, `${prefix}.*`, has, version ?? '–', error ?? ''];
}
