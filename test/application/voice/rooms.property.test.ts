import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { VoiceOptions } from '../../../src/application/voice/conversation.ts';
import { isHarkError } from '../../../src/errors.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { call, finish, type Speech, text } from '../chat/process.ts';
import { handsFree, noise, pushToTalk, silence, spoken, TestRooms, type Visitor } from './room.ts';

/** No two have a word in common. */
function replyOf(number: number): string {
  const words = 'First of all this is said. Then there is more of it, and it goes on. At last it ends here.';
  return words.replace(/\w+/g, (word) => `${word}${number}`);
}

type Step =
  | { readonly do: 'speak' | 'push'; readonly words: number }
  | { readonly do: 'noise' | 'wait'; readonly ms: number }
  | {
      readonly do:
        | 'lose'
        | 'return'
        | 'cancel'
        | 'respond'
        | 'truncate'
        | 'clear'
        | 'hush'
        | 'crash'
        | 'type'
        | 'second';
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('speak' as const, 'push' as const),
      words: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('noise' as const, 'wait' as const),
      ms: fc.integer({ min: 40, max: 3_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'lose' as const,
        'return' as const,
        'cancel' as const,
        'respond' as const,
        'truncate' as const,
        'clear' as const,
        'hush' as const,
        'crash' as const,
        'type' as const,
        'second' as const,
      ),
    }),
  },
);

/** Speaks in pieces, in time, and uses a tool now and then. */
function modelOf(rooms: () => TestRooms, count: () => number): Speech {
  return async function* ({ messages }, signal) {
    const number = count();
    if (number % 4 === 0 && messages.at(-1)?.role === 'user') {
      yield call(`call-${number}`);
      yield finish;
      return;
    }
    for (const piece of replyOf(number).split(/(?<= )/)) {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        rooms().pace.after(30, resolve);
      });
      if (signal.aborted) return;
      yield text(piece);
    }
    yield finish;
  };
}

class Scene {
  readonly store = new SharedStore();
  readonly #options: VoiceOptions;
  rooms!: TestRooms;
  ann!: Visitor;
  /** In all processes, as long as one session goes on. */
  readonly visitors: Visitor[] = [];
  readonly said: string[] = [];
  isLost = false;
  #words = 0;
  #asked = 0;

  constructor(options: VoiceOptions) {
    this.#options = options;
  }

  async begin(sessionId?: string): Promise<void> {
    this.rooms = await TestRooms.start(
      modelOf(
        () => this.rooms,
        () => ++this.#asked,
      ),
      this.store.hold(),
    );
    this.enter(sessionId);
  }

  enter(sessionId?: string): void {
    this.ann = this.rooms.enter(this.#options, sessionId);
    this.visitors.push(this.ann);
    this.isLost = false;
  }

  words(count: number): string {
    const words = Array.from({ length: count }, () => `word${++this.#words}`).join(' ');
    this.said.push(words);
    return words;
  }

  async take(step: Step): Promise<void> {
    const { ann, rooms } = this;
    const { talk } = ann;
    if (this.isLost && step.do !== 'return' && step.do !== 'wait' && step.do !== 'crash') return;
    switch (step.do) {
      case 'speak':
        return ann.hear(spoken(this.words(step.words)), silence(900));
      case 'push':
        talk.hear(spoken(this.words(step.words)));
        return talk.commit(true);
      case 'noise':
        return ann.hear(noise(step.ms), silence(300));
      case 'wait':
        return rooms.pace.pass(step.ms);
      case 'lose':
        this.isLost = true;
        return ann.connection.leave(false);
      case 'return':
        if (this.isLost) this.enter(talk.sessionId);
        return;
      case 'second': {
        const other = rooms.enter(this.#options, talk.sessionId);
        this.visitors.push(other);
        return other.connection.leave(false);
      }
      case 'truncate': {
        const item = ann.all('audio').at(-1)?.place.itemId;
        if (item) talk.truncate(item, 400);
        return;
      }
      case 'clear':
        return talk.clear();
      case 'hush':
        return talk.stopSpeaking();
      case 'cancel':
        return talk.cancel(undefined);
      case 'respond':
        return talk.respond({});
      case 'type':
        return talk.add(
          {
            id: `typed-${this.said.length}-${this.#words++}`,
            type: 'message',
            role: 'user',
            status: 'completed',
            content: [{ type: 'input_text', text: this.words(2) }],
          },
          undefined,
        );
      case 'crash': {
        const { sessionId } = talk;
        const exists = (await rooms.history(sessionId)).length > 0;
        // What is under way there is never heard of again.
        this.#words += 100;
        await this.begin(exists ? sessionId : undefined);
      }
    }
  }
}

describe('whatever the order of speech, pauses, interruptions, losses and crashes', () => {
  test.prop([fc.array(step, { minLength: 1, maxLength: 14 }), fc.boolean()], { numRuns: 100 })(
    'history is what was heard, an utterance is answered once at most, and no session leaks',
    async (steps, isPushed) => {
      const scene = new Scene(isPushed ? pushToTalk : handsFree);
      await scene.begin();
      for (const one of steps)
        await scene.take(one).catch((error: unknown) => {
          if (!isHarkError(error, 'BAD_REQUEST', 'SESSION_UNKNOWN')) throw error;
        });
      if (scene.isLost && scene.rooms.sessions.of('ann').length > 0) scene.enter(scene.ann.talk.sessionId);
      await scene.rooms.pace.pass(40_000);
      const { sessionId } = scene.ann.talk;
      const history = await scene.rooms.history(sessionId);
      const told = scene.visitors
        .flatMap((visitor) => visitor.all('speech_words').map(({ delta }) => delta))
        .join(' ');
      const heard = new Set(told.match(/\w+/g));
      for (const { role, content } of history) {
        if (role !== 'assistant' || content.startsWith('[')) continue;
        const number = Number(/\d+/.exec(content)?.[0]);
        assert.ok(replyOf(number).startsWith(content), `not of the reply: ${content}`);
        // All but what was lowered, and may have been told.
        for (const word of content.match(/\w+/g) ?? []) assert.ok(heard.has(word), `never heard: ${word}`);
      }
      const asked = history
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => content.split('\n'));
      for (const words of scene.said) {
        const times = asked.filter((one) => one.split(' ').includes(words.split(' ')[0] ?? '-'));
        assert.ok(times.length <= 1, `${times.length} times: ${words}`);
      }
      scene.ann.connection.leave(true);
      await scene.rooms.pace.pass(61_000);
      assert.equal(scene.rooms.sessions.openCount(), 0);
      assert.equal(scene.rooms.mouth.running, 0);
      assert.equal(scene.rooms.chat.turns.isIdle, true);
      assert.deepEqual(scene.rooms.failures, []);
      assert.equal(scene.rooms.pace.waiting, 0);
    },
    120_000,
  );
});
