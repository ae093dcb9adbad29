import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  defer,
  finalize,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  tap,
  timer,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, test } from 'vitest';
import { SettableClock } from '../../src/clock.ts';
import type { Command } from '../../src/commands/command.ts';
import { eraseMemory } from '../../src/commands/memory/forgetting.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { createTask } from '../../src/commands/scheduler/createTask.ts';
import { fireTask } from '../../src/commands/scheduler/fireTask.ts';
import {
  changeWebhook,
  createWebhook,
  type WebhookState,
  webhookState,
} from '../../src/commands/webhooks/webhook.ts';
import { HarkError } from '../../src/errors.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { readWebhookEvent, type WebhookEvent, webhookStream } from '../../src/events/webhooks.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import { webhooks } from '../../src/projections/webhooks/webhooks.ts';
import { ClockScheduler } from '../../src/sagas/clockScheduler.ts';
import { TryAgainLater } from '../../src/sagas/saga.ts';
import {
  attemptOf,
  deliverWebhooks,
  failureIn,
  messageOf,
  nextFor,
  type SendMessage,
} from '../../src/sagas/webhooks.ts';
import { Log } from '../../src/store/log.ts';
import { StoredEvent } from '../../src/store/storedEvent.ts';
import { counted } from '../store/sampleEvents.ts';
import { fold, NOW } from '../support/given.ts';
import { runtimeOn, Witness } from '../support/sagas.ts';
import { WatchedAdapter } from '../support/watchedAdapter.ts';

const who = { userId: 'ann', correlationId: 'test' };
const webhookId = 'hook';
const arrived = { status: 204, retryAfter: undefined };
const gone = { status: 410, retryAfter: undefined };

interface Message {
  readonly topic: string;
  readonly task: string;
  readonly signal: AbortSignal;
}

/** A log with a webhook that is told of the tasks that are made; who delivers comes and goes. */
class World {
  readonly adapter = new WatchedAdapter();
  readonly clock = new SettableClock(NOW);
  readonly faults = new Witness<unknown>();
  readonly paused = new Witness<string>();
  readonly retries = new Witness<number | null>();
  readonly removed = new Witness<string>();
  readonly messages = new Witness<Message>();
  readonly log: Log;
  readonly #runner: StoreCommandRunner;
  readonly #views: ProjectionRuntime;

  private constructor(log: Log, adapter: WatchedAdapter) {
    this.adapter = adapter;
    this.log = log;
    this.#runner = new StoreCommandRunner({ store: log, clock: this.clock.read, newId: String });
    this.#views = new ProjectionRuntime(log, [webhooks]);
    log.onAppended((events) => {
      for (const stored of events) {
        const event = readWebhookEvent(stored);
        if (event?.type === 'webhook.paused') this.paused.add(event.data.because);
        if (event?.type === 'webhook.delivery.failed') this.retries.add(event.data.retryAt);
        if (event?.type === 'webhook.removed') this.removed.add(event.data.webhookId);
      }
    });
  }

  static async begin(topic = 'schedule.task.created'): Promise<World> {
    const adapter = new WatchedAdapter();
    const world = new World(await Log.open(adapter, eventCatalog), adapter);
    await world.#views.start();
    const secret = { iv: '', tag: '', data: '' };
    const webhook = { webhookId, url: 'https://example.com/', topics: [topic], secret };
    await world.#runner.run(createWebhook, webhook, who);
    return world;
  }

  async happen(...tasks: readonly string[]): Promise<void> {
    for (const taskId of tasks) {
      const schedule = { type: 'once', atTimestamp: NOW } as const;
      const task = { taskId, name: taskId, topic: `${taskId}.ready`, payload: null, schedule };
      await this.#runner.run(createTask, task, who);
      await this.#runner.run(fireTask, { taskId, presentSince: NOW, hasActor: () => false }, who);
    }
  }

  async change(change: { readonly topics?: readonly string[]; readonly status?: 'active' }): Promise<void> {
    const { status, ...changes } = change;
    await this.#runner.run(changeWebhook, { webhookId, changes, status }, who);
  }

  async forget(): Promise<void> {
    await this.#runner.run(eraseMemory, {}, who);
  }

