import { Pace } from '../src/application/maintenance/pace.ts';
import {
  type ComparedStatement,
  selectCandidates,
} from '../src/sagas/maintenance/contradictions/candidates.ts';
import { Random } from '../test/support/random.ts';
import { longestBlock } from './support/mainThread.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const STATEMENTS = 20_000;
const DIMENSIONS = 384;
const NEAREST = 5;
const TOPICS = 300;
const NAIVE_ROWS = 40;

const verbs = ['likes', 'does not like', 'cooks', 'hates', 'collects', 'sells', 'paints', 'studies'];
const things = [
  'maps',
  'stamps',
  'soups',
  'boats',
  'violins',
  'orchids',
  'engines',
  'kites',
  'lamps',
  'clocks',
];

export const contradictions: Benchmark = {
  title: `Pairs that may contradict each other among ${STATEMENTS.toLocaleString('en-US')} conclusions`,
  async run(rounds) {
    const statements = made();
    const samples = new Samples();
    for (let round = 0; round < rounds; round++) {
      samples.add('by meaning', await measure(statements));
      samples.add('by words', await measure(statements.map((one) => ({ ...one, vector: undefined }))));
      samples.add('naive', { ms: naive(statements) });
    }
    const seconds = (samples.median('naive', 'ms') / 1_000).toFixed(0);
    const against = `every pair in JavaScript: ${seconds} s (${NAIVE_ROWS} rows, scaled)`;
    const row = (what: string, by: string, column: string, most: number, peer?: string) =>
      limitRow(what, samples.median(by, column), most, 'ms', peer);
    return [
      row(
        `the ${NEAREST} nearest of ${DIMENSIONS} numbers each, weighed`,
        'by meaning',
        'ms',
        1_300,
        against,
      ),
      row('main thread held up at most', 'by meaning', 'block', 10),
      row('the same with no model, by words', 'by words', 'ms', 3_000),
      row('main thread held up at most, by words', 'by words', 'block', 10),
    ];
  },
};

async function measure(statements: readonly ComparedStatement[]): Promise<Record<string, number>> {
  globalThis.gc?.();
  const { signal } = new AbortController();
  const selecting = { nearest: NEAREST, most: 500, settled: [], pace: new Pace(), signal };
  let ms = 0;
  const block = await longestBlock(async () => {
    const started = performance.now();
    const pairs = await selectCandidates(statements, selecting);
    ms = performance.now() - started;
    if (pairs.length !== 500) throw new Error(`${pairs.length} pairs were found`);
  });
  return { ms, block };
}

/** Statements around some topics, with vectors that are near each other where the topics are the same. */
function made(): readonly ComparedStatement[] {
  const random = new Random(3);
  const part = () => random.next() + random.next() + random.next() - 1.5;
  const centres = Array.from({ length: TOPICS }, () => Float32Array.from({ length: DIMENSIONS }, part));
  return Array.from({ length: STATEMENTS }, (_, index) => {
    const topic = random.whole(0, TOPICS);
    const [verb, thing] = [verbs[random.whole(0, verbs.length)], things[topic % things.length]];
    const text = `The user ${verb} ${thing} of kind ${topic} in room ${index}`;
    const vector = centres[topic]?.map((value) => value + 0.7 * part());
    return { text, topic: null, value: null, negated: null, vector };
  });
}

/** Some rows held against all others, as if it had been all. */
function naive(statements: readonly ComparedStatement[]): number {
  const vectors = statements.flatMap(({ vector }) => vector ?? []);
  const started = performance.now();
  for (const one of vectors.slice(0, NAIVE_ROWS)) {
    const best: number[] = [];
    for (const other of vectors) {
      let [product, a, b] = [0, 0, 0];
      for (let at = 0; at < DIMENSIONS; at++) {
        const [x, y] = [one[at] ?? 0, other[at] ?? 0];
        product += x * y;
        a += x * x;
        b += y * y;
      }
      const cosine = product / Math.sqrt(a * b);
      if (best.length < NEAREST || cosine > (best.at(-1) ?? 0)) {
        best.push(cosine);
        best.sort((first, second) => second - first);
        best.length = Math.min(best.length, NEAREST);
      }
    }
  }
  return ((performance.now() - started) * vectors.length) / NAIVE_ROWS;
}
