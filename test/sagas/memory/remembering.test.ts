import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import type { Understanding } from '../../../src/application/memory/ports.ts';
import { hearReply } from '../../../src/commands/chat/afterwards.ts';
import { advanceTurn, type ReceiveMessage, receiveMessage } from '../../../src/commands/chat/turns.ts';
import { eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { changePreferences } from '../../../src/commands/settings/changePreferences.ts';
import { isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { nothingDone } from '../../../src/events/turnEndings.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { rememberTurns } from '../../../src/sagas/memory/remembering.ts';
import type { Reaction } from '../../../src/sagas/saga.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { aConclusion } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';
import { answered } from '../../support/sagas.ts';

const ann = { userId: 'ann', correlationId: 'test' };
const finding = {
  text: 'The user lives in Oslo',
  type: 'corrected',
  confidence: 0.9,
  about: null,
  by: 'offline',
  turnIds: ['t1'],
} as const;

/** A correction, and a good answer. */
const corrected: Understanding = {
  ...{ summary: 'Lives in Oslo', topic: 'home', keywords: [], importance: 3, reasons: [] },
  ...{ trivial: false, findings: [finding], answer: { importance: 8, reasons: [] }, by: 'offline' },
};

interface Turn extends Partial<ReceiveMessage> {
  readonly answer?: string;
  /** What memory had put before the model. */
  readonly recalled?: readonly string[];
}

class World {
  readonly log: Log;
  readonly runner: StoreCommandRunner;
  readonly views: ProjectionRuntime;
  /** What was given to be understood. */
  readonly read: string[][] = [];
  /** Happens while it is being understood. */
  meanwhile: () => Promise<unknown> = async () => {};

  private constructor(log: Log) {
    this.log = log;
    this.runner = new StoreCommandRunner({ store: log, clock: () => NOW, newId: randomUUID });
    this.views = new ProjectionRuntime(log, []);
  }

  static async start(...events: readonly NewEvent[]): Promise<World> {
    const log = await Log.open(new MemoryAdapter(), eventCatalog);
    const place = { stream: memoryStream('ann'), expected: 'any', at: NOW, causationId: null } as const;
    if (events.length > 0) await log.append({ ...ann, ...place, events });
    return new World(log);
  }

  /** One that is answered. */
  async turn({ answer = 'I see.', recalled = [], ...given }: Turn = {}): Promise<StoredEvent> {
    const message: ReceiveMessage = {
      ...{ turnId: 't1', sessionId: 's1', platform: 'web', origin: 'user', instanceId: 'i' },
      ...{ images: [], text: 'No, I live in Oslo.' },
      ...given,
    };
    await this.runner.run(receiveMessage, message, ann);
    const { turnId, sessionId } = message;
    const place = { turnId, sessionId };
    const parts = [{ type: 'content' as const, text: answer }];
    const step = { step: 1, provider: 'cloud-a', model: 'm', parts, reasoning: null } as const;
    const { usage } = nothingDone;
    const data = { ...place, conversationId: turnId, ...step, usage };
    const sent = {
      type: 'chat.reply.sent',
      data: { ...data, metadata: { ...nothingDone, recalled } },
    } as const;
    let stored: StoredEvent | undefined;
    const end = this.log.onAppended((events) => {
      stored = events.at(-1);
    });
    await this.runner.run(advanceTurn, { ...place, events: [sent] }, ann);
    end();
    return stored ?? assert.fail();
  }

  async heard(characters: number): Promise<StoredEvent> {
    const heard = { sessionId: 's1', turnId: 't1', characters, isLast: true };
    const { position } = await this.runner.run(hearReply, heard, ann);
    for await (const { events } of this.log.readAll({ after: position - 1, until: position }))
      for (const event of events) return event;
    return assert.fail();
  }

  async remember(event: StoredEvent, understanding = corrected) {
    const saga = rememberTurns({
      context: () => ({ store: this.log, runner: this.runner, views: this.views }),
      understand: async (words) => {
        this.read.push(words.map(({ text }) => text));
        await this.meanwhile();
        return understanding;
      },
      retentionMs: () => 1_000,
      mostIngests: () => 5,
    });
    const reaction: Reaction = {
      failures: 0,
      signal: new AbortController().signal,
      run: (command, input, { step = '' } = {}) => {
        const { userId, correlationId, id } = event;
        return this.runner.run(command, input, {
          userId: userId ?? '',
          correlationId,
          commandId: `${id}:${step}`,
        });
      },
    };
    assert.equal(saga.key(event), 'ann');
    await answered(saga, event, reaction);
    return Object.values((await this.views.of(remembered, 'ann')).episodes);
  }
}

describe('a turn whose reply is spoken', () => {
  const spoken = { platform: 'voice', spoken: true as const, answer: 'I see. Oslo it is.' };

  it('is remembered once it is known how much of it was heard, and with that', async () => {
    const world = await World.start();
    assert.deepEqual(await world.remember(await world.turn(spoken)), []);
    const kept = await world.remember(await world.heard(6));
    assert.deepEqual(world.read, [['No, I live in Oslo.', 'I see.']]);
    assert.equal(kept.length, 1);
  });

  it('is remembered once, also where a client says later that it had played less', async () => {
    const world = await World.start();
    await world.turn(spoken);
    const once = await world.remember(await world.heard(18));
    assert.deepEqual(await world.remember(await world.heard(6)), once);
  });

  it('leaves nothing behind where no words of the user are kept', async () => {
    const world = await World.start();
    await world.runner.run(changePreferences, { preferences: { storeTranscripts: false } }, ann);
    await world.turn(spoken);
    assert.deepEqual(await world.remember(await world.heard(18)), []);
    assert.deepEqual(world.read, []);
  });
});

describe('a turn that was answered', () => {
  it('has a correction kept as an episode, from when it was answered, and what it says is believed', async () => {
    const world = await World.start();
    const kept = await world.remember(await world.turn());
    assert.deepEqual(world.read, [['No, I live in Oslo.', 'I see.']]);
    assert.deepEqual(
      kept.map(({ type, summary, importance }) => [type, summary, importance]),
      [['correction', 'Lives in Oslo', 3]],
    );
    for (const { sessionId, turnId, happenedAt, expiresAt } of kept)
      assert.deepEqual([sessionId, turnId, happenedAt, expiresAt], ['s1', 't1', NOW, NOW + 1_000]);
    const [conclusion] = Object.values((await world.views.of(remembered, 'ann')).conclusions);
    assert.equal(conclusion?.text, 'The user lives in Oslo');
  });

  it('has a good answer kept with its own weight', async () => {
    const world = await World.start();
    const kept = await world.remember(await world.turn(), { ...corrected, findings: [] });
    assert.deepEqual(
      kept.map(({ type, summary, importance }) => [type, summary, importance]),
      [['RESPONSE_INGEST', 'I see.', 8]],
    );
  });

  it('is remembered once, however often that is tried', async () => {
    const world = await World.start();
    const event = await world.turn();
    const kept = await world.remember(event);
    assert.deepEqual(await world.remember(event), kept);
  });

  it('is not read where the user keeps no memory', async () => {
    const world = await World.start();
    await world.runner.run(changePreferences, { preferences: { persistMemory: false } }, ann);
    assert.deepEqual(await world.remember(await world.turn()), []);
    assert.deepEqual(world.read, []);
  });

  it('is not read where what was said is forgotten', async () => {
    const world = await World.start();
    const event = await world.turn();
    await world.runner.run(eraseMemory, {}, ann);
    assert.deepEqual(await world.remember(event), []);
    assert.deepEqual(world.read, []);
  });

  it('is tried again where something was forgotten while it was being read', async () => {
    const world = await World.start();
    const event = await world.turn();
    world.meanwhile = () => world.runner.run(eraseMemory, {}, ann);
    await assert.rejects(world.remember(event), (error) => isHarkError(error, 'MEMORY_CHANGED'));
    assert.deepEqual(await world.remember(event), []);
    assert.equal(world.read.length, 1);
  });

  it('is not read where a schedule asked in a session, and kept with its source where it has none', async () => {
    const world = await World.start();
    const asked = { origin: 'schedule', source: 'task-1' } as const;
    assert.deepEqual(await world.remember(await world.turn(asked)), []);
    const alone = await world.turn({ ...asked, turnId: 't2', sessionId: null });
    const kept = await world.remember(alone, { ...corrected, findings: [] });
    assert.deepEqual(
      kept.map(({ type, source }) => [type, source]),
      [['task', 'task-1']],
    );
    assert.equal(world.read.length, 1);
  });

  it('is read without its answer where that only gives back what memory had said', async () => {
    const world = await World.start(aConclusion('c1', { text: 'The user plays the cello in Bergen' }));
    const echo = { answer: 'You play the cello in Bergen.', recalled: ['c1'] };
    const task = { sessionId: null, platform: 'task' };
    const understanding = { ...corrected, findings: [], answer: null };
    const said = await world.turn({ ...task, ...echo });
    assert.deepEqual(await world.remember(said, understanding), []);
    assert.deepEqual(world.read, [['No, I live in Oslo.']]);
    const correction = await world.remember(await world.turn({ ...task, ...echo, turnId: 't2' }));
    assert.deepEqual(correction[0]?.echoes, ['t2']);
  });

  it('says of no echo where there is none', async () => {
    const world = await World.start();
    const [kept] = await world.remember(await world.turn());
    assert.ok(kept && !('echoes' in kept) && !('source' in kept));
  });
});