  /** The process that has the lease, until the signal. */
  async deliver(signal: AbortSignal, answer: (message: Message) => ReturnType<SendMessage>): Promise<void> {
    const context = () => ({
      store: this.log,
      runner: this.#runner,
      known: this.#views.view(webhooks).byStream,
    });
    const send: SendMessage = (_target, { body }, until) => {
      const { type: topic, data } = JSON.parse(body);
      const message = { topic, task: data.data.taskId, signal: until };
      this.messages.add(message);
      return answer(message);
    };
    const onFailure = (_what: string, error: unknown) => this.faults.add(error);
    const { read, wake } = this.clock;
    const time = new ClockScheduler({ clock: read, wake });
    const runtime = runtimeOn(
      this.log,
      deliverWebhooks({ context, send, onAttempt: () => {}, events: eventCatalog }),
      {
        onFailure,
        time,
      },
    );
    runtime.start();
    if (!signal.aborted) await once(signal, 'abort');
    await runtime.stop();
  }

  async told(count: number): Promise<readonly string[]> {
    return (await this.messages.count(count)).map(({ task }) => task);
  }
}

const sampleRaw = {
  ...{ userId: 'ann', correlationId: 'cause', causationId: null, subject: null, sealed: null },
  ...{ position: 7, stream: 'sample', version: 1, type: counted.type, schema: 1, at: 0, data: '{"n":1}' },
};
const sampleEvent = new StoredEvent(sampleRaw, counted);

describe('a webhook', () => {
  test('is told of what happened since it was made, also when nobody delivered then', async () => {
    const world = await World.begin();
    await world.happen('early');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    assert.deepEqual(await world.told(1), ['early']);
    end.abort();
    await over;
  });

  test('is told of its topics, and of no other that events name', async () => {
    const world = await World.begin('tea.ready');
    await world.happen('coffee', 'tea');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    const [first] = await world.messages.count(1);
    assert.equal(first?.topic, 'tea.ready');
    end.abort();
    await over;
  });

  test('is told of other topics when it wants others', async () => {
    const world = await World.begin('tea.ready');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    await world.happen('tea');
    await world.messages.count(1);
    await world.change({ topics: ['coffee.ready'] });
    await world.happen('tea-again', 'coffee');
    const topics = (await world.messages.count(2)).map(({ topic }) => topic);
    assert.deepEqual(topics, ['tea.ready', 'coffee.ready']);
    end.abort();
    await over;
  });

  test('is not asked before the date that it names', async () => {
    const world = await World.begin();
    await world.happen('one');
    const end = new AbortController();
    const retryAfter = new Date(NOW + 600_000).toUTCString();
    const over = world.deliver(end.signal, async () => ({ status: 503, retryAfter }));
    assert.deepEqual(await world.retries.count(1), [NOW + 600_000]);
    end.abort();
    await over;
  });

  test('of a user of whom all was erased is removed when there would be something to tell', async () => {
    const world = await World.begin();
    await world.forget();
    await world.happen('one');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    assert.deepEqual(await world.removed.count(1), [webhookId]);
    assert.deepEqual(world.messages.items, []);
    end.abort();
    await over;
  });

  test('goes on where it stood when it was paused in the midst of what there was to tell', async () => {
    const world = await World.begin();
    await world.happen('one', 'two');
    const end = new AbortController();
    const over = world.deliver(end.signal, async ({ task }) =>
      task === 'two' && world.paused.items.length === 0 ? gone : arrived,
    );
    assert.deepEqual(await world.paused.count(1), ['dead']);
    await world.change({ status: 'active' });
    await world.happen('three');
    assert.deepEqual(await world.told(4), ['one', 'two', 'two', 'three']);
    end.abort();
    await over;
  });

  test('is not told again of what arrived when another process goes on', async () => {
    const world = await World.begin();
    await world.happen('one', 'two');
    const end = new AbortController();
    const answer = Promise.withResolvers<typeof arrived>();
    const over = world.deliver(end.signal, async ({ task }) => (task === 'one' ? arrived : answer.promise));
    await world.told(2);
    end.abort();
    answer.resolve(arrived);
    await over;
    const next = new AbortController();
    const nextOver = world.deliver(next.signal, async () => arrived);
    // Whether the second arrived, nobody heard.
    assert.deepEqual(await world.told(3), ['one', 'two', 'two']);
    next.abort();
    await nextOver;
  });

  test('is left to whoever delivers to it as well', async () => {
    const world = await World.begin();
    await world.happen('one', 'two');
    const end = new AbortController();
    const stopped = Promise.withResolvers<typeof arrived>();
    const over = world.deliver(end.signal, ({ task, signal }) => {
      signal.addEventListener('abort', () => stopped.resolve(arrived));
      return task === 'one' ? Promise.resolve(arrived) : stopped.promise;
    });
    await world.told(2);
    const cursor = webhookStream(who.userId, { webhookId });
    await world.log.moveCursor(cursor, await world.log.readCursor(cursor), await world.log.head());
    await stopped.promise;
    end.abort();
    await over;
  });

  test('is told on after a fault, which is told of, and after the log was away, which is not', async () => {
    const world = await World.begin();
    const fault = new RangeError('no such cursor');
    const errors = [fault, new HarkError('KVSTORE_UNAVAILABLE')];
    world.adapter.before = (name) => {
      const error = name === 'moveCursor' ? errors.shift() : undefined;
      if (error) throw error;
    };
    await world.happen('one');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    assert.deepEqual(await world.told(1), ['one']);
    assert.deepEqual(world.faults.items, [fault]);
    end.abort();
    await over;
  });
});

