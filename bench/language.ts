import { Language } from '../src/language/language.ts';
import { requestsIn } from '../src/language/requests.ts';
import { longestBlock } from './support/mainThread.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow, type Row } from './support/table.ts';

const TURNS = 40;
const CONVERSATIONS = 50;
const AT = Date.UTC(2026, 10, 18, 12);

/** What is said over and over with other names: a user who tells things, an assistant who explains. */
const said = [
  [
    'user',
    "Hi, I'm Sarah and I live in Leeds. I work as a nurse at St. James's Hospital, mostly night shifts.",
  ],
  [
    'assistant',
    'Nice to meet you! Night shifts are hard on sleep. A fixed routine, dark curtains and no coffee after 2 am help most people.',
  ],
  [
    'user',
    "My sister Mia is visiting from Lisbon next weekend and she's allergic to peanuts. What could I cook for six people?",
  ],
  [
    'assistant',
    'For six people a vegetable lasagne works well: about 500 g of pasta, 1 kg of vegetables and ' +
      '400 g of cheese. Bake it for 40 minutes at 180 °C. Serve it with a green salad and bread.',
  ],
  [
    'user',
    'Great. Actually, I moved from the old flat to Headingley in June, is there a good market near there?',
  ],
  [
    'assistant',
    'There is a farmers market on the second Saturday of each month, in the car park behind the ' +
      'main street. Go early, since the bread sells out by ten.',
  ],
] as const;

export const language: Benchmark = {
  title: `Reading a conversation of ${TURNS} turns with no model, in its thread`,
  async run(rounds) {
    const samples = new Samples();
    for (let round = 0; round < rounds; round++) samples.add('hark', await measure());
    const row = (what: string, column: string, most: number, unit: string): Row =>
      limitRow(what, samples.median('hark', column), most, unit);
    return [
      row('the first, with the start of the thread', 'first', 1_500, 'ms'),
      row('p50', 'p50', 50, 'ms'),
      row('p99', 'p99', 150, 'ms'),
      row('main thread held up at most', 'block', 10, 'ms'),
      row('resident memory for the thread', 'mib', 120, 'MiB'),
      row('a turn that asks nothing of memory: to find that out, p99', 'asking', 2, 'ms'),
    ];
  },
};

async function measure(): Promise<Record<string, number>> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const language = new Language();
  const conversation = { turns: Array.from({ length: TURNS }, (_, index) => turn(index)) };
  const times: number[] = [];
  const read = async () => {
    const started = performance.now();
    const { statements } = await language.readConversation(conversation);
    if (statements.length === 0) throw new Error('Nothing was found');
    times.push(performance.now() - started);
  };
  await read();
  const first = times.pop() ?? Number.NaN;
  const block = await longestBlock(async () => {
    for (let index = 0; index < CONVERSATIONS; index++) await read();
  });
  const mib = (process.memoryUsage().rss - before) / 2 ** 20;
  await language.stop();
  const asking = timesOf(() => requestsIn(said[4][1]));
  return {
    ...{ first, p50: percentile(times, 50), p99: percentile(times, 99), block, mib },
    asking: percentile(asking, 99),
  };
}

/** On the main thread, before each turn of the user. */
function timesOf(work: () => unknown): readonly number[] {
  return Array.from({ length: 2_000 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
}

function turn(index: number): { role: string; text: string; at: number } {
  const [role, text] = said[index % said.length] ?? said[0];
  return { role, text, at: AT + index * 60_000 };
}
