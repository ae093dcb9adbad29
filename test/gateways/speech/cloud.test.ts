import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'vitest';
import { OpenAiGateway } from '../../../src/gateways/models/openai.ts';
import type { Spoken } from '../../../src/gateways/speech/engine.ts';
import { KeptRecognition } from '../../../src/gateways/speech/hearing.ts';
import { speakWith } from '../../../src/gateways/speech/speaking.ts';
import { SpeechEngines } from '../../../src/gateways/speech/speechEngines.ts';
import { readWave } from '../../../src/gateways/speech/wave.ts';
import { answersJson, knowsNoModel, SpokenOpenAi } from '../../support/models/spokenOpenAi.ts';

const never = new AbortController().signal;

/** With the key of `server`, and nothing else but what comes with hark. */
function enginesAt(server: SpokenOpenAi, wanted: { stt?: string; tts?: string; voice?: string } = {}) {
  const gateway = new OpenAiGateway({ apiKey: 'sk-test', baseUrl: server.url });
  const engines = new SpeechEngines({
    clients: { clientFor: async () => ({ gateway, credential: 'one' }) },
    installed: async () => [],
    wanted: () => ({ wakePhrases: '', stt: 'cloud-b', tts: 'cloud-b', voice: 'auto', ...wanted }),
  });
  return Object.assign(engines, { [Symbol.asyncDispose]: () => engines.stop() });
}

async function understood(engines: SpeechEngines, language?: string) {
  const recognition = new KeptRecognition(() => engines.hearing(), { language });
  for (let at = 0; at < 10; at++) recognition.hear(new Int16Array(1_600).fill(1_000));
  return recognition.end();
}

async function spoken(
  engines: SpeechEngines,
  options: { voice?: string; speed?: number; signal?: AbortSignal } = {},
) {
  const pieces: Spoken[] = [];
  const asked = { rate: 16_000, signal: never, ...options };
  for await (const piece of speakWith(await engines.speaking(), 'Good morning, Ada.', asked))
    pieces.push(piece);
  const samples = Int16Array.from(pieces.flatMap((piece) => [...piece.samples]));
  return { pieces, samples, words: pieces.flatMap(({ words }) => words) };
}

describe("cloud-b's ears", () => {
  it('are sent the utterance as a file, and give its words', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server);
    server.answer = (_request, response) => answersJson(response, { text: ' Good morning, Ada. ' });
    const { text, words } = await understood(engines, 'en-GB');
    assert.equal(text, 'Good morning, Ada.');
    assert.deepEqual(
      words.map(({ word }) => word),
      ['Good', 'morning,', 'Ada.'],
    );
    assert.ok(words.every(({ start, end }) => start < end && end <= 1));
    const [request] = server.requests;
    assert.equal(request?.path, '/v1/audio/transcriptions');
    assert.equal(request?.authorization, 'Bearer sk-test');
    const { model, language, response_format } = request?.fields ?? {};
    assert.deepEqual([model, language, response_format], ['gpt-4o-mini-transcribe', 'en', 'json']);
    const wave = readWave(request?.file ?? new Uint8Array());
    assert.deepEqual([wave?.rate, wave?.samples.length, wave?.samples[5_000]], [16_000, 16_000, 1_000]);
  });

  it('take the times of words from Whisper, where a server has that alone', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server);
    server.answer = ({ fields }, response) =>
      fields.model === 'whisper-1'
        ? answersJson(response, { text: 'Hi Ada', words: [{ word: 'Hi', start: 0.1, end: 0.3 }] })
        : knowsNoModel(response);
    assert.deepEqual((await understood(engines)).words, [
      { word: 'Hi', start: 0.1, end: 0.3, confidence: 1 },
    ]);
    await understood(engines);
    assert.deepEqual(
      server.requests.map(({ fields }) => [fields.model, fields['timestamp_granularities[]']]),
      [
        ['gpt-4o-mini-transcribe', undefined],
        ['whisper-1', 'word'],
        ['whisper-1', 'word'],
      ],
    );
  });

  it('are asked for the model that a setting names', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server, { stt: 'cloud-b/gpt-4o-transcribe' });
    server.answer = (_request, response) => answersJson(response, { text: '' });
    assert.deepEqual(await understood(engines), { text: '', words: [] });
    assert.equal(server.requests[0]?.fields.model, 'gpt-4o-transcribe');
  });

  it('that fail say so without a word of what was said, and are left alone for a while', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server, { stt: 'cloud-b/gpt-4o-transcribe' });
    server.answer = (_request, response) => {
      response.writeHead(500).end('{"error":{"message":"Good morning, Ada"}}');
    };
    const recognition = new KeptRecognition(async () => (await engines.hearing()).slice(0, 1), {});
    recognition.hear(new Int16Array(1_600));
    await assert.rejects(recognition.end(), { code: 'STT_UNAVAILABLE' });
    const [cloud] = await engines.hearing();
    assert.match(cloud?.lastFailure ?? '', /^cloud-b: overload/);
    assert.notEqual(cloud?.broken, undefined);
    assert.equal(server.requests.length, 2, 'once more at once, and then not');
  });
});

