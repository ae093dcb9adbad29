import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { fails, says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { findPocketsphinx } from '../../src/gateways/speech/pocketsphinx.ts';
import { providersAt } from '../support/models/environment.ts';
import { EventReader, InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { COMMANDS } from '../support/voice/commands.ts';
import { WyomingClient } from '../support/wyomingClient.ts';

const noEars = (await findPocketsphinx()) === undefined ? 'pocketsphinx is not installed' : false;

describe('Home Assistant', () => {
  let folder: string;
  let models: ScriptedModels;
  let service: InProcessService;
  let client: WyomingClient;
  const open = () => WyomingClient.open(service.wyomingPort ?? assert.fail('no port'));
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hark-wyoming-'));
    writeFileSync(join(folder, 'words.gram'), COMMANDS);
    models = (await ScriptedModels.start()).script(() => says('It is **noon**. Go and eat.'));
    service = await InProcessService.start({
      ...providersAt(models),
      SERVICE_API_KEY: 'the-api-key',
      SERVICE_USER_ID: 'ann',
      WYOMING_PORT: '0',
      SERVICE_VOICE_GRAMMAR: join(folder, 'words.gram'),
    });
    client = await open();
  });
  afterAll(async () => {
    client.close();
    await service.stop();
    await models.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const headers = { authorization: 'Bearer the-api-key' };
  const history = async (sessionId: string) =>
    (await service.get(`/api/chat/history/${sessionId}`, headers)).text;

  test('finds what there is, and where', async () => {
    const info = await client.ask('describe', {}, 'info');
    assert.match(JSON.stringify(info.tts), /"name":"slt"/);
    assert.match(JSON.stringify(info.handle), /"installed":true/);
    assert.deepEqual(info.wake, []);
    const { body } = await service.ask<{ ports: Record<string, number> }>('GET', '/api/system/info', {
      headers,
    });
    assert.equal(body.ports.wyoming, service.wyomingPort);
  });

  test('is answered by a turn of chat: with memory, history and the session of its conversation', async () => {
    const context = { conversation_id: 'kitchen' };
    const said = { text: 'When is lunch?', language: 'en', context };
    const answer = await client.ask('transcript', said, 'handled');
    assert.deepEqual({ ...answer }, { text: 'It is **noon**. Go and eat.', context });
    const other = await open();
    await other.ask('transcript', { text: 'And dinner?', context }, 'handled');
    other.close();
    const all = await history('wyoming-kitchen');
    assert.match(all, /When is lunch\?.*And dinner\?/s);
    assert.match(
      models.chats
        .at(-1)
        ?.turns.map(({ text }) => text)
        .join() ?? '',
      /When is lunch.*And dinner/,
    );
  });

  test('ends the session of a connection with it', async () => {
    const events = await EventReader.open(`${service.url}/api/events/stream?topics=sessionEnded`, headers);
    const one = await open();
    await one.ask('transcript', { text: 'Hello' }, 'handled');
    one.close();
    const ended = await events.next();
    assert.match(ended?.data ?? '', /"sessionId":"wyoming-[0-9a-f-]{36}"/);
    events.close();
  });

  test('hears why there is no answer', async () => {
    models.script(() => fails('server-error'));
    const one = await open();
    assert.match(String((await one.ask('transcript', { text: 'Hello' }, 'not-handled')).text), /./);
    models.script(() => says('It is noon.'));
    one.close();
  });

  test('speaks with its voice: what is written for the eye is not read out', async () => {
    client.send('synthesize', {
      text: '**Hello** there. How are you?',
      voice: { name: 'slt', language: 'en' },
    });
    const told = await client.until('audio-stop');
    const bytes = told.reduce((sum, { payload }) => sum + payload.length, 0);
    const seconds = bytes / 2 / 22_050;
    assert.ok(seconds > 0.8 && seconds < 4, `${seconds} s`);
  });

  test('hears the first sentence while the second is written', async () => {
    client.send('synthesize-start', {});
    client.send('synthesize-chunk', { text: 'The first is said at once. The sec' });
    await client.until('audio-stop');
    client.send('synthesize-chunk', { text: 'ond comes later.' });
    client.send('synthesize', { text: 'The first is said at once. The second comes later.' });
    client.send('synthesize-stop');
    const types = (await client.until('synthesize-stopped')).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'audio-start').length, 1);
  });

  test('speaks, and understands what it said', skippedFor(noEars), async () => {
    const one = await open();
    for (const text of ['turn on the light', 'what time is it']) {
      one.send('synthesize', { text, voice: { name: 'slt' } });
      const spoken = await one.until('audio-stop');
      one.send('transcribe', { language: 'en' });
      for (const { type, data, payload } of spoken) one.send(type, { ...data }, payload);
      assert.equal((await one.until('transcript')).at(-1)?.data.text, text);
    }
    one.close();
  });
});