describe('who delivers webhooks', () => {
  test('ends at once when the lease was lost before it began', async () => {
    const world = await World.begin();
    await world.happen('one');
    await world.deliver(AbortSignal.abort(), async () => arrived);
    assert.deepEqual(world.messages.items, []);
  });

  test('is over when the last message is, and not before', async () => {
    const world = await World.begin();
    await world.happen('one');
    const end = new AbortController();
    const answer = Promise.withResolvers<typeof arrived>();
    const ends: string[] = [];
    const over = world.deliver(end.signal, () => answer.promise).then(() => ends.push('delivery'));
    await world.told(1);
    end.abort();
    setImmediate(() => {
      ends.push('message');
      answer.resolve(arrived);
    });
    await over;
    assert.deepEqual(ends, ['message', 'delivery']);
  });
});

const secret = { iv: '', tag: '', data: '' };
const created: WebhookEvent = {
  type: 'webhook.created',
  data: { webhookId, url: 'https://example.com/', topics: [counted.type], secret },
};
const failed = (retryAt: number | null): WebhookEvent => ({
  type: 'webhook.delivery.failed',
  data: { webhookId, position: 7, failures: 1, reason: 'HTTP_500', retryAt },
});

describe('what is next for a webhook that is to be told something', () => {
  const after = (...events: readonly WebhookEvent[]) => nextFor(fold(webhookState, events), NOW);

  test('is the message', () => {
    assert.deepEqual(after(created), {
      is: 'message',
      to: { url: 'https://example.com/', secret },
      failures: 0,
    });
  });

  test('is nothing when it is not there, or paused', () => {
    assert.deepEqual(after(), { is: 'nothing' });
    const paused: WebhookEvent = { type: 'webhook.paused', data: { webhookId, because: 'asked' } };
    assert.deepEqual(after(created, paused), { is: 'nothing' });
  });

  test('is to wait until it is to be tried again, and then the message', () => {
    assert.deepEqual(after(created, failed(NOW + 1)), { is: 'wait', until: NOW + 1 });
    assert.equal(after(created, failed(NOW)).is, 'message');
  });

  test('is to be removed when where it was to go is erased', () => {
    const state = fold(webhookState, [created]);
    assert.deepEqual(state && nextFor({ ...state, url: null }, NOW), { is: 'removal' });
    assert.deepEqual(state && nextFor({ ...state, secret: null }, NOW), { is: 'removal' });
  });
});

