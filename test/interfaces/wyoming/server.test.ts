import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, type Mock, test, vi } from 'vitest';
import type { WordsIntoSpeech } from '../../../src/application/voice/speech.ts';
import { HarkError } from '../../../src/errors.ts';
import type { WyomingParts } from '../../../src/interfaces/wyoming/connection.ts';
import { WyomingServer } from '../../../src/interfaces/wyoming/server.ts';
import { VoiceStatistics } from '../../../src/voiceStatistics.ts';
import { WyomingClient } from '../../support/wyomingClient.ts';

const MONO = { rate: 16_000, width: 2, channels: 1 };

/** Goes on when it is so, however long the machine takes for that. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Engines that say what came to them: the words of what was heard are how many samples it had. */
class Engines implements WyomingParts {
  heard = 0;
  cancelled = 0;
  recognize: () => Promise<string> = async () => `${this.heard} samples`;
  speakable: WordsIntoSpeech['speak'] = async function* (text) {
    yield { samples: new Int16Array(text.length * 1_000).fill(7), words: [] };
  };
  handle: WyomingParts['handle'] = async ({ text }) => `You said ${text}`;
  mayAsk: WyomingParts['mayAsk'] = async ({ isLocal }) => isLocal;
  readonly version = '1';
  readonly statistics = new VoiceStatistics(() => 0);
  readonly failures: unknown[] = [];
  readonly ears: WyomingParts['ears'] = {
    isAvailable: async () => true,
    begin: () => {
      this.heard = 0;
      return {
        hear: (samples) => {
          this.heard += samples.length;
        },
        end: async () => ({ text: await this.recognize(), words: [] }),
        cancel: () => {
          this.cancelled++;
        },
      };
    },
  };
  readonly mouth: WyomingParts['mouth'] = {
    isAvailable: async () => true,
    speak: (text, options) => this.speakable(text, options),
  };
  wakeWords: WyomingParts['wakeWords'] = {
    phrases: async () => [],
    begin: () => ({ hear: () => undefined, end: async () => undefined, close: () => undefined }),
  };
  readonly catalog = async () => ({
    stt: [{ name: 'small', languages: ['en'] }],
    voices: [{ name: 'slt', languages: ['en'] }],
    wakeWords: await this.wakeWords.phrases(),
  });
  readonly sentences = () => {
    let rest = '';
    return {
      push: (text: string) => {
        const parts = (rest + text).split(/(?<=\.) /);
        rest = parts.pop() ?? '';
        return parts;
      },
      end: () => [rest].filter((text) => text !== ''),
    };
  };
  readonly onFailure = (_what: string, error: unknown) => void this.failures.push(error);
}

