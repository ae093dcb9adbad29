/*
 * A process on a Redis that it shares. Told so, it issues commands to one stream, as several writers of one user at
 * once, and answers what became of each.
 */
import { defineCommand } from '../../src/commands/command.ts';
import { isHarkError } from '../../src/errors.ts';
import { Log } from '../../src/store/log.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { counted, forgotten, noted } from '../store/sampleEvents.ts';
import { countingCatalog, runnerOn, sumState } from '../support/counting.ts';

/** `nothing` decides on no event: whoever lost against another finds that there is nothing left to do. */
export interface Wish {
  readonly kind: 'count' | 'note' | 'forget' | 'nothing';
  readonly note: string;
}

export interface Round {
  readonly stream: string;
  /** The wishes of each writer, one after the other. */
  readonly writers: readonly (readonly Wish[])[];
}

export interface Fulfilled {
  readonly kind: Wish['kind'];
  readonly version: number;
  readonly ms: number;
  /** What it was refused with, if it was. */
  readonly refusal?: string;
}

const fulfil = defineCommand({
  name: 'sample.fulfil',
  state: sumState,
  scope: 'user',
  stream: ({ stream }: { readonly stream: string; readonly wish: Wish }) => stream,
  decide(_state, { wish }) {
    switch (wish.kind) {
      case 'nothing':
        return [];
      case 'count':
        return [{ type: counted.type, data: { n: 1 } }];
      case 'note':
        return [{ type: noted.type, data: { note: wish.note, text: 'some words', words: 2 } }];
      case 'forget':
        return [{ type: forgotten.type, data: { notes: [wish.note] } }];
    }
  },
});

const [url = ''] = process.argv.slice(2);
const log = await Log.open(await RedisAdapter.open(url), countingCatalog);
const runner = runnerOn(log);
process.on('message', (round: Round) => void take(round));
process.send?.('ready');

async function take({ stream, writers }: Round): Promise<void> {
  const fulfilled = await Promise.all(
    writers.map(async (wishes) => {
      const outcomes: Fulfilled[] = [];
      for (const wish of wishes) outcomes.push(await outcomeOf(stream, wish));
      return outcomes;
    }),
  );
  process.send?.(fulfilled.flat());
}

async function outcomeOf(stream: string, wish: Wish): Promise<Fulfilled> {
  const began = performance.now();
  const ms = () => performance.now() - began;
  try {
    const context = { userId: 'ann', correlationId: stream };
    const { version } = await runner.run(fulfil, { stream, wish }, context);
    return { kind: wish.kind, version, ms: ms() };
  } catch (error) {
    const refusal = isHarkError(error) ? error.code : String(error);
    return { kind: wish.kind, version: 0, ms: ms(), refusal };
  }
}