describe('what became of a message', () => {
  test('is that it arrived, with any status of success', () => {
    for (const status of [200, 204, 299])
      assert.equal(failureIn({ status, retryAfter: undefined }, NOW), null);
  });

  test('is a failure with any other, for good with 410', () => {
    const failure = (status: number) => failureIn({ status, retryAfter: undefined }, NOW);
    for (const status of [199, 300]) assert.equal(failure(status)?.reason, `HTTP_${status}`);
    assert.deepEqual(failure(302), { reason: 'HTTP_302', isGone: false, notBefore: NOW });
    assert.deepEqual(failure(410), { reason: 'HTTP_410', isGone: true, notBefore: NOW });
    const refused = failureIn({ failed: 'TARGET_FORBIDDEN' }, NOW);
    assert.deepEqual(refused, { reason: 'TARGET_FORBIDDEN', isGone: false, notBefore: NOW });
  });

  test('says when it may be asked again, within a day', () => {
    const notBefore = (retryAfter: string) => failureIn({ status: 503, retryAfter }, NOW)?.notBefore;
    assert.equal(notBefore('120'), NOW + 120_000);
    assert.equal(notBefore(new Date(NOW + 5_000).toUTCString()), NOW + 5_000);
    assert.equal(notBefore('999999999'), NOW + 86_400_000);
    assert.equal(notBefore('soon'), NOW);
  });
});

describe('an attempt', () => {
  const times = { startedAt: NOW - 30, now: NOW };

  test('tells when it was over, how long it took, and that the message arrived', () => {
    const attempt = { position: 7, at: NOW, ms: 30, status: 204, reason: null };
    assert.deepEqual(attemptOf(arrived, sampleEvent, times), attempt);
  });

  test('tells with which status it was refused, or why nobody was asked', () => {
    const refused = attemptOf({ status: 500, retryAfter: undefined }, sampleEvent, times);
    assert.partialDeepStrictEqual(refused, { status: 500, reason: 'HTTP_500' });
    const unasked = attemptOf({ failed: 'TARGET_FORBIDDEN' }, sampleEvent, times);
    assert.partialDeepStrictEqual(unasked, { status: null, reason: 'TARGET_FORBIDDEN' });
  });
});

describe('a message', () => {
  test('is the event under its topic, and has the id that follows from it however often it is sent', () => {
    const { id, body } = messageOf(sampleEvent);
    const digest = createHash('sha256').update(`${sampleEvent.id} 0`).digest('hex');
    assert.equal(id, `msg_${digest.slice(0, 32)}`);
    assert.deepEqual(JSON.parse(body), {
      ...{ type: counted.type, timestamp: '1970-01-01T00:00:00.000Z' },
      data: JSON.parse(JSON.stringify(sampleEvent)),
    });
  });
});

