import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, test, vi } from 'vitest';
import { type FailureName, failureNames } from '../../../src/demo/model/failures.ts';
import type { ModelRequest } from '../../../src/demo/model/request.ts';
import {
  breaks,
  breaksWith,
  calls,
  callsBadly,
  fails,
  type Item,
  resets,
  says,
  saysJson,
  sends,
  sendsPieces,
  silent,
  type Trouble,
  thinks,
  waits,
} from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { createGateway } from '../../../src/gateways/models/createGateway.ts';
import { type FailureKind, ModelFailure } from '../../../src/gateways/models/failure.ts';
import type {
  CompletionPart,
  CompletionRequest,
  GatewayOptions,
  ModelGateway,
} from '../../../src/gateways/models/gateway.ts';
import type { ProviderId } from '../../../src/vocabulary.ts';
import { heldPort } from '../../support/heldPort.ts';
import { within } from '../../support/within.ts';

const KEY = 'sk-hark-0123456789-Secret';
const SECRET_PROMPT = 'Tell nobody: the cat is called Möhrle.';

export const never = new AbortController().signal;

export function asks(text = SECRET_PROMPT, more: Partial<CompletionRequest> = {}): CompletionRequest {
  return { model: 'some-model', messages: [{ role: 'user', parts: [{ type: 'text', text }] }], ...more };
}

export async function heard(parts: AsyncIterable<CompletionPart>): Promise<readonly CompletionPart[]> {
  return Array.fromAsync(parts);
}

