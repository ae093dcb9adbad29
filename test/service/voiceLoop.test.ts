import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { FrameWriter, STREAMS } from '../../src/interfaces/voice/audioFrames.ts';
import { Resampler } from '../../src/resampler.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import type { FileHost } from '../support/fileHost.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { silence, spoken, withFlite } from '../support/voice/speech.ts';
import { offerTestModels } from '../support/voice/testModels.ts';
import { VoiceClient } from '../support/voiceClient.ts';
import { WyomingClient } from '../support/wyomingClient.ts';

/* Real engines all the way: what is said is understood, answered and said, and what was said is understood again. */

const FRAME = 320;
const HEADER_BYTES = 12;
const COMPLETED = 'conversation.item.input_audio_transcription.completed';
const DELTA = 'conversation.item.input_audio_transcription.delta';

class Microphone {
  readonly #client: VoiceClient;
  readonly #frames = new FrameWriter(STREAMS.microphone);

  constructor(client: VoiceClient) {
    this.#client = client;
  }

  say(...parts: readonly Int16Array[]): void {
    for (const samples of parts)
      for (let at = 0; at < samples.length; at += FRAME) {
        const { buffer, byteOffset, length } = samples.slice(at, at + FRAME);
        this.#client.socket.send(this.#frames.write(new Uint8Array(buffer, byteOffset, 2 * length)));
      }
  }
}

/** What hark says until the response is done, as samples at 16 kHz. */
async function spokenBy(client: VoiceClient): Promise<Int16Array> {
  await client.told('response.done');
  const audio = Buffer.concat(client.frames.splice(0).map((frame) => frame.subarray(HEADER_BYTES)));
  return Int16Array.from({ length: audio.length / 2 }, (_, index) => audio.readInt16LE(2 * index));
}

async function understood(client: VoiceClient): Promise<string> {
  const { transcript } = await client.told(COMPLETED);
  return String(transcript);
}

describe('a conversation by voice', withFlite, () => {
  const folder = temporaryFolder('voice-loop');
  let models: ScriptedModels;
  let service: InProcessService;
  let host: FileHost;

  beforeAll(async () => {
    models = await ScriptedModels.start();
    const vocabulary = ['good', 'morning'];
    const offered = await offerTestModels(folder, vocabulary);
    host = offered.host;
    service = await InProcessService.start({
      ...providersAt(models),
      API_RATE_LIMIT: '100000',
      CHAT_RATE_LIMIT: '100000',
      SERVICE_MODELS_MANIFEST: offered.manifest,
      SERVICE_VOICE_WAKE_PHRASES: 'hey hark, hey anna',
      WYOMING_PORT: '0',
    });
    await unsetBackgroundSlots(service);
    for (const modelId of ['words', 'said', 'wake'])
      await service.ask('POST', '/api/models/download', { body: { modelId, confirm: true } });
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await host.stop();
    await models.stop();
  });

  const set = (settings: object) => service.put('/api/settings', settings);
  const open = () => VoiceClient.open(service.port, '/ws/audio');

  test('begins with a phrase that hark waits for, for whoever asks over Wyoming', async () => {
    const { body } = await service.get<{ pipeline: { wake: unknown } }>('/api/voice/status');
    assert.deepEqual(body.pipeline.wake, { engine: 'sherpa', model: 'wake', status: 'ready' });
    const measured = await service.ask('POST', '/api/models/wake/benchmark', { body: {} });
    assert.equal(measured.status, 200);
    assert.deepEqual(Object.keys(measured.body), ['realTimeFactor', 'peakMb']);
    const client = await WyomingClient.open(service.wyomingPort ?? assert.fail('no port'));
    assert.match(JSON.stringify((await client.ask('describe', {}, 'info')).wake), /"phrase":"hey anna"/);
    const format = { rate: 16_000, width: 2, channels: 1 };
    const say = (...parts: readonly Int16Array[]) => {
      client.send('audio-start', format);
      for (const { buffer, byteOffset, byteLength } of parts)
        client.send('audio-chunk', format, new Uint8Array(buffer, byteOffset, byteLength));
    };
    client.send('detect', { names: ['hey anna'] });
    say(silence(300), await spoken('what time is it'), silence(300));
    client.send('audio-stop');
    await client.until('not-detected');
    say(silence(300), await spoken('hey anna'), silence(700));
    const { name, timestamp } = Object((await client.until('detection')).at(-1)?.data);
    assert.equal(name, 'hey anna');
    assert.ok(timestamp > 300 && timestamp < 2_300, `${timestamp} ms`);
    client.close();
    await set({ voiceWakePhrases: 'hey hark' });
    const { pipeline } = (await service.get<{ pipeline: { wake: { status: string } } }>('/api/voice/status'))
      .body;
    assert.equal(pipeline.wake.status, 'failed');
  });

  for (const path of ['/ws/audio', '/v1/realtime'])
    test(`is told word by word while it is heard, on ${path}`, async () => {
      await set({ voiceSttModel: 'words' });
      const client = await VoiceClient.open(service.port, path);
      const input = { turn_detection: { type: 'server_vad', create_response: false }, transcription: {} };
      client.send({ type: 'session.update', session: { type: 'realtime', audio: { input } } });
      await client.told('session.updated');
      const said = await spoken('what time is it');
      const microphone = new Microphone(client);
      const say = (...parts: readonly Int16Array[]) => {
        if (path === '/ws/audio') return microphone.say(...parts);
        for (const samples of parts) {
          const resampler = new Resampler(16_000, 24_000);
          for (const { buffer, byteOffset, byteLength } of [resampler.push(samples), resampler.end()]) {
            const audio = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
            client.send({ type: 'input_audio_buffer.append', audio });
          }
        }
      };
      say(silence(300), said);
      const { delta: first } = await client.told(DELTA);
      say(silence(900));
      assert.equal(await understood(client), 'what time is it');
      const words = client.events.flatMap(({ type, delta }) => (type === DELTA ? [String(delta)] : []));
      assert.equal([first, ...words].join(''), 'what time is it');
      client.close();
    });

  for (const [voice, question, reply] of [
    ['flite', 'what is my name', 'Your name is Alex.'],
    ['said', 'good morning', 'Good morning.'],
  ] as const)
    test(`is understood, answered and said by ${voice}, which is understood again`, async () => {
      await set({ voiceSttModel: 'words', voiceTtsModel: voice });
      models.script(says(reply), { contains: question });
      const asking = await open();
      const microphone = new Microphone(asking);
      microphone.say(silence(300), await spoken(question), silence(900));
      assert.equal(await understood(asking), question);
      const answer = await spokenBy(asking);
      asking.close();

      const listening = await open();
      listening.send({
        type: 'session.update',
        session: { type: 'realtime', turn_detection: { type: 'server_vad', create_response: false } },
      });
      new Microphone(listening).say(silence(300), answer, silence(900));
      assert.equal(await understood(listening), reply.toLowerCase().slice(0, -1));
      listening.close();
    });
});