describe('the webhooks that are told', () => {
  const stream = webhookStream('ann', { webhookId });
  const webhook = { userId: 'ann', webhookId, since: 3, topics: [counted.type], isActive: true };

  /** With what the log says of the webhook, where it says anything. */
  function group(
    state: WebhookState | null = fold(webhookState, [created]),
    over: Partial<typeof webhook> = {},
  ) {
    const listeners: ((events: readonly StoredEvent[]) => void)[] = [];
    const sent: string[] = [];
    const faults: unknown[] = [];
    const runner = {
      read: () => of(state),
      run: () =>
        defer(() => {
          throw faults.shift() ?? new Error('nothing is recorded');
        }),
    };
    const store = {
      onAppended(listener: (events: readonly StoredEvent[]) => void) {
        listeners.push(listener);
        return () => {};
      },
    };
    const delivering = deliverWebhooks({
      context: () => ({ store, runner, known: { [stream]: { ...webhook, ...over } } }),
      send(target) {
        sent.push(target.stream);
        return of({ status: 500, retryAfter: undefined });
      },
      onAttempt: () => {},
      events: eventCatalog.concat(counted),
    });
    const time = new TestScheduler(assert.deepEqual);
    const react = (event: StoredEvent) => {
      const { signal } = new AbortController();
      const saga = delivering.saga(stream, time);
      const reaction = { failures: 0, signal, run: () => new Promise<never>(() => {}) };
      return lastValueFrom(merge(saga?.react(event, reaction) ?? NEVER), { defaultValue: undefined });
    };
    const append = (...events: readonly StoredEvent[]) => {
      for (const listener of listeners) listener(events);
    };
    return { delivering, time, react, append, sent, faults };
  }

  /** An event of this type in this stream. */
  const eventOf = (type: string, ofStream: string) =>
    new StoredEvent(
      { ...sampleRaw, type, stream: ofStream },
      eventCatalog.concat(counted).find((definition) => definition.type === type),
    );

  test('are those that are known, and each of which something is recorded from then on', () => {
    const { delivering, append } = group();
    const changes: string[] = [];
    delivering.changes.subscribe((name) => changes.push(name));
    append(eventOf('webhook.paused', 'webhook-a'), eventOf(counted.type, 'other'));
    append(eventOf('webhook.created', 'webhook-b'));
    assert.deepEqual(changes, [stream, 'webhook-a', 'webhook-b']);
  });

  test('are none that are paused, nor any that are not there', () => {
    const { delivering, time } = group(undefined, { isActive: false });
    assert.equal(delivering.saga(stream, time), undefined);
    assert.equal(delivering.saga('webhook-other', time), undefined);
  });

  test('hear of what is or may name one of their topics, and happened since they were made', () => {
    const { delivering, time } = group();
    const saga = delivering.saga(stream, time);
    assert.deepEqual(saga?.on.map(({ type }) => type).sort(), [
      counted.type,
      'schedule.task.fired',
      'workflow.topic.published',
    ]);
    assert.deepEqual(saga?.range, { userId: 'ann', since: 3 });
    assert.deepEqual(saga?.retry, {
      tries: Number.POSITIVE_INFINITY,
      firstPauseMs: 2_000,
      longestPauseMs: 2_000,
    });
  });

  test('hear nothing of what becomes of their own messages', async () => {
    const { react, sent } = group();
    await react(eventOf(counted.type, stream));
    assert.deepEqual(sent, []);
  });

  test('wait two seconds where the log has to tell first what became of them', async () => {
    const { react } = group(null);
    await assert.rejects(
      react(sampleEvent),
      (error) => error instanceof TryAgainLater && error.afterMs === 2_000,
    );
  });

  test('are not told again at once where noting what became of a message fails for another reason', async () => {
    const { react, sent, faults } = group();
    const fault = new RangeError('no good');
    faults.push(fault);
    await assert.rejects(react(sampleEvent), fault);
    assert.equal(sent.length, 1);
  });
});

/*
 * Deliveries in virtual time: a frame of the marbles is a millisecond. A small letter is a message that is sent, each
 * to a webhook of that name, and a large one is an event of which there is nothing more to do.
 */
