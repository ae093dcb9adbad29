import { setImmediate as breath } from 'node:timers/promises';
import type { Tool, ToolSelector } from '../src/application/chat/tool.ts';
import { ToolCalls } from '../src/application/chat/toolCalls.ts';
import { ToolFinder } from '../src/application/chat/toolFinder.ts';
import { ToolRegistry } from '../src/application/chat/toolRegistry.ts';
import { ToolSelection, ToolTokens } from '../src/application/chat/toolSelection.ts';
import { ToolVectors } from '../src/application/chat/toolVectors.ts';
import { Random } from '../test/support/random.ts';
import { percentile } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const TOOLS = 200;
const DIMENSIONS = 1_536;
const TURNS = 500;
const GOAL_MS = 2;
const VERBS = [
  'Creates',
  'Lists',
  'Cancels',
  'Turns on',
  'Reads',
  'Sends',
  'Locks',
  'Plays',
  'Measures',
  'Books',
];
const THINGS = [
  'lamp',
  'reminder',
  'letter',
  'door',
  'song',
  'invoice',
  'meeting',
  'heating',
  'photo',
  'parcel',
];

export const tools: Benchmark = {
  title: `Choosing the tools of a turn among ${TOOLS}, without the time of the embedding model`,
  async run(rounds) {
    const byWords = await timesOf(selectionOf(false), rounds * TURNS);
    const byMeaning = await timesOf(selectionOf(true), rounds * TURNS);
    return [
      limitRow('by words, p50', percentile(byWords, 50), GOAL_MS, 'ms'),
      limitRow('by words, p99', percentile(byWords, 99), GOAL_MS, 'ms'),
      limitRow(`by meaning, ${DIMENSIONS} dimensions, p50`, percentile(byMeaning, 50), GOAL_MS, 'ms'),
      limitRow(`by meaning, ${DIMENSIONS} dimensions, p99`, percentile(byMeaning, 99), GOAL_MS, 'ms'),
    ];
  },
};

/** Each turn asks something else; the first ones, in which all is loaded and learned, are left out. */
async function timesOf(selector: ToolSelector, turns: number): Promise<readonly number[]> {
  const { signal } = new AbortController();
  const lately = ['area3.tool7', 'area5.tool15'];
  const times: number[] = [];
  for (let turn = 0; turn < turns + TURNS; turn++) {
    const text = `Please ${VERBS[turn % 10]} the ${THINGS[turn % 7]} for me, number ${turn}, before it gets late`;
    await breath();
    const started = performance.now();
    const { shown } = await selector.select({ userId: 'bench', text, lately, signal });
    if (turn >= TURNS) times.push(performance.now() - started);
    if (shown.length < 2) throw new Error('Nothing was chosen');
  }
  return times;
}

function selectionOf(hasVectors: boolean): ToolSelector {
  const fail = (what: string, error: unknown) => {
    throw new Error(what, { cause: error });
  };
  const registry = new ToolRegistry(fail);
  registry.register('bench', ...Array.from({ length: TOOLS }, (_, index) => toolOf(index)));
  const random = new Random(1);
  const made = Array.from({ length: TOOLS }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random.next()),
  );
  const embed = async (texts: readonly string[]) => ({
    model: 'bench',
    vectors: made.slice(0, texts.length),
  });
  const vectors = new ToolVectors({
    isConfigured: () => hasVectors,
    embed,
    clock: Date.now,
    onFailure: fail,
  });
  return new ToolSelection({
    registry,
    finder: new ToolFinder(registry, vectors),
    calls: new ToolCalls({ registry, scopeOf: () => undefined, onFailure: fail }),
    tokens: new ToolTokens(async (texts) => texts.map(({ length }) => length)),
    limits: () => ({ maxTools: 8, similarityThreshold: 0.7, includeMetaTools: true, tokenBudget: 2_000 }),
  });
}

function toolOf(index: number): Tool {
  const [verb, thing] = [VERBS[index % 10], THINGS[Math.floor(index / 10) % 10]];
  return {
    name: `area${index % 20}.tool${index}`,
    description: `${verb} a ${thing} of the user, or several of them, and tells afterwards what has become of each.`,
    category: `area${index % 20}`,
    device: 'always',
    input: { type: 'object', properties: { id: { type: 'string' }, count: { type: 'integer' } } },
    prepare: () => async () => 'done',
  };
}