export function textOf(parts: readonly CompletionPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

export function finishOf(parts: readonly CompletionPart[]): Extract<CompletionPart, { type: 'finish' }> {
  const last = parts.at(-1);
  assert.ok(last?.type === 'finish', inspect(last));
  return last;
}

/** Fails unless it is a failure of this kind, in which neither key nor prompt can be found. */
export async function failsAs(
  kind: FailureKind | readonly FailureKind[],
  what: Promise<unknown>,
): Promise<ModelFailure> {
  const failure = await what.then(
    (value) => assert.fail(`No failure, but ${inspect(value)}`),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof ModelFailure, inspect(failure));
  assert.ok([kind].flat().includes(failure.kind), inspect(failure));
  const all = inspect(failure, { depth: 20, showHidden: true });
  assert.ok(!/Secret|Möhrle|0123456789/.test(all), all);
  return failure;
}

const weather = {
  name: 'home.weather',
  description: 'The weather at a place',
  input: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const mood = {
  name: 'mood',
  schema: {
    type: 'object',
    properties: { mood: { type: 'string', minLength: 3 } },
    required: ['mood'],
    additionalProperties: false,
  },
};

/** What the providers' kinds of failure are to become; those that differ are in `Peculiar`. */
const kinds: Readonly<Record<FailureName, FailureKind>> = {
  billing: 'billing',
  'spend-limit': 'billing',
  'model-quota': 'billing',
  'rate-limit': 'rate-limit',
  'wrong-key': 'key',
  'missing-key': 'key',
  'expired-key': 'key',
  'revoked-key': 'key',
  forbidden: 'key',
  overloaded: 'overload',
  unavailable: 'overload',
  'server-error': 'overload',
  'model-unknown': 'model-unknown',
  'context-too-long': 'bad-request',
  'bad-request': 'bad-request',
};

interface Peculiar {
  /** Which model is asked, and how the suite is told from another of the same provider. */
  readonly model?: string;
  readonly title?: string;
  readonly embeds: boolean;
  /** Tells thoughts. */
  readonly thinks: boolean;
  readonly kinds?: Partial<Record<FailureName, FailureKind>>;
  /** Within a stream, where there is no status. */
  readonly streamed?: Partial<Record<FailureName, FailureKind>>;
  /** The client of the protocol passes over a frame that is none. */
  readonly brokenFrame: 'passed over' | 'malformed';
  /** How "Hello" is said, to the end. */
  readonly hello: string;
  /** Input of a tool always is JSON in this protocol. */
  readonly badCalls?: false;
}

export interface Tested {
  readonly models: ScriptedModels;
  gateway(options?: Partial<GatewayOptions>): ModelGateway;
  /** The last request, after all that came before it. */
  last(): ModelRequest;
}

/** What holds of every gateway, against models that speak its protocol over a socket. */
export function gatewayContract(
  providerId: ProviderId,
  peculiar: Peculiar,
  more: (tested: Tested) => void,
): void {
  const { model: asked = 'some-model', title = '' } = peculiar;
  const asking = (text?: string, more: Partial<CompletionRequest> = {}) =>
    asks(text, { model: asked, ...more });
  describe(`the gateway to ${providerId}${title}`, () => {
    let models: ScriptedModels;
    const gateway = (options: Partial<GatewayOptions> = {}) =>
      createGateway(providerId, { apiKey: KEY, baseUrl: models.url(providerId), ...options });
    const impatient = (timeouts: GatewayOptions['timeouts'] = {}) =>
      gateway({ timeouts: { connectMs: 60_000, firstPartMs: 60_000, idleMs: 60_000, ...timeouts } });
    const last = () => {
      const request = models.requests.at(-1);
      assert.ok(request);
      return request;
    };

    beforeAll(async () => {
      models = await ScriptedModels.start();
      for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
        vi.spyOn(console, level).mockImplementation((...words: unknown[]) =>
          assert.fail(`Said: ${inspect(words)}`),
        );
      }
    });
    afterEach(() => models.reset());
    afterAll(async () => {
      vi.restoreAllMocks();
      await models.stop();
    });

    describe('streaming', () => {
      test('hands on text as it comes, then the end with its usage', async () => {
        const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
        const usage = { inputTokens: 7, outputTokens: 3 };
        models.script({ ...says('Hel', waits(later), 'lo 🎧'), usage });
        const parts = gateway().complete(asking(), never)[Symbol.asyncIterator]();
        assert.deepEqual((await parts.next()).value, { type: 'text', text: 'Hel' });
        goOn();
        assert.deepEqual((await parts.next()).value, { type: 'text', text: 'lo 🎧' });
        assert.deepEqual((await parts.next()).value, { type: 'finish', reason: 'stop', usage });
        assert.equal((await parts.next()).done, true);
      });

      test('sends what it is asked', async () => {
        models.script(says('Well.'));
        const history: CompletionRequest['messages'] = [
          { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
          {
            role: 'assistant',
            text: 'One moment',
            toolCalls: [
              { id: 'c1', name: 'home.weather', input: { place: 'Ulm' } },
              { id: 'c2', name: 'home.weather', input: { place: 'Bonn' } },
            ],
          },
          { role: 'tool', callId: 'c1', result: 'Rain', failed: false },
          { role: 'tool', callId: 'c2', result: 'no such place', failed: true },
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'And this?' },
              { type: 'image', mimeType: 'image/png', base64: 'aW1n' },
            ],
          },
        ];
        await heard(
          gateway().complete(
            { model: asked, system: 'Be brief.', messages: history, tools: [weather] },
            never,
          ),
        );
        const { model, turns, tools, stream } = last();
        assert.deepEqual({ model, tools, stream }, { model: asked, tools: ['home_weather'], stream: true });
        const said = turns.map(({ role, text, images }) => [role, text.replace(/^Error: /, ''), ...images]);
        assert.deepEqual(said, [
          ['system', 'Be brief.'],
          ['user', 'Weather?'],
          ['assistant', 'One moment'],
          ['tool', 'Rain'],
          ['tool', 'no such place'],
          ['user', 'And this?', 'aW1n'],
        ]);
        assert.deepEqual(
          turns[2]?.toolCalls.map(({ name, input }) => [name, input]),
          [
            ['home_weather', { place: 'Ulm' }],
            ['home_weather', { place: 'Bonn' }],
          ],
        );
      });

      for (const [stop, reason] of [
        ['stop', 'stop'],
        ['length', 'length'],
      ] as const) {
        test(`tells why it ends: ${reason}`, async () => {
          models.script({ ...says('Hello'), stop });
          assert.equal(finishOf(await heard(gateway().complete(asking(), never))).reason, reason);
        });
      }

      test('reads an answer however it is cut', async () => {
        for (const text of [peculiar.hello, peculiar.hello.replaceAll('\n', '\r\n')]) {
          models.script({ ...sendsPieces('text/event-stream', ...text), paceMs: 0 }, { times: 1 });
          assert.equal(textOf(await heard(gateway().complete(asking(), never))), 'Hello 🎧');
        }
      });

      test('does not wait for a body without an end when all is said', async () => {
        models.script(sendsPieces('text/event-stream', peculiar.hello, breaks('hang')));
        const parts = impatient().complete(asking(), never)[Symbol.asyncIterator]();
        assert.deepEqual((await parts.next()).value, { type: 'text', text: 'Hello 🎧' });
        const end: CompletionPart | undefined = (await parts.next()).value ?? undefined;
        assert.equal(end?.type, 'finish');
        assert.equal((await parts.next()).done, true);
        assert.equal(await last().ended, true);
      });

      test('uses a connection again', async () => {
        const ports: (number | undefined)[] = [];
        const server = createHttpServer((request, response) => {
          ports.push(request.socket.remotePort);
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(peculiar.hello);
          // The end comes by itself, and later.
          setImmediate(() => response.end());
        }).listen(0, '127.0.0.1');
        await once(server, 'listening');
        try {
          const address = server.address();
          assert.ok(address !== null && typeof address === 'object');
          for (let call = 0; call < 6; call++) {
            await heard(gateway({ baseUrl: `http://127.0.0.1:${address.port}` }).complete(asking(), never));
          }
          // The next call may begin before `fetch` knows that the last has ended.
          assert.ok(new Set(ports).size <= 2, `Ports: ${ports}`);
        } finally {
          server.close();
          server.closeAllConnections();
        }
      });

      test('asks nothing before somebody listens', async () => {
        models.script(says('Hello'));
        gateway().complete(asking(), never);
        await heard(gateway().complete(asking('Really'), never));
        assert.deepEqual(
          models.requests.map(({ lastText }) => lastText),
          ['Really'],
        );
      });
    });

    describe('tools', () => {
      test('hands on calls whole, by the names that were given', async () => {
        models.script(
          says(
            'So',
            calls('home_weather', { place: 'Ulm' }, 'c1'),
            calls('home_weather', { place: 'Bonn' }, 'c2'),
          ),
        );
        const parts = await heard(gateway().complete(asking('?', { tools: [weather] }), never));
        assert.deepEqual(parts.slice(0, -1), [
          { type: 'text', text: 'So' },
          { type: 'tool-call', call: { id: 'c1', name: 'home.weather', input: { place: 'Ulm' } } },
          { type: 'tool-call', call: { id: 'c2', name: 'home.weather', input: { place: 'Bonn' } } },
        ]);
        assert.equal(finishOf(parts).reason, 'tool-calls');
      });

      test('tells tools apart whose names become the same', async () => {
        const names = ['home.weather', 'home_weather', 'home weather', 'x'.repeat(80), `${'x'.repeat(80)}y`];
        models.script((request) => says(...request.tools.map((name, index) => calls(name, {}, `c${index}`))));
        const tools = names.map((name) => ({ ...weather, name }));
        const parts = await heard(gateway().complete(asking('?', { tools }), never));
        const called = parts.flatMap((part) => (part.type === 'tool-call' ? part.call.name : []));
        assert.deepEqual(called, names);
        for (const name of last().tools) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
      });

      test('leaves a name that the model made up as it is', async () => {
        models.script(says(calls('home_wether')));
        const [call] = await heard(gateway().complete(asking('?', { tools: [weather] }), never));
        assert.equal(call?.type === 'tool-call' && call.call.name, 'home_wether');
      });

      if (peculiar.badCalls !== false) {
        for (const written of ['{"place": Ulm}', '["Ulm"]', '{"place": "U', '"Ulm"']) {
          test(`hands on a call with ${written} as malformed`, async () => {
            models.script(says(callsBadly('home_weather', written)));
            const [part] = await heard(gateway().complete(asking('?', { tools: [weather] }), never));
            assert.partialDeepStrictEqual(part, {
              type: 'tool-call',
              call: { name: 'home.weather', input: {}, malformed: written },
            });
          });
        }
      }
    });

    if (peculiar.thinks) {
      test('hands on thoughts, and gives them back with the turn that they belong to', async () => {
        const place = { place: 'Ulm' };
        models.script(says(thinks('Hm'), thinks('…', 'c2ln'), calls('home_weather', place, 'c1')), {
          times: 1,
        });
        const first = await heard(
          gateway().complete(asking('?', { tools: [weather], reasoning: true }), never),
        );
        const thoughts = first.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
        assert.equal(thoughts, 'Hm…');
        const { reasoning } = finishOf(first);
        assert.partialDeepStrictEqual(reasoning, { provider: providerId, text: 'Hm…' });

        models.script(says('Rain.'));
        const messages: CompletionRequest['messages'] = [
          ...asking('?').messages,
          {
            role: 'assistant',
            text: '',
            // As it comes out of a log.
            ...(reasoning ? { reasoning: JSON.parse(JSON.stringify(reasoning)) } : {}),
            toolCalls: [{ id: 'c1', name: 'home.weather', input: place }],
          },
          { role: 'tool', callId: 'c1', result: 'Rain', failed: false },
        ];
        await heard(gateway().complete({ model: asked, messages, tools: [weather], reasoning: true }, never));
        assert.ok(JSON.stringify(last().body).includes('Hm…'));
        const stranger = providerId === 'cloud-b' ? ('cloud-a' as const) : ('cloud-b' as const);
        const foreign = messages.map((message) =>
          message.role === 'assistant' && message.reasoning
            ? { ...message, reasoning: { ...message.reasoning, provider: stranger } }
            : message,
        );
        await heard(gateway().complete({ model: asked, messages: foreign }, never));
        assert.ok(!JSON.stringify(last().body).includes('Hm…'));
      });
    }

    describe('structured output', () => {
      const ask = (options?: Partial<GatewayOptions>) =>
        heard(gateway(options).complete(asking('How?', { schema: mood }), never));

      test('asks for the schema, and hands on what fits as one', async () => {
        models.script({ ...saysJson({ mood: 'good' }, 3), usage: { inputTokens: 5, outputTokens: 2 } });
        assert.deepEqual(await ask(), [
          { type: 'text', text: '{"mood":"good"}' },
          { type: 'finish', reason: 'stop', usage: { inputTokens: 5, outputTokens: 2 } },
        ]);
        assert.partialDeepStrictEqual(last().schema, { type: 'object', required: ['mood'] });
      });

      test('takes it out of a fence', async () => {
        models.script(says('Here it is:\n```json\n{"mood": "good"}\n```\nAnything else?'));
        assert.equal(textOf(await ask()), '{"mood": "good"}');
      });

      for (const wrong of ['I feel good', '{"mood":"ok"}', '{"mood":7}', '{"mood":"good"', '[]', '']) {
        test(`sends ${wrong || 'nothing'} back once`, async () => {
          const usage = { inputTokens: 5, outputTokens: 2 };
          models.script([
            { ...says(wrong), usage },
            { ...saysJson({ mood: 'good' }), usage },
          ]);
          const parts = await ask();
          assert.equal(textOf(parts), '{"mood":"good"}');
          assert.deepEqual(finishOf(parts).usage, { inputTokens: 10, outputTokens: 4 });
          assert.match(last().lastText, /does not fit the schema/);
          assert.equal(
            last().turns.findLast(({ role }) => role === 'assistant')?.text,
            wrong === '' ? undefined : wrong,
          );
        });
      }

      test('gives up after the second time', async () => {
        models.script(says('{"mood":7}'));
        await failsAs('malformed', ask());
        assert.equal(models.requests.length, 2);
      });

      test('hands on a call of a tool', async () => {
        models.script(says(calls('home_weather', { place: 'Ulm' }, 'c1')));
        const parts = await heard(gateway().complete(asking('?', { schema: mood, tools: [weather] }), never));
        assert.deepEqual(
          parts.map(({ type }) => type),
          ['tool-call', 'finish'],
        );
      });
    });

    describe('embeddings', () => {
      const embed = (texts: readonly string[], options: Partial<GatewayOptions> = {}, signal = never) =>
        gateway(options).embed({ model: 'some-embedding', texts }, signal);
      const waited: number[] = [];
      const wait = async (ms: number) => {
        waited.push(ms);
      };
      afterEach(() => {
        waited.length = 0;
      });

      if (!peculiar.embeds) {
        test('are not to be had', async () => {
          await failsAs('model-unknown', embed(['a']));
        });
        return;
      }

      test('come one for each text, in batches', async () => {
        const texts = Array.from({ length: 150 }, (_, index) => `cat ${index}`);
        const vectors = await embed(texts);
        assert.equal(vectors.length, 150);
        assert.ok(models.requests.length > 1);
        assert.deepEqual(
          models.requests.flatMap((request) => request.texts),
          texts,
        );
        const [alone] = await embed(['cat 149']);
        assert.ok(alone instanceof Float32Array);
        assert.deepEqual(vectors[149], alone);
        assert.ok(Math.abs(Math.hypot(...alone) - 1) < 1e-6);
      });

      for (const failure of ['rate-limit', 'server-error', 'unavailable'] as const) {
        test(`are tried again after ${failure}: twice`, async () => {
          models.script([fails(failure), fails(failure)], { endpoint: 'embed', times: 1 });
          assert.equal((await embed(['a'], { wait })).length, 1);
          assert.deepEqual(waited, [250, 500]);
          models.script([fails(failure), fails(failure), fails(failure)], { endpoint: 'embed', times: 1 });
          await failsAs(kinds[failure], embed(['a'], { wait }));
          assert.equal(models.unused, 0);
          assert.deepEqual(waited, [250, 500, 250, 500]);
        });
      }

      for (const failure of ['bad-request', 'wrong-key', 'forbidden', 'model-unknown'] as const) {
        test(`are not tried again after ${failure}`, async () => {
          models.script(fails(failure), { endpoint: 'embed' });
          await failsAs(peculiar.kinds?.[failure] ?? kinds[failure], embed([SECRET_PROMPT], { wait }));
          assert.equal(models.requests.length, 1);
        });
      }

      test('that are too few, or none, are malformed', async () => {
        models.script(sends(200, { data: [], embeddings: [] }), { endpoint: 'embed', times: 1 });
        await failsAs('malformed', embed(['a'], { wait }));
        models.script(sends(200, '{"data": [{'), { endpoint: 'embed', times: 1 });
        await failsAs('malformed', embed(['a'], { wait }));
      });

      test('end with their signal', async () => {
        models.script(silent(), { endpoint: 'embed' });
        const controller = new AbortController();
        const embedding = failsAs('cancelled', embed(['a'], {}, controller.signal));
        const request = await models.request(1);
        controller.abort();
        await embedding;
        assert.equal(await request.ended, true);
      });

      test('of nothing need nobody', async () => {
        assert.deepEqual(await embed([]), []);
        assert.equal(models.requests.length, 0);
      });
    });

    describe('cancellation closes the connection upstream', () => {
      const slow = (...before: readonly (string | Item)[]) => says(...before, breaks('hang'));

      test('before the headers', async () => {
        models.script(silent());
        const controller = new AbortController();
        const ended = failsAs('cancelled', heard(gateway().complete(asking(), controller.signal)));
        const request = await models.request(1);
        controller.abort();
        await ended;
        assert.equal(await request.ended, true);
      });

      test('in mid-stream, while the next part is waited for', async () => {
        models.script(slow('Hel'));
        const controller = new AbortController();
        const parts = gateway().complete(asking(), controller.signal)[Symbol.asyncIterator]();
        await parts.next();
        const next = failsAs('cancelled', parts.next());
        controller.abort(new Error(SECRET_PROMPT));
        await next;
        assert.equal(await last().ended, true);
        assert.equal((await parts.next()).done, true);
      });

      test('when the reader stops', async () => {
        models.script(slow('Hel', 'lo'));
        for await (const part of gateway().complete(asking(), never)) if (part.type === 'text') break;
        assert.equal(await last().ended, true);
      });

      test('and asks nothing when it came first', async () => {
        await failsAs('cancelled', heard(gateway().complete(asking(), AbortSignal.abort())));
        await failsAs('cancelled', gateway().validate(AbortSignal.abort()));
        assert.equal(models.requests.length, 0);
      });

      test('and leaves nothing behind on the signal', async () => {
        models.script(says('Hello'));
        const { signal } = new AbortController();
        const added = vi.spyOn(signal, 'addEventListener');
        const removed = vi.spyOn(signal, 'removeEventListener');
        await heard(gateway().complete(asking(), signal));
        assert.equal(added.mock.calls.length, 1);
        assert.equal(removed.mock.calls.length, 1);
      });
    });

    describe('time-outs', () => {
      const times = [
        ['connect', { connectMs: 40 }, silent()],
        ['first-part', { firstPartMs: 40 }, says(breaks('hang'))],
        ['idle', { idleMs: 40 }, says('Hel', breaks('hang'))],
      ] as const;
      for (const [phase, timeouts, reply] of times) {
        test(`${phase}: close the connection`, async () => {
          models.script(reply);
          const failure = await failsAs('timeout', heard(impatient(timeouts).complete(asking(), never)));
          assert.equal(failure.code, phase);
          // On a busy machine the time may be over before anything has reached the provider.
          const request = phase === 'connect' ? models.requests.at(-1) : last();
          if (request) assert.equal(await request.ended, true);
        });
      }

      test('of the request count before those of the gateway', async () => {
        models.script(silent());
        await failsAs(
          'timeout',
          heard(gateway().complete(asking('?', { timeouts: { connectMs: 40 } }), never)),
        );
      });

      test('do not count the time of the reader', async (t) => {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        t.onTestFinished(() => void vi.useRealTimers());
        const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
        models.script(says('Hel', 'lo', waits(later), '!'));
        const parts = impatient().complete(asking(), never)[Symbol.asyncIterator]();
        // A reader that is busy for longer than the provider may be silent, with the first part and with the next.
        for (const text of ['Hel', 'lo']) {
          assert.deepEqual((await parts.next()).value, { type: 'text', text });
          vi.advanceTimersByTime(61_000);
        }
        goOn();
        assert.deepEqual((await parts.next()).value, { type: 'text', text: '!' });
        await parts.return?.();
      });

      test('hold for what is not streamed', async () => {
        models.script(silent(), { endpoint: 'models' });
        models.script(silent(), { endpoint: 'key' });
        await failsAs('timeout', impatient({ firstPartMs: 40 }).validate(never));
        await failsAs('timeout', impatient({ firstPartMs: 40 }).listModels(never));
      });
    });

    describe('failures', () => {
      for (const failure of failureNames) {
        const kind = peculiar.kinds?.[failure] ?? kinds[failure];
        test(`${failure} is ${kind}`, async () => {
          models.script(fails(failure));
          const failed = await failsAs(kind, heard(gateway().complete(asking(), never)));
          assert.equal(failed.modelOnly, failure === 'model-quota');
          assert.equal(failed.model, asked);
          // What an earlier test gave up asking may still arrive; it was no chat.
          assert.equal(models.requests.filter(({ endpoint }) => endpoint === 'chat').length, 1);
        });
        test(`${failure} within a stream is ${peculiar.streamed?.[failure] ?? kind}`, async () => {
          models.script(says('Hel', breaksWith(failure)));
          await failsAs(peculiar.streamed?.[failure] ?? kind, heard(gateway().complete(asking(), never)));
        });
      }

      test('ask to wait', async () => {
        models.script(fails('rate-limit', 17));
        assert.equal(
          (await failsAs('rate-limit', heard(gateway().complete(asking(), never)))).retryAfterMs,
          17_000,
        );
      });

      const troubles: readonly (readonly [Trouble, readonly FailureKind[]])[] = [
        ['reset', ['network']],
        ['cut', ['network']],
        ['end', ['network']],
        // OpenAI's client takes half a frame for a whole one.
        ['half-frame', ['network', 'malformed']],
        ['broken-json', ['malformed']],
      ];
      for (const [trouble, kind] of troubles) {
        test(`${trouble} in mid-stream is ${kind.join(' or ')}`, async () => {
          models.script(says('Hel', breaks(trouble), 'lo'));
          await failsAs(kind, heard(gateway().complete(asking(), never)));
        });
        test(`${trouble} before the first part is ${kind.join(' or ')}`, async () => {
          models.script(says(breaks(trouble)));
          await failsAs(kind, heard(gateway().complete(asking(), never)));
        });
      }

      test(`a frame that is none is ${peculiar.brokenFrame}`, async () => {
        models.script(says('Hel', breaks('broken-frame'), 'lo'));
        const parts = heard(gateway().complete(asking(), never));
        if (peculiar.brokenFrame === 'malformed') await failsAs('malformed', parts);
        else assert.equal(textOf(await parts), 'Hello');
      });

      test('a reset before the headers is network', async () => {
        models.script(resets());
        await failsAs('network', heard(gateway().complete(asking(), never)));
      });

      test('a page of a proxy is no answer', async () => {
        models.script(sends(200, '<html>Please log in</html>', { 'content-type': 'text/html' }));
        await failsAs(['network', 'malformed'], heard(gateway().complete(asking(), never)));
        models.script(sends(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }));
        await failsAs('overload', heard(gateway().complete(asking(), never)));
      });

      test('a redirect is not followed', async () => {
        const elsewhere = await ScriptedModels.start();
        try {
          models.script(() => sends(307, '', { location: `${elsewhere.url(providerId)}/` }));
          await failsAs('network', heard(gateway().complete(asking(), never)));
          assert.equal(elsewhere.requests.length, 0);
        } finally {
          await elsewhere.stop();
        }
      });

      test('nobody there is network, at once', async () => {
        const absent = gateway({ baseUrl: `http://127.0.0.1:${await heldPort()}` });
        const failure = await within(1_000, failsAs('network', heard(absent.complete(asking(), never))));
        assert.equal(failure.code, 'ECONNREFUSED');
      });
    });

    describe('keys', () => {
      test('that count are let through, without anything said or made', async () => {
        models.acceptKeys(providerId, KEY);
        await gateway().validate(never);
        for (const { method, endpoint } of models.requests)
          assert.ok(method === 'GET' && endpoint !== 'chat');
      });

      test('that do not count are refused', async () => {
        models.acceptKeys(providerId, 'another');
        await failsAs('key', gateway().validate(never));
        await failsAs('key', heard(gateway().complete(asking(), never)));
      });

      for (const bad of ['sk- Secret', 'sk-Secret\n', 'sk-Secret\r\nx: y', 'sk-Sécret']) {
        test(`like ${JSON.stringify(bad)} are not even sent`, async () => {
          await failsAs('key', heard(gateway({ apiKey: bad }).complete(asking(), never)));
          await failsAs('key', gateway({ apiKey: bad }).validate(never));
          assert.equal(models.requests.length, 0);
        });
      }
    });

    describe('lists of models', () => {
      test('that are none are malformed', async () => {
        for (const body of ['<html></html>', '[]', '{"data": 7, "models": "x"}', 'null', '{"data": [', '7']) {
          models.script(sends(200, body), { endpoint: 'models', times: 1 });
          await failsAs('malformed', gateway().listModels(never));
          models.reset();
        }
      });

      test('that have no end are given up, and so are errors', async () => {
        const model = JSON.stringify({ id: 'm', name: 'm', description: 'x'.repeat(1_000) });
        let sent = 0;
        const server = createHttpServer((_, response) => {
          response.writeHead(status, { 'content-type': 'application/json' });
          const begun = status === 200 ? '{"data":[' : '{"error":{"message":"';
          response.write(begun);
          const more = `${status === 200 ? model : 'x'.repeat(1_000)},`.repeat(64);
          const send = () => {
            while (!response.destroyed) {
              sent += more.length;
              if (!response.write(more)) return;
            }
          };
          response.on('drain', send);
          send();
        }).listen(0, '127.0.0.1');
        let status = 200;
        await once(server, 'listening');
        const address = server.address();
        assert.ok(address !== null && typeof address === 'object');
        const endless = gateway({ baseUrl: `http://127.0.0.1:${address.port}` });
        try {
          const failure = await failsAs('malformed', endless.listModels(never));
          assert.equal(failure.code, 'too_large');
          status = 500;
          await failsAs('overload', endless.listModels(never));
          await failsAs('overload', heard(endless.complete(asking(), never)));
          assert.ok(sent < 64 * 2 ** 20, `${sent} bytes were sent`);
        } finally {
          server.close();
          server.closeAllConnections();
        }
      });

      test('may be empty, and hold what is no model', async () => {
        models.script(sends(200, { data: [], models: [] }), { endpoint: 'models' });
        assert.deepEqual(await gateway().listModels(never), []);
        const odd = [
          null,
          7,
          'x',
          {},
          { id: 7 },
          [],
          { id: 'odd', model: 'odd', pricing: 'free', context_length: 'x' },
        ];
        models.script(sends(200, { data: odd, models: odd }), { endpoint: 'models' });
        const listed = await gateway().listModels(never);
        assert.deepEqual(
          listed.map(({ id }) => id),
          ['odd'],
        );
      });
    });

    more({
      get models() {
        return models;
      },
      gateway,
      last,
    });
  });
}