describe('delivering', () => {
  interface Scene {
    /** What is said to each message. */
    readonly says: (
      letter: string,
      time: TestScheduler,
    ) => Observable<{ readonly status: number; readonly retryAfter: string | undefined }>;
    readonly letters?: string;
    /** Stands in the way of noting something down. */
    readonly before?: () => void;
    readonly stopAt?: number;
    readonly onAttempt?: (stream: string, attempt: unknown) => void;
    /** What the log says of the webhook. */
    readonly state?: WebhookState | null;
  }

  function play(expected: string, scene: Scene) {
    const { says, letters = 'a', before = () => {}, onAttempt = () => {}, stopAt } = scene;
    const { state = fold(webhookState, [created]) } = scene;
    const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
    const noted: string[] = [];
    time.run(({ expectObservable }) => {
      const seen = new Subject<string>();
      const stopping = new AbortController();
      if (stopAt !== undefined) time.schedule(() => stopping.abort(), stopAt);
      const names = Array.from(letters);
      const states = new Map<string, WebhookState | null>(
        names.map((name) => [webhookStream('ann', { webhookId: name }), state]),
      );
      const runner = {
        read: (_state: unknown, stream: string) => of(states.get(stream) ?? null),
        run<Input>(command: Command<Input, WebhookState | null>, input: Input) {
          before();
          const stream = command.stream(input, 'ann');
          let next = states.get(stream) ?? null;
          for (const fact of command.decide(next, input, { now: time.now(), newId: String })) {
            noted.push(fact.type);
            next = webhookState.evolve(next, { ...fact, at: time.now() });
          }
          states.set(stream, next);
          return of(1);
        },
      };
      const known = Object.fromEntries(
        names.map((name) => {
          const webhook = {
            userId: 'ann',
            webhookId: name,
            since: 0,
            topics: [counted.type],
            isActive: true,
          };
          return [webhookStream('ann', webhook), webhook];
        }),
      );
      const send: SendMessage = ({ stream }) => {
        const letter = stream.slice(-1);
        seen.next(letter);
        return says(letter, time);
      };
      const context = () => ({ store: { onAppended: () => () => {} }, runner, known });
      const group = deliverWebhooks({ context, send, onAttempt, events: [counted] });
      const reaction = { failures: 0, signal: stopping.signal, run: () => new Promise<never>(() => {}) };
      const told = names.map((letter) => {
        const saga = group.saga(webhookStream('ann', { webhookId: letter }), time);
        return merge(saga?.react(sampleEvent, reaction) ?? NEVER).pipe(
          tap({ complete: () => seen.next(letter.toUpperCase()) }),
          ignoreElements(),
        );
      });
      expectObservable(merge(seen, merge(...told).pipe(finalize(() => seen.complete())))).toBe(expected);
    });
    return noted;
  }

  const answering = (...statuses: readonly number[]) => {
    const left = [...statuses];
    return () => of({ status: left.shift() ?? 204, retryAfter: undefined });
  };

  test('tries again after 5 s, half a minute and two minutes, and notes that it was well again', () => {
    const noted = play('a 4999ms a 29999ms a 119999ms (aA|)', { says: answering(500, 500, 500) });
    const failure = 'webhook.delivery.failed';
    assert.deepEqual(noted, [failure, failure, failure, 'webhook.recovered']);
  });

  test('notes nothing of a message that arrived at once', () => {
    play('(aA|)', { says: answering(204), before: () => assert.fail('it is noted') });
  });

  test('notes that one attempt was followed by one that arrived', () => {
    assert.deepEqual(play('a 4999ms (aA|)', { says: answering(500) }), [
      'webhook.delivery.failed',
      'webhook.recovered',
    ]);
  });

  test('tells of each attempt how long it took', () => {
    const attempts: unknown[] = [];
    const says: Scene['says'] = (_letter, time) => timer(40, time).pipe(map(() => arrived));
    play('a 39ms (A|)', { says, onAttempt: (_stream, attempt) => attempts.push(attempt) });
    assert.deepEqual(attempts, [{ position: 7, at: 40, ms: 40, status: 204, reason: null }]);
  });

  test('removes what has nowhere to go any more, and is over with that', () => {
    const active = fold(webhookState, [created]);
    const noted = play('(A|)', { says: () => NEVER, state: active && { ...active, url: null } });
    assert.deepEqual(noted, ['webhook.removed']);
  });

  test('waits for as long as it is asked to', () => {
    const says = [{ status: 503, retryAfter: '3600' }];
    play('a 3599999ms (aA|)', { says: () => of(says.shift() ?? arrived) });
  });

  test('does not send again because what became of the message could not be noted', () => {
    let away = 3;
    const noted = play('a 7999ms (aA|)', {
      says: answering(500),
      before() {
        if (away-- > 0) throw new HarkError('KVSTORE_UNAVAILABLE');
      },
    });
    assert.equal(noted.length, 2);
  });

  test('leaves alone what is under way when it is to stop, and notes nothing of it', () => {
    const says: Scene['says'] = (_letter, time) =>
      time.createColdObservable('100ms (r|)', { r: { status: 500, retryAfter: undefined } });
    assert.deepEqual(play('a 99ms (A|)', { says, stopAt: 50 }), []);
  });

  test('waits no longer when it is to stop', () => {
    play('a 49ms (A|)', { says: answering(500), stopAt: 50 });
  });

  test('sends 32 messages at once, whosesoever they are', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456';
    const says: Scene['says'] = (letter) => (letter === 'c' ? timer(70).pipe(map(() => arrived)) : NEVER);
    play(`(${letters.slice(0, 32)}) ${70 - 34}ms (C6)`, { says, letters, stopAt: 90 });
  });
});
