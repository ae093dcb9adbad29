import { join } from 'node:path';
import { importPeer } from '../ensurePeers.ts';
import { callAtOnce } from './measure.ts';
import { said, sessionOf } from './turns.ts';

/*
 * A process of its own: Mastra's agent with its memory in libsql files takes turns, some at once, and says how
 * many a second. What it can do besides, as recall by vectors, is off. It is called as the library that it is:
 * there is no server in the way.
 */

export interface MastraTurns {
  readonly folder: string;
  readonly modelUrl: string;
  readonly atOnce: number;
  readonly warmUp: number;
  readonly count: number;
}

interface MastraAgent {
  generate(text: string, options: unknown): Promise<{ readonly text: string }>;
}

type Construct<Made> = new (options: unknown) => Made;

const { folder, modelUrl, atOnce, warmUp, count }: MastraTurns = JSON.parse(process.argv[2] ?? '');

const { Agent } = await importPeer<{ Agent: Construct<MastraAgent> }>('@mastra/core/agent');
const { Memory } = await importPeer<{ Memory: Construct<unknown> }>('@mastra/memory');
const { LibSQLStore } = await importPeer<{ LibSQLStore: Construct<unknown> }>('@mastra/libsql');

const storage = new LibSQLStore({ id: 'store', url: `file:${join(folder, 'mastra.db')}` });
const agent = new Agent({
  id: 'agent',
  name: 'agent',
  instructions: 'You are an assistant.',
  model: { id: 'gateway/any', url: modelUrl, apiKey: 'sk-benchmark' },
  memory: new Memory({ storage, options: { lastMessages: 10, semanticRecall: false } }),
});
const take = async (turn: number, caller: number) => {
  const memory = { thread: sessionOf(caller, turn / atOnce), resource: 'user' };
  const { text } = await agent.generate(said.atOnce, { memory });
  if (text !== 'Hello') throw new Error(`The agent said ${text}`);
};
await callAtOnce(atOnce, warmUp, (turn, caller) => take(turn - warmUp, caller));
const { perSecond } = await callAtOnce(atOnce, count, take);
console.log(JSON.stringify({ perSecond }));
process.exit();
