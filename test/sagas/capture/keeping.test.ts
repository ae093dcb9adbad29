import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'vitest';
import { type Segment, SegmentIntake } from '../../../src/application/capture/intake.ts';
import type { IntoWords } from '../../../src/application/capture/ports.ts';
import { SettableClock, type Wake } from '../../../src/clock.ts';
import { setConsent } from '../../../src/commands/capture/consent.ts';
import { startStream, stopStream } from '../../../src/commands/capture/streams.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { readCaptureEvent } from '../../../src/events/capture.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { capturing } from '../../../src/projections/capture/capturing.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { hearCaptures } from '../../../src/sagas/capture/hearCaptures.ts';
import { keepCaptures } from '../../../src/sagas/capture/keepCaptures.ts';
import { ClockScheduler } from '../../../src/sagas/clockScheduler.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { ConsentLevel } from '../../../src/vocabulary.ts';
import { makeSense } from '../../application/capture/world.ts';
import { FilesInMemory } from '../../support/filesInMemory.ts';
import { runtimeOn, Witness } from '../../support/sagas.ts';

const BEGIN = Date.parse('2026-01-10T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const USER = 'ann';
const who = { userId: USER, correlationId: 'test' };
/** Samples of silence. */
const SOUND = { is: 'media', bytes: Buffer.alloc(64), mimeType: 'audio/pcm' } as const;

const notAvailable: IntoWords = { isAvailable: async () => false, wordsOf: async () => '' };

/** A kitchen that is listened to, and both sagas that see to what comes of it. */
class World {
  readonly clock = new SettableClock(BEGIN);
  readonly files = new FilesInMemory();
  readonly streamId = randomUUID();
  /** What the log has of it, without what came in. */
  readonly told = new Witness<string>();
  readonly waits = new Witness<number>();
  readonly failures = new Witness<unknown>();
  readonly runner: StoreCommandRunner;
  readonly #log: Log;
  readonly #views: ProjectionRuntime;
  readonly #engines: { readonly audio: IntoWords; readonly video: IntoWords };

  private constructor(log: Log, views: ProjectionRuntime, audio: IntoWords) {
    this.#log = log;
    this.#views = views;
    this.#engines = { audio, video: notAvailable };
    this.runner = new StoreCommandRunner({ store: log, clock: this.clock.read, newId: randomUUID });
    log.onAppended((events) => {
      for (const stored of events) {
        const event = readCaptureEvent(stored);
        const { because = null, as = null } = Object(event?.data);
        const [, , what] = event?.type.split('.') ?? [];
        if (what && !['given', 'started', 'kept', 'sealed'].includes(what))
          this.told.add([what, because ?? as].filter((word) => word !== null).join(' '));
      }
    });
  }

  static async begin(level: ConsentLevel = 'active', audio: IntoWords = notAvailable): Promise<World> {
    const log = await Log.open(new MemoryAdapter(), eventCatalog);
    const views = new ProjectionRuntime(log, [capturing]);
    await views.start();
    const world = new World(log, views, audio);
    const { runner, streamId } = world;
    await runner.run(setConsent, { deviceId: 'kitchen', enabled: true, level }, who);
    const facts = { deviceId: 'kitchen', modalities: ['audio'], mode: 'active-participant' } as const;
    await runner.run(startStream, { ...facts, streamId, userId: USER, by: 'user' }, who);
    return world;
  }

  start(test: TestContext): void {
    const context = () => ({
      ...{ store: this.#log, runner: this.runner, views: this.#views },
      capturing: () => this.#views.view(capturing),
    });
    const { files } = this;
    const clock = this.clock.read;
    const onFailure = (_what: string, error: unknown) => this.failures.add(error);
    const wake: Wake = (at, callback) => {
      this.waits.add(at);
      return this.clock.wake(at, callback);
    };
    const time = new ClockScheduler({ clock, wake });
    for (const saga of [
      keepCaptures({ context, makeSense, files, clock, retentionMs: () => 30 * 24 * HOUR }),
      hearCaptures({ context, engines: this.#engines, files, clock, onFailure }),
    ]) {
      const runtime = runtimeOn(this.#log, saga, { runner: this.runner, onFailure, time });
      runtime.start();
      test.onTestFinished(() => runtime.stop());
    }
  }

  async take(material: Segment['material']): Promise<void> {
    const intake = new SegmentIntake({
      context: () => ({ runner: this.runner, views: this.#views }),
      ...{ files: this.files, clock: this.clock.read, engines: this.#engines },
      retentionMs: () => HOUR,
    });
    const facts = { streamId: this.streamId, segmentId: randomUUID(), startedAt: this.clock.read() };
    const { signal } = new AbortController();
    await intake.take({ ...facts, modality: 'audio', durationMs: 0, material }, { ...who, signal });
  }

  say(text: string): Promise<void> {
    return this.take({ is: 'text', text });
  }

  stop() {
    return this.runner.run(stopStream, { streamId: this.streamId, because: 'asked' }, who);
  }

  /** To this moment, once that is waited for. */
  async comeTo(at: number): Promise<void> {
    await this.waits.until((items) => items.includes(at));
    this.clock.advance(at - this.clock.read());
  }
}

describe('what is captured', () => {
  it('is over after a minute without a sign of life, and its words become an episode', async (test) => {
    const world = await World.begin();
    await world.say('I moved to Delft.');
    world.start(test);
    await world.comeTo(BEGIN + MINUTE);
    assert.deepEqual(await world.told.count(3), ['stopped silent', 'gathered', 'settled episode']);
  });

  it('becomes an episode every ten minutes, of a stream that goes on', async (test) => {
    const world = await World.begin();
    await world.say('I moved to Delft.');
    world.start(test);
    await world.waits.until((items) => items.includes(BEGIN + MINUTE));
    for (let said = 0; said < 550 * SECOND; ) {
      said += 50 * SECOND;
      world.clock.advance(BEGIN + said - world.clock.read());
      await world.say('And so on.');
      await world.comeTo(BEGIN + said + 10 * SECOND);
    }
    assert.deepEqual(world.told.items, []);
    await world.comeTo(BEGIN + 600 * SECOND);
    assert.deepEqual(await world.told.count(2), ['gathered', 'settled episode']);
  });

  it('waits for words, as long as it may, and is dropped then', async (test) => {
    const world = await World.begin();
    await world.take(SOUND);
    world.start(test);
    await world.stop();
    await world.comeTo(BEGIN + 24 * HOUR);
    assert.deepEqual(await world.told.count(2), ['stopped asked', 'dropped not-in-time']);
    await world.files.removals.count(1);
    assert.equal(world.files.kept.size, 0);
  });

  it('is words when there is something that hears, which is looked for every minute', async (test) => {
    let isThere = false;
    const world = await World.begin('active', {
      isAvailable: async () => isThere,
      wordsOf: async () => 'I moved to Delft.',
    });
    await world.take(SOUND);
    world.start(test);
    await world.stop();
    await world.waits.until((items) => items.includes(BEGIN + MINUTE));
    isThere = true;
    await world.comeTo(BEGIN + MINUTE);
    const expected = ['stopped asked', 'transcribed', 'gathered', 'settled episode'];
    assert.deepEqual(await world.told.count(4), expected);
    assert.equal(world.files.kept.size, 0);
  });

  it('is heard again after pauses that grow, where that failed, and is told of once', async (test) => {
    let tries = 0;
    const world = await World.begin('active', {
      isAvailable: async () => true,
      async wordsOf() {
        if (++tries < 4) throw new Error('It has the hiccups');
        return 'I moved to Delft.';
      },
    });
    await world.take(SOUND);
    world.start(test);
    await world.stop();
    // It is looked at every minute, and tried after one, two and four.
    for (let minutes = 1; minutes <= 7; minutes++) {
      await world.comeTo(BEGIN + minutes * MINUTE);
      const tried = minutes < 1 ? 1 : minutes < 3 ? 2 : minutes < 7 ? 3 : 4;
      await world.waits.until((items) => minutes === 7 || items.includes(BEGIN + (minutes + 1) * MINUTE));
      if (minutes < 7) assert.equal(tries, tried, `after ${minutes} minutes`);
    }
    assert.equal((await world.told.count(2))[1], 'transcribed');
    assert.deepEqual([tries, world.failures.items.length], [4, 1]);
  });
});
