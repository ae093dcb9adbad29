import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { WebSocket } from 'ws';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { findPocketsphinx } from '../../src/gateways/speech/pocketsphinx.ts';
import { readWave, writeWave } from '../../src/gateways/speech/wave.ts';
import { FrameWriter, STREAMS } from '../../src/interfaces/voice/audioFrames.ts';
import { hark } from '../interfaces/cli/hark.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { COMMANDS, spokenByService } from '../support/voice/commands.ts';
import { McpByHand } from './mcpClient.ts';

const RATE = 16_000;
const noEars = (await findPocketsphinx()) === undefined ? 'pocketsphinx is not installed' : false;

/** Somebody in a voice session: what they are told, and how much speech. */
class Speaker {
  readonly events: { readonly type: string; readonly [key: string]: unknown }[] = [];
  readonly #socket: WebSocket;
  readonly #frames = new FrameWriter(STREAMS.microphone);
  speech = 0;
  #news = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.speech += (data.length - 12) / 2;
      else this.events.push(JSON.parse(data.toString()));
      this.#news.resolve();
      this.#news = Promise.withResolvers();
    });
  }

  static async open(port: number, user: string): Promise<Speaker> {
    const headers = { 'x-user-id': user };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/audio`, ['hark.v1'], { headers });
    const speaker = new Speaker(socket);
    await once(socket, 'open');
    await speaker.until(({ events }) => events.some(({ type }) => type === 'session.created'));
    return speaker;
  }

  get sessionId(): string {
    const created = this.events.find(({ type }) => type === 'session.created');
    return String(Object(created?.session).id);
  }

  say(samples: Int16Array): void {
    for (let from = 0; from < samples.length; from += 3_200) {
      const part = samples.slice(from, from + 3_200);
      this.#socket.send(this.#frames.write(new Uint8Array(part.buffer), { begins: from === 0 }));
    }
  }

  async until(holds: (speaker: this) => boolean): Promise<void> {
    while (!holds(this)) await this.#news.promise;
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close(1_000);
    await closed;
  }
}

describe('in a voice session', { ...skippedFor(noEars) }, () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let folder: string;
  let question: Int16Array;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hark-voice-'));
    writeFileSync(join(folder, 'words.gram'), COMMANDS);
    models = (await ScriptedModels.start()).script(() => says('Turn on the light.'));
    service = await InProcessService.start({
      ...providersAt(models),
      SERVICE_VOICE_GRAMMAR: join(folder, 'words.gram'),
      WYOMING_PORT: '0',
    });
    question = await spokenByService(service, 'what time is it', [500, 2_000]);
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(name: string, input: object, user = 'ann'): Promise<string> {
    const mcp = new McpByHand(service.mcpUrl, { 'x-user-id': user });
    const { messages } = await mcp.ask('tools/call', { name, arguments: input });
    return messages[0]?.result?.content?.[0]?.text ?? '';
  }

  test('voice.speak is heard in the session of the user, and of nobody else', async () => {
    const ann = await Speaker.open(service.voicePort, 'ann');
    const bob = await Speaker.open(service.voicePort, 'bob');
    assert.equal(
      await call('voice.speak', { text: 'Dinner is ready.' }),
      `Speech is queued in voice session ${ann.sessionId}`,
    );
    await ann.until(({ events }) => events.some(({ type }) => type === 'response.done'));
    assert.ok(ann.speech > RATE / 2, `${ann.speech} samples`);
    assert.equal(bob.speech, 0);
    const stolen = await call('voice.speak', { text: 'Boo', sessionId: ann.sessionId }, 'bob');
    assert.equal(stolen, 'Error: No voice session');
    const headers = { 'x-user-id': 'ann' };
    const listed = await service.ask<{ sessions: Record<string, unknown>[] }>('GET', '/api/sessions', {
      headers,
    });
    assert.deepEqual(
      listed.body.sessions.map(({ id, isActive }) => ({ id, isActive })),
      [{ id: ann.sessionId, isActive: true }],
    );
    await Promise.all([ann.close(), bob.close()]);
    assert.equal(await call('voice.speak', { text: 'Anybody?' }), 'Error: No voice session');
  });

  test('voice.listen gives what is said, and no turn begins with it', async () => {
    const ann = await Speaker.open(service.voicePort, 'ann');
    const before = models.chats.length;
    const heard = call('voice.listen', { durationMs: 10_000 });
    await ann.until(({ events }) =>
      events.some(({ type, state }) => type === 'hark.state' && state === 'listening'),
    );
    ann.say(question);
    assert.equal(await heard, 'what time is it');
    assert.equal(models.chats.length, before);
    await ann.close();
  });

  test('voice.listen says that nobody spoke', async () => {
    const ann = await Speaker.open(service.voicePort, 'ann');
    assert.equal(await call('voice.listen', { durationMs: 300 }), '[no speech]');
    await ann.close();
  });

  test('hark talk asks what is in a file, and the figures tell how long that took', async () => {
    writeFileSync(join(folder, 'question.wav'), writeWave(question, RATE));
    const files = ['--input', join(folder, 'question.wav'), '--output', join(folder, 'answer.wav')];
    const outcome = await hark(['talk', ...files], { HARK_URL: service.url });
    assert.deepEqual(outcome, {
      code: 0,
      stdout: 'you: what time is it\nhark: Turn on the light.\n',
      stderr: '',
    });
    assert.ok((readWave(readFileSync(join(folder, 'answer.wav')))?.samples.length ?? 0) > RATE / 2);
    const { body } = await service.ask<Record<string, unknown>>('GET', '/api/voice/stats');
    const { latency, stt, tts, audioChunksIn, audioChunksOut } = Object(body);
    assert.ok(stt.count > 0 && tts.count > 0 && audioChunksIn > 0 && audioChunksOut > 0);
    assert.ok(latency.endOfSpeechToFirstAudio.count > 0, JSON.stringify(latency));
  });
});
