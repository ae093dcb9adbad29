import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { embedStatements } from '../../../src/sagas/memory/embedStatements.ts';
import { TryAgainLater } from '../../../src/sagas/saga.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { aConclusion } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';
import { answered } from '../../support/sagas.ts';

const who = { userId: 'ann', correlationId: 'test', causationId: null };

async function stated(): Promise<StoredEvent> {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const stored: StoredEvent[] = [];
  log.onAppended((events) => stored.push(...events));
  await log.append({ ...who, stream: 'memory-ann', expected: 'any', at: NOW, events: [aConclusion('c1')] });
  return stored[0] ?? assert.fail();
}

/** Two seconds after it was said, with a model that embeds, unless the test says otherwise. */
async function embedded(given: {
  readonly now?: number;
  readonly model?: string | undefined;
  readonly isResting?: boolean;
  readonly isMade?: boolean;
  readonly isDone?: boolean;
  readonly modelAfter?: string;
}) {
  const { now = NOW + 2_000, isResting = false, isMade = false, isDone = true } = given;
  const embedder = { model: 'model' in given ? given.model : 'small', isResting };
  const made: string[] = [];
  const vectors = {
    isMadeOf: async () => isMade,
    make: async ({ userId }: { readonly userId: string }) => {
      made.push(userId);
      embedder.model = given.modelAfter ?? embedder.model;
      return isDone;
    },
  };
  const saga = embedStatements({ embedder, vectors, clock: () => now });
  const event = await stated();
  assert.equal(saga.key(event), 'ann');
  const reaction = {
    failures: 0,
    signal: new AbortController().signal,
    run: () => assert.fail('no command'),
  };
  const later = await answered(saga, event, reaction).then(
    () => undefined,
    (error: unknown) => (error instanceof TryAgainLater ? error.afterMs : assert.fail(String(error))),
  );
  return { made, later };
}

describe('what is newly believed', () => {
  it('gets its vectors a second after it was said, with what else was said by then', async () => {
    assert.deepEqual(await embedded({ now: NOW + 400 }), { made: [], later: 600 });
    assert.deepEqual(await embedded({ now: NOW + 1_000 }), { made: ['ann'], later: undefined });
  });

  it('needs none where no model embeds, or where it has them', async () => {
    assert.deepEqual(await embedded({ model: undefined }), { made: [], later: undefined });
    assert.deepEqual(await embedded({ isMade: true }), { made: [], later: undefined });
  });

  it('waits half a minute for a model that is away, and asks nothing of it', async () => {
    assert.deepEqual(await embedded({ isResting: true }), { made: [], later: 30_000 });
  });

  it('waits a minute while somebody needs the machine, but not where another model is chosen meanwhile', async () => {
    assert.deepEqual(await embedded({ isDone: false }), { made: ['ann'], later: 60_000 });
    assert.deepEqual(await embedded({ isDone: false, modelAfter: 'other' }), {
      made: ['ann'],
      later: undefined,
    });
  });
});
