import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readUtterances } from '../scripts/intents/corpus.ts';
import { BuiltInIntents } from '../src/gateways/intent/builtInIntents.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const WARM_UP = 500;
const LONG = 10_000;
const FIRST = fileURLToPath(new URL('./support/firstIntent.ts', import.meta.url));

export const intent: Benchmark = {
  title: 'Telling what a text is about, built in',
  async run(rounds) {
    const classifier = new BuiltInIntents();
    const texts = readUtterances('challenge').map(({ text }) => text);
    const long = texts.map((text) => `${text} ${'and so on '.repeat(LONG / 10)}`.slice(0, LONG));
    await timesOf(classifier, texts.slice(0, WARM_UP));
    await timesOf(classifier, long.slice(0, WARM_UP));
    const short: number[] = [];
    const longest: number[] = [];
    const firsts = new Samples();
    for (let round = 0; round < rounds; round++) {
      short.push(...(await timesOf(classifier, texts)));
      longest.push(...(await timesOf(classifier, long)));
      firsts.add('first', firstOfAProcess());
    }
    return [
      limitRow('a sentence, p50', percentile(short, 50), 1, 'ms'),
      limitRow('a sentence, p99', percentile(short, 99), 1, 'ms'),
      limitRow('10,000 characters, p50', percentile(longest, 50), 1, 'ms'),
      limitRow('10,000 characters, p99', percentile(longest, 99), 1, 'ms'),
      limitRow('main thread blocked by the first of a process', firsts.median('first', 'blocked'), 10, 'ms'),
    ];
  },
};

function firstOfAProcess(): Record<string, number> {
  return JSON.parse(execFileSync(process.execPath, [FIRST], { encoding: 'utf8' }));
}

async function timesOf(classifier: BuiltInIntents, texts: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) {
    const started = performance.now();
    await classifier.classify(text);
    times.push(performance.now() - started);
  }
  return times;
}