describe("cloud-b's mouth", () => {
  it('speaks as it comes, whatever pieces it comes in, at the rate that is wanted', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server);
    const second = Buffer.from(
      Int16Array.from({ length: 24_000 }, (_, at) => 8_000 * Math.sin(at / 20)).buffer,
    );
    server.answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      for (let at = 0; at < second.length; at += 4_097) response.write(second.subarray(at, at + 4_097));
      response.end();
    };
    const { samples, words } = await spoken(engines, { voice: 'marin', speed: 1.5 });
    assert.equal(samples.length, 16_000);
    assert.ok(Math.abs((samples[8_000] ?? 0) - 8_000 * Math.sin(12_000 / 20)) < 300);
    assert.deepEqual(
      words.map(({ word }) => word),
      ['Good', 'morning,', 'Ada.'],
    );
    assert.ok(words.every(({ start, end }) => start <= end && end <= 1.01));
    const { model, input, voice, response_format, speed } = server.requests[0]?.fields ?? {};
    assert.deepEqual(
      [model, input, voice, response_format, speed],
      ['gpt-4o-mini-tts', 'Good morning, Ada.', 'marin', 'pcm', 1.5],
    );
  });

  it('takes a voice that the model has, where another was named', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server);
    server.answer = (_request, response) => {
      response.end(Buffer.alloc(4_800));
    };
    await spoken(engines, { voice: 'slt' });
    assert.equal(server.requests[0]?.fields.voice, 'marin');
  });

  it('that is away is stood in for by what comes with hark', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server);
    assert.ok((await spoken(engines)).samples.length > 8_000);
    assert.equal((await engines.speaking())[0]?.engine, 'cloud-b');
  });

  it('that breaks off in the middle of a sentence says so', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server);
    server.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 96_000 });
      response.write(Buffer.alloc(48_000), () => setImmediate(() => response.destroy()));
    };
    await assert.rejects(spoken(engines), { code: 'TTS_UNAVAILABLE' });
  });

  it('ends the request when it is cancelled', async () => {
    await using server = await SpokenOpenAi.start();
    await using engines = enginesAt(server);
    const cancelled = new AbortController();
    const closed = Promise.withResolvers<void>();
    server.answer = (_request, response) => {
      void once(response, 'close').then(() => closed.resolve());
      response.writeHead(200);
      response.write(Buffer.alloc(9_600), () => cancelled.abort());
    };
    await spoken(engines, { signal: cancelled.signal });
    await closed.promise;
    assert.equal((await engines.speaking())[0]?.lastFailure, undefined);
  });
});

describe('whom to ask', () => {
  it('never is the cloud, where another was named', async () => {
    await using server = await SpokenOpenAi.start();
    await using local = enginesAt(server, { stt: 'pocketsphinx', tts: 'flite' });
    const all = [...(await local.hearing()), ...(await local.speaking())];
    assert.ok(all.every(({ engine }) => engine !== 'cloud-b'));
    await using auto = enginesAt(server, { stt: 'auto', tts: 'auto' });
    assert.equal((await auto.hearing())[0]?.engine, 'cloud-b');
    assert.deepEqual(
      (await auto.speaking()).map(({ id }) => id),
      ['cloud-b', 'flite'],
    );
    assert.equal((await auto.speaking('kal'))[0]?.id, 'flite', 'which has the voice');
    assert.equal((await auto.speaking(undefined, 'de'))[0]?.id, 'cloud-b');
  });
});
