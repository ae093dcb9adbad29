import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { fc, test } from '@fast-check/vitest';
import type { Listening, StreamMessage } from '../../src/interfaces/operation.ts';
import { TopicListeners } from '../../src/interfaces/topicListening.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import type { Position } from '../../src/store/port.ts';
import { count, counted, note, noted, sampleCatalog } from '../store/sampleEvents.ts';

const EVENT_TYPES = sampleCatalog.map(({ type }) => type);
const MOST_TURNS = 10_000;

const choice = fc.record({
  userId: fc.constantFrom('ann', 'bob'),
  topics: fc.constantFrom(undefined, [counted.type], ['sample.note.*'], ['none']),
});
const append = fc.record({
  kind: fc.constant('append' as const),
  userId: fc.constantFrom(null, 'ann', 'bob'),
  times: fc.integer({ min: 1, max: 3 }),
});
const listen = fc.record({
  kind: fc.constant('listen' as const),
  choice,
  /** As a share of what there is; the rest begin now. */
  from: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  /** After so many batches it can take no more, and needs so many turns until it can. */
  pauses: fc.array(fc.record({ batches: fc.nat(3), turns: fc.nat(4) }), { maxLength: 4 }),
});
const step = fc.oneof(
  { weight: 4, arbitrary: append },
  { weight: 3, arbitrary: listen },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who: fc.nat() }) },
);

type Pauses = readonly { readonly batches: number; readonly turns: number }[];

/** Listens as a carrier does: together with others whenever it may, and by itself until then. */
class Ear {
  readonly heard: string[] = [];
  readonly leaving = new AbortController();
  readonly #pauses: Pauses;
  #pause = 0;
  #taken = 0;

  constructor(pauses: Pauses) {
    this.#pauses = pauses;
  }

  async listen(listening: Listening): Promise<void> {
    const tell = (batch: readonly StreamMessage[]) => this.#take(batch);
    for (let goesOn = true; goesOn && !this.leaving.signal.aborted; await this.#rest())
      goesOn = await (listening.join?.(tell) ?? this.#catchUp(listening, tell));
  }

  async #catchUp(listening: Listening, tell: (batch: readonly StreamMessage[]) => boolean): Promise<boolean> {
    for await (const batch of listening) {
      if (!this.#take(batch)) await this.#rest();
      const together = listening.join?.(tell);
      if (together) return together;
    }
    return false;
  }

  #take(batch: readonly StreamMessage[]): boolean {
    if (this.leaving.signal.aborted) return false;
    this.heard.push(...batch.map(({ id = '' }) => id));
    const pause = this.#pauses[this.#pause];
    if (!pause || ++this.#taken < pause.batches) return true;
    this.#taken = 0;
    return false;
  }

  async #rest(): Promise<void> {
    const turns = this.#pauses[this.#pause++]?.turns ?? 0;
    for (let count = 0; count < turns; count++) await turn();
  }
}

test.prop([fc.array(step, { maxLength: 40 })], { numRuns: 500 })(
  'whoever listens hears of all that it wants, in order and once, whoever else listens and however slowly',
  async (steps) => {
    const log = await Log.open(new MemoryAdapter(), sampleCatalog);
    const listeners = new TopicListeners(EVENT_TYPES);
    const written: { position: Position; type: string; userId: string | null }[] = [];
    const ears: { ear: Ear; expected: () => string[]; over: Promise<void> }[] = [];
    for (const given of steps) {
      if (given.kind === 'append')
        for (let time = 0; time < given.times; time++) {
          const { userId } = given;
          const isNote = userId !== null && time % 2 === 0;
          const { position } = await log.append(
            isNote ? note(userId, 'n', 'words') : count('sums', 1, { userId: null }),
          );
          written.push({
            position,
            ...(isNote ? { type: noted.type, userId } : { type: counted.type, userId: null }),
          });
        }
      else if (given.kind === 'listen') {
        const head = await log.head();
        const from = given.from === null ? head : Math.floor(given.from * head);
        const ear = new Ear(given.pauses);
        const { topics, userId } = given.choice;
        const expected = () =>
          written
            .filter((event) => event.position > from)
            .filter((event) => event.userId === null || event.userId === userId)
            .filter(({ type }) => !topics || topics.some((topic) => type.startsWith(topic.replace('*', ''))))
            .map(({ position }) => String(position));
        const over = ear.listen(listeners.listen(log, given.choice, from, ear.leaving.signal));
        ears.push({ ear, expected, over });
      } else if (given.kind === 'turn') await turn();
      else ears[given.who % ears.length]?.ear.leaving.abort();
    }
    const staying = ears.filter(({ ear }) => !ear.leaving.signal.aborted);
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      if (staying.every(({ ear, expected }) => ear.heard.length >= expected().length)) break;
      await turn();
    }
    for (const { ear, expected } of staying) assert.deepEqual(ear.heard, expected());
    for (const { ear, expected } of ears) assert.deepEqual(ear.heard, expected().slice(0, ear.heard.length));
    for (const { ear } of ears) ear.leaving.abort();
    await Promise.all(ears.map(({ over }) => over));
  },
);