describe('the Wyoming server', () => {
  let engines: Engines;
  let server: WyomingServer;
  let client: WyomingClient;
  let port: number;
  let ended: Mock<(connectionId: string) => void>;

  beforeEach(async () => {
    engines = new Engines();
    ended = vi.fn();
    server = new WyomingServer({ parts: engines, onEnd: ended });
    port = await server.listen(0, '127.0.0.1');
    client = await WyomingClient.open(port);
  });
  afterEach(async () => {
    client.close();
    await server.stop();
  });

  const types = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

  test('describes what there is, and leaves out what there is not', async () => {
    const info = await client.ask('describe', {}, 'info');
    assert.deepEqual(Object.keys(info), ['asr', 'tts', 'handle', 'intent', 'wake', 'mic', 'snd']);
    assert.match(JSON.stringify(info.asr), /"models":\[\{"name":"small".*"languages":\["en"\]/);
    assert.match(JSON.stringify(info.tts), /"name":"slt".*"supports_synthesize_streaming":true/);
    assert.deepEqual([info.intent, info.wake], [[], []]);
  });

  test('answers a ping with its text', async () => {
    assert.deepEqual({ ...(await client.ask('ping', { text: 'well?' }, 'pong')) }, { text: 'well?' });
  });

  test('turns audio of any format into words, one utterance after the other', async () => {
    for (const [format, samples] of [
      [MONO, 800],
      [{ rate: 48_000, width: 4, channels: 2 }, 2_400],
      [{ rate: 16_000, width: 1, channels: 1 }, 800],
    ] as const) {
      client.send('transcribe', { language: 'en' });
      client.send('audio-start', format);
      const bytes = new Uint8Array(samples * format.width * format.channels);
      // Chunks that do not end with a sample.
      client.send('audio-chunk', format, bytes.subarray(0, 777));
      client.send('audio-chunk', format, bytes.subarray(777));
      const { text, language } = await client.ask('audio-stop', {}, 'transcript');
      assert.deepEqual([text, language], ['800 samples', 'en']);
    }
    assert.equal(engines.statistics.audioChunksIn, 6);
    assert.equal(engines.statistics.figures().latency.recognition.count, 3);
  });

  test('speaks: one stream of audio for a text', async () => {
    client.send('synthesize', { text: 'One. Two.', voice: { name: 'slt' } });
    const told = await client.until('audio-stop');
    assert.deepEqual(types(told).slice(0, 2), ['audio-start', 'audio-chunk']);
    assert.deepEqual({ ...told[0]?.data }, { rate: 22_050, width: 2, channels: 1, timestamp: 0 });
    const bytes = told.reduce((sum, { payload }) => sum + payload.length, 0);
    assert.equal(bytes, 2 * 8_000);
    assert.equal(told.at(-1)?.data.timestamp, Math.round(8_000_000 / 22_050));
  });

  test('speaks text that comes in pieces sentence by sentence, and passes over the whole of it', async () => {
    client.send('synthesize-start', { voice: { name: 'slt' } });
    client.send('synthesize-chunk', { text: 'One. T' });
    assert.deepEqual(types(await client.until('audio-stop')), [
      'audio-start',
      'audio-chunk',
      'audio-chunk',
      'audio-stop',
    ]);
    client.send('synthesize-chunk', { text: 'wo.' });
    client.send('synthesize', { text: 'One. Two.' });
    client.send('synthesize-stop');
    const told = types(await client.until('synthesize-stopped'));
    assert.deepEqual(told, ['audio-start', 'audio-chunk', 'audio-chunk', 'audio-stop', 'synthesize-stopped']);
  });

  test('answers what is said, and gives back the context it came with', async () => {
    const said = vi.fn(engines.handle);
    engines.handle = said;
    const context = { conversation_id: '01J', satellite_id: 'hall' };
    const answer = await client.ask('transcript', { text: ' hello ', language: 'en', context }, 'handled');
    assert.deepEqual({ ...answer }, { text: 'You said hello', context });
    const [{ conversationId, language, text } = assert.fail()] = said.mock.calls[0] ?? [];
    assert.deepEqual([conversationId, language, text], ['01J', 'en', 'hello']);
  });

  test('what cannot be answered is not handled, and the connection goes on', async () => {
    engines.handle = () => Promise.reject(new HarkError('MODEL_UNAVAILABLE', { message: 'No model' }));
    assert.deepEqual(
      { ...(await client.ask('transcript', { text: 'hello' }, 'not-handled')) },
      { text: 'No model' },
    );
    assert.match(String((await client.ask('transcript', { text: '' }, 'not-handled')).text), /text/);
    await client.ask('ping', {}, 'pong');
  });

  test('who asks too often is told so', async () => {
    engines.mayAsk = async () => false;
    const { text } = await client.ask('transcript', { text: 'hello' }, 'not-handled');
    assert.equal(text, 'Too many requests');
  });

  test('who waits for words or speech that cannot be had is told so, and let go', async () => {
    engines.recognize = () => Promise.reject(new HarkError('STT_UNAVAILABLE'));
    client.send('audio-start', MONO);
    client.send('audio-stop');
    assert.deepEqual(await client.closed(), [
      { type: 'error', data: { text: 'STT provider unavailable', code: 'STT_UNAVAILABLE' } },
    ]);
    assert.deepEqual(engines.failures, []);
  });

  test('a fault of ours is told as nothing more than that', async () => {
    engines.recognize = () => Promise.reject(new TypeError('secret words'));
    client.send('audio-start', MONO);
    client.send('audio-stop');
    assert.deepEqual(await client.closed(), [
      { type: 'error', data: { text: 'Internal error', code: 'INTERNAL' } },
    ]);
    assert.equal(engines.failures.length, 1);
  });

  test('finds wake words, or says that there were none', async () => {
    let tell: (phrase: string, atMs: number) => void = () => undefined;
    engines.wakeWords = {
      phrases: async () => ['hey hark'],
      begin: ({ onDetected }) => {
        tell = onDetected;
        const hear = (samples: Int16Array) => void (samples.length > 100 && tell('hey hark', 20));
        return { hear, end: async () => undefined, close: () => undefined };
      },
    };
    assert.match(JSON.stringify((await client.ask('describe', {}, 'info')).wake), /"phrase":"hey hark"/);
    client.send('detect', { names: ['hey hark'] });
    client.send('audio-start', MONO);
    client.send('audio-chunk', MONO, new Uint8Array(64));
    client.send('audio-stop');
    assert.deepEqual(types(await client.until('not-detected')), ['not-detected']);
    client.send('audio-start', MONO);
    client.send('audio-chunk', MONO, new Uint8Array(640));
    assert.deepEqual({ ...(await client.until('detection'))[0]?.data }, { name: 'hey hark', timestamp: 20 });
    client.send('audio-stop');
    await client.ask('ping', {}, 'pong');
  });

  test('no model for wake words: whoever wants one is let go', async () => {
    client.send('detect', {});
    client.send('audio-start', MONO);
    assert.match(JSON.stringify(await client.closed()), /no model for wake words/);
  });

  test('passes over what it does not know', async () => {
    client.send('run-satellite');
    client.send('timer-started', { id: '1', total_seconds: 3 });
    await client.ask('ping', {}, 'pong');
  });

  test('a browser that posts to it gets no further than its first line', async () => {
    client.socket.write(
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n{"type":"transcript","data":{"text":"hi"}}\n',
    );
    const handled = vi.spyOn(engines, 'handle');
    const [told, ...more] = await client.closed();
    assert.deepEqual([told?.type, more], ['error', []]);
    assert.equal(handled.mock.calls.length, 0);
  });

  test('a client that goes away ends what was under way for it', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    engines.handle = async ({ signal }) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      begin();
      await aborted;
      throw new HarkError('CHAT_FAILED');
    };
    client.send('transcript', { text: 'hello' });
    await begun;
    client.close();
    await aborted;
    await until(() => ended.mock.calls.length === 1);
    assert.deepEqual(engines.failures, []);
  });

  test('one that goes away while it is heard is heard no more', async () => {
    client.send('audio-start', MONO);
    client.send('audio-chunk', MONO, new Uint8Array(64));
    await client.ask('ping', {}, 'pong');
    client.close();
    await until(() => ended.mock.calls.length === 1);
    assert.equal(engines.cancelled, 1);
  });

  test('one that goes away before its transcript waits for none, and is no latency', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    engines.recognize = () => {
      ask();
      return answered;
    };
    client.send('audio-start', MONO);
    client.send('audio-stop');
    await asked;
    client.close();
    await until(() => ended.mock.calls.length === 1);
    assert.equal(engines.cancelled, 1);
    answer('');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(engines.statistics.figures().latency.recognition.count, 0);
    assert.deepEqual(engines.failures, []);
  });

  test('one that never reads holds up nobody, and keeps little in memory', async () => {
    const spoken = vi.fn();
    engines.speakable = async function* () {
      for (let piece = 0; piece < 10_000; piece++) {
        spoken();
        yield { samples: new Int16Array(22_050), words: [] };
      }
    };
    client.socket.pause();
    client.send('synthesize', { text: 'Endless.' });
    await until(() => spoken.mock.calls.length > 1);
    const other = await WyomingClient.open(port);
    await other.ask('ping', {}, 'pong');
    other.close();
    assert.ok(spoken.mock.calls.length < 1_000, `${spoken.mock.calls.length} seconds for nobody`);
  });

  test('what comes while something is under way is not read on without a bound, in whichever part of a message', async () => {
    const { promise: handled, resolve } = Promise.withResolvers<string>();
    engines.handle = () => handled;
    client.send('transcript', { text: 'hello' });
    for (let event = 0; event < 40; event++) client.send('run-satellite', { name: 'x'.repeat(1_000_000) });
    const other = await WyomingClient.open(port);
    for (let before = -1; before !== client.socket.writableLength; ) {
      before = client.socket.writableLength;
      for (let turn = 0; turn < 20; turn++) await other.ask('ping', {}, 'pong');
    }
    other.close();
    assert.ok(
      client.socket.writableLength > 20_000_000,
      `${client.socket.writableLength} bytes are not read`,
    );
    resolve('Well.');
    await client.ask('ping', {}, 'pong');
  });

  test('takes no more connections than it has room for', async () => {
    const others = await Promise.all(Array.from({ length: 63 }, () => WyomingClient.open(port)));
    await others.at(-1)?.ask('ping', {}, 'pong');
    const tooMany = await WyomingClient.open(port);
    assert.deepEqual(await tooMany.closed(), []);
    for (const one of others) one.close();
  });

  test('stops with its clients', async () => {
    await client.ask('ping', {}, 'pong');
    const closed = once(client.socket, 'close');
    await server.stop();
    await closed;
    assert.equal(ended.mock.calls.length, 1);
  });
});
