import assert from 'node:assert/strict';
import { map } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import type { Capturing } from '../../../src/projections/capture/capturing.ts';
import { allThatIsOpen, looksNeeded, recordings } from '../../../src/sagas/capture/looksNeeded.ts';
import { StoredEvent } from '../../../src/store/storedEvent.ts';

/** Words of a's wait, and a recording of b's. */
const byStream: Capturing['byStream'] = {
  'capture-a': { userId: 'a', streams: ['s'], batches: ['e'], media: [] },
  'capture-b': { userId: 'b', streams: [], batches: [], media: ['m'] },
};

/** Each of somebody who is called by the same letter, in upper case. */
const letters: Readonly<Record<string, string>> = {
  k: 'capture.segment.kept',
  s: 'capture.segment.sealed',
  t: 'capture.segment.transcribed',
  g: 'capture.stream.started',
  p: 'capture.paused',
  o: 'memory.erased',
};

function eventOf(letter: string): StoredEvent {
  const who = { userId: letter.toUpperCase(), correlationId: 'test', causationId: null };
  const place = { position: 1, version: 1, stream: 'capture', at: 0 };
  const type = letters[letter] ?? assert.fail(letter);
  const what = { type, schema: 1, data: '{}', subject: null, sealed: null };
  return new StoredEvent({ ...who, ...place, ...what }, undefined);
}

/** Whose captures are looked at, as these events come. */
function play(events: string, expected: string, wanted: Parameters<typeof looksNeeded>[1]): void {
  const time = new TestScheduler((actual, hoped) => assert.deepEqual(actual, hoped));
  time.run(({ hot, expectObservable, expectSubscriptions }) => {
    const appended = hot(events);
    const store = {
      onAppended(listener: (events: readonly StoredEvent[]) => void) {
        const listening = appended.subscribe((letter) => listener([eventOf(letter)]));
        return () => listening.unsubscribe();
      },
    };
    const looks = looksNeeded({ store, capturing: () => ({ byStream }) }, wanted);
    expectObservable(looks.pipe(map(({ item }) => item)), '^ 20ms !').toBe(expected);
    expectSubscriptions(appended.subscriptions).toBe('^ 20ms !');
  });
}

describe('captures are looked at', () => {
  it('where anything was open at the beginning, and when anything happens but that words or recordings come', () => {
    play('5ms g 4ms k s t 4ms p o 9ms g', '(ab) - G 6ms T 4ms P', allThatIsOpen);
  });

  it('where recordings waited at the beginning, and when one comes', () => {
    play('- g 4ms k s t 4ms o p 20ms s', 'b 6ms S', recordings);
  });
});
