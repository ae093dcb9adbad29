import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { endSignals, type NumberedSignal } from '../../../src/application/chat/signals.ts';
import { Transcript } from '../../../src/application/chat/transcript.ts';
import {
  cancelled,
  exchangeOf,
  failed,
  interrupted,
  received,
  replied,
  stepTaken,
} from '../../support/chatFacts.ts';

const forever = new AbortController().signal;

async function all(transcript: Transcript, after?: string): Promise<readonly NumberedSignal[]> {
  return (await Array.fromAsync(transcript.read(after, forever))).flat();
}

async function told(transcript: Transcript, after?: string): Promise<readonly string[]> {
  return (await all(transcript, after)).map(({ signal }) =>
    'content' in signal ? `${signal.type}:${signal.content}` : signal.type,
  );
}

/** One that was told live, up to the middle of a step. */
function begun(): Transcript {
  const transcript = new Transcript();
  transcript.tell({ type: 'step', stepNumber: 1 });
  transcript.tell({ type: 'thinking', content: 'Hm. ' });
  transcript.tell({ type: 'thinking', content: 'Well.' });
  transcript.tell({ type: 'content', content: 'Good ' });
  transcript.tell({ type: 'content', content: 'evening' });
  return transcript;
}

const replay = (...facts: Parameters<typeof exchangeOf>) => {
  const transcript = new Transcript();
  transcript.catchUp(exchangeOf(...facts));
  return transcript;
};

describe('a transcript', () => {
  it('tells a reader who comes late all of it, in long pieces', async () => {
    const transcript = begun();
    end(transcript, replied('t1', 'Good evening'));
    assert.deepEqual(await told(transcript), ['step', 'thinking:Hm. Well.', 'content:Good evening', 'done']);
  });

  it('tells a reader who keeps up each piece when it comes', async () => {
    const transcript = new Transcript();
    const reader = transcript.read(undefined, forever);
    for (const piece of ['Good', ' even', 'ing']) {
      transcript.tell({ type: 'content', content: piece });
      const { value } = await reader.next();
      assert.deepEqual(
        value?.map(({ signal }: NumberedSignal) => signal),
        [{ type: 'content', content: piece }],
      );
    }
  });

  it('goes on in the middle of a text, and after what is there at once', async () => {
    const transcript = begun();
    end(transcript, replied('t1', 'Good evening'));
    assert.deepEqual(await told(transcript, '0.0'), ['thinking:Hm. Well.', 'content:Good evening', 'done']);
    assert.deepEqual(await told(transcript, '1.4'), ['thinking:Well.', 'content:Good evening', 'done']);
    assert.deepEqual(await told(transcript, '1.9'), ['content:Good evening', 'done']);
    assert.deepEqual(await told(transcript, '2.7'), ['content:ening', 'done']);
    assert.deepEqual(await told(transcript, 'done'), []);
  });

  it('tells everything to who names no place in it', async () => {
    const transcript = begun();
    end(transcript, replied('t1', 'Good evening'));
    for (const id of ['', 'x', '-1.0', '1', '1.0.0', '99999999999.1', '__proto__'])
      assert.equal((await told(transcript, id)).length, 4, id);
  });

  it('goes on where one that was read from the log does not reach yet', async () => {
    const transcript = replay(received('t1'));
    const reader = transcript.read('2.5', forever);
    const next = reader.next();
    transcript.catchUp(exchangeOf(received('t1'), stepTaken('t1', 1, 'thinking', 'Good evening')));
    transcript.catchUp(
      exchangeOf(received('t1'), stepTaken('t1', 1, 'thinking', 'Good evening'), replied('t1', 'Well', 2)),
    );
    const rest = [...((await next).value ?? []), ...(await Array.fromAsync(reader)).flat()];
    assert.deepEqual(
      rest.map(({ signal }) => signal.type),
      ['content', 'step', 'content', 'done'],
    );
    assert.deepEqual(rest[0]?.signal, { type: 'content', content: 'evening' });
  });

  it('tells a reader the last words whose last id a crash took', async () => {
    const live = await (async () => {
      const transcript = begun();
      transcript.close();
      return all(transcript);
    })();
    const recorded = replay(received('t1'), interrupted('t1'));
    for (const { id } of live) assert.deepEqual(await told(recorded, id), ['error', 'done'], id);
    assert.deepEqual(await told(recorded, 'error'), ['done']);
    assert.deepEqual(await told(recorded, 'done'), []);
  });

  it('leaves a reader at rest, and no later than the caller leaves', async () => {
    const gone = new AbortController();
    const reading = Array.fromAsync(begun().read('2.12', gone.signal));
    gone.abort();
    assert.deepEqual(await reading, []);
  });

  it('tells nothing more once it is closed, not even that it is done', async () => {
    const transcript = begun();
    const reading = told(transcript);
    transcript.close();
    assert.deepEqual(await reading, ['step', 'thinking:Hm. Well.', 'content:Good evening']);
  });

  for (const [why, fact, code] of [
    ['failed', failed('t1', 'MAX_STEPS'), 'MAX_STEPS'],
    ['cancelled', cancelled('t1'), 'INTERRUPTED'],
    ['interrupted', interrupted('t1'), 'INTERRUPTED'],
  ] as const) {
    it(`says why there is no reply where the turn was ${why}`, async () => {
      const [error, done] = await all(replay(received('t1'), fact));
      assert.deepEqual([error?.id, done?.id], ['error', 'done']);
      assert.equal(error?.signal.type === 'error' && error.signal.code, code);
      assert.equal(done?.signal.type, 'done');
    });
  }
});

function end(transcript: Transcript, ending: Parameters<typeof exchangeOf>[1]): void {
  assert.ok(ending);
  for (const signal of endSignals(exchangeOf(received('t1'), ending))) transcript.tell(signal);
}
