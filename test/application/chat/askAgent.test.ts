import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { askAgent } from '../../../src/application/chat/askAgent.ts';
import type { Question } from '../../../src/application/question.ts';
import { isHarkError } from '../../../src/errors.ts';
import type { CompletionPart } from '../../../src/gateways/models/gateway.ts';
import { Witness } from '../../support/sagas.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { ChatProcess, call, finish, type Speech, text } from './process.ts';

const who = { userId: 'ann', correlationId: 'cause' };

function questionOf(more: Partial<Question> = {}): Question {
  const [signal, timeUp] = [new AbortController().signal, new AbortController().signal];
  return { ...who, id: 'question', source: 'count/ask', text: 'How many?', signal, timeUp, ...more };
}

/** Says nothing until nobody listens any more. */
async function* silence(signal: AbortSignal): AsyncGenerator<CompletionPart> {
  signal.throwIfAborted();
  await new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}

async function* saying(...parts: readonly CompletionPart[]): AsyncGenerator<CompletionPart> {
  yield* parts;
  yield finish;
}

const begin = (speech: Speech) => ChatProcess.start(new SharedStore().hold(), { speech });

describe('the agent that is asked by something else than a user', () => {
  test('replies with what it says last, after its tools', async () => {
    const speeches = [saying(text('Let me see'), call('c')), saying(text('Three'))];
    const { turns } = await begin(() => speeches.shift() ?? saying());
    assert.equal(await askAgent(turns, questionOf()), 'Three');
  });

  test('is not asked again what it was asked under the same id', async () => {
    let asked = 0;
    const { turns } = await begin(() => saying(text(String(++asked))));
    assert.equal(await askAgent(turns, questionOf()), '1');
    assert.equal(await askAgent(turns, questionOf()), '1');
    assert.equal(await askAgent(turns, questionOf({ id: 'other' })), '2');
  });

  test('fails where the turn does', async () => {
    const { turns } = await begin(() => {
      throw new RangeError('no such model');
    });
    await assert.rejects(askAgent(turns, questionOf()), (error) => isHarkError(error, 'TASK_FAILED'));
  });

  test('fails where somebody cancels the turn', async () => {
    const asked = new Witness<string>();
    const { turns } = await begin((_asked, signal) => {
      asked.add('asked');
      return silence(signal);
    });
    const answered = askAgent(turns, questionOf());
    await asked.count(1);
    const [cancelled] = await Promise.all([
      turns.cancel(who, 'question'),
      assert.rejects(answered, /The turn was cancelled/),
    ]);
    assert.equal(cancelled, true);
  });

  test('is asked anew by another process when the first stopped in the midst of it', async () => {
    const store = new SharedStore();
    const asked = new Witness<string>();
    const one = await ChatProcess.start(store.hold(), {
      speech: (_asked, signal) => {
        asked.add('asked');
        return silence(signal);
      },
    });
    const two = await ChatProcess.start(store.hold(), { speech: () => saying(text('Three')) });
    const refused = assert.rejects(askAgent(one.turns, questionOf()), { code: 'NOT_READY' });
    await asked.count(1);
    const stopped = one.turns.stop();
    await one.turns.cancel(who, 'question');
    await Promise.all([refused, stopped]);
    assert.equal(await askAgent(two.turns, questionOf()), 'Three');
  });

  test('is told to stop when nobody wants the reply any more', async () => {
    const asked = new Witness<AbortSignal>();
    const { turns } = await begin((_asked, signal) => {
      asked.add(signal);
      return silence(signal);
    });
    const timeUp = new AbortController();
    const answered = askAgent(turns, questionOf({ timeUp: timeUp.signal }));
    const [signal] = await asked.count(1);
    timeUp.abort();
    await assert.rejects(answered, /The turn was cancelled/);
    assert.equal(signal?.aborted, true);
  });

  test('is asked nothing when nobody waits from the start', async () => {
    const { turns } = await begin(() => assert.fail('asked'));
    await assert.rejects(askAgent(turns, questionOf({ signal: AbortSignal.abort() })), {
      name: 'AbortError',
    });
  });

  test('is asked in the slot that was chosen, and twenty times at most where each turn is interrupted', async () => {
    const { turns, say } = await told();
    const asked: (string | undefined)[] = [];
    const interrupted: typeof turns.begin = async (request) => {
      asked.push(request.slot);
      const handle = await say();
      const ended = handle.ended.then((exchange) => ({
        ...exchange,
        end: exchange.end && { ...exchange.end, as: 'interrupted' as const },
      }));
      return { ...handle, ended };
    };
    await assert.rejects(
      askAgent({ begin: interrupted, cancel: async () => true }, questionOf({ slot: 'extraction' })),
      /interrupted repeatedly/,
    );
    assert.deepEqual(asked, Array(20).fill('extraction'));
  });
});

async function told() {
  const process = await begin(() => saying(text('Three')));
  return { turns: process.turns, say: () => process.say('How many?') };
}
