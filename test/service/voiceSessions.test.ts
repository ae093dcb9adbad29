import assert from 'node:assert/strict';
import { existsSync, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { modelledService } from '../support/modelledService.ts';
import { EventReader, TEST_NOW } from '../support/service.ts';
import { VoiceClient } from '../support/voiceClient.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

/** Of this process, by their ids. */
async function fliteProcesses(): Promise<readonly string[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const ids = children.split(' ').filter((id) => id !== '');
  const commands = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
  const isFlite = (await Promise.all(commands)).map((command) => command.includes('engines/flite.ts'));
  return ids.filter((_, index) => isFlite[index]);
}

/** Said by the engine that comes with hark, over the sockets of the service. */
describe('a session of voice', () => {
  const directory = temporaryFolder('voice');
  const set = modelledService({ SERVICE_DATA_DIR: directory });
  const open = (query = '') => VoiceClient.open(set.service.port, `/v1/realtime${query}`);
  const sessionOf = async (client: VoiceClient) => {
    client.send({ type: 'session.update', session: { type: 'realtime' } });
    return String(Object((await client.told('session.updated')).session).id);
  };
  const say = (client: VoiceClient, text: string) => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
    client.send({ type: 'conversation.item.create', item });
    client.send({ type: 'response.create' });
  };
  const history = async (sessionId: string) =>
    (await set.service.get<{ messages: Message[] }>(`/api/chat/history/${sessionId}`)).body.messages.map(
      ({ role, content }) => `${role}: ${content}`,
    );
  const prefer = (preferences: object) => set.service.put('/api/users/default/preferences', preferences);
  const listen = (topics: string) =>
    EventReader.open(`${set.service.url}/api/events/stream?topics=${topics}`);

  const told = async (reader: EventReader, sessionId: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { data } = Object(JSON.parse((await reader.next())?.data ?? '{}'));
      if (Object(data).sessionId === sessionId) return data;
    }
  };

  test('has loaded what it speaks with before anything is said', async () => {
    set.models.script([says('At once.')]);
    await set.service.put('/api/settings', { voiceTtsModel: 'flite' });
    const client = await open();
    let prepared: readonly string[] = [];
    while (prepared.length === 0) prepared = await fliteProcesses();
    say(client, 'Are you there?');
    await client.told('response.done');
    assert.deepEqual(await fliteProcesses(), prepared);
    await set.service.put('/api/settings', { voiceTtsModel: 'auto' });
    client.close();
    await client.closed;
  });

  test('whose engine is killed in mid-sentence goes on as text, and speaks again', async () => {
    const [first, second] = ['Here is the first one.', 'Here is the second one.'];
    set.models.script([says(`${first} ${second}`)]);
    await set.service.put('/api/settings', { voiceTtsModel: 'flite' });
    const client = await open();
    let engines: readonly string[] = [];
    while (engines.length === 0) engines = await fliteProcesses();
    // It stands still with the first sentence, until it is killed.
    for (const id of engines) process.kill(Number(id), 'SIGSTOP');
    say(client, 'Count them.');
    await client.told('response.content_part.added');
    for (const id of engines) process.kill(Number(id), 'SIGKILL');
    const { transcript } = await client.told('response.output_audio_transcript.done');
    assert.equal(transcript, `${first} ${second}`);
    assert.equal(Object((await client.told('response.done')).response).status, 'completed');
    const isSpeech = ({ type }: { readonly type: string }) => type === 'response.output_audio.delta';
    assert.ok(client.events.some(isSpeech), 'speech came after it');
    const begun = await fliteProcesses();
    assert.ok(begun.length > 0 && !begun.some((id) => engines.includes(id)), 'a new one speaks');
    await set.service.put('/api/settings', { voiceTtsModel: 'auto' });
    client.close();
    await client.closed;
  });

  test('is answered out loud, word for word, and is a session of chat', async () => {
    set.models.script([says('It is five. Time for tea.')]);
    const client = await open();
    const sessionId = await sessionOf(client);
    say(client, 'What time is it?');
    const { delta } = await client.told('response.output_audio.delta');
    assert.ok(Buffer.from(String(delta), 'base64').length > 0);
    const { transcript } = await client.told('response.output_audio_transcript.done');
    assert.equal(transcript, 'It is five. Time for tea.');
    assert.equal(Object((await client.told('response.done')).response).status, 'completed');
    assert.deepEqual(await history(sessionId), [
      'user: What time is it?',
      'assistant: It is five. Time for tea.',
    ]);
    client.close();
    await client.closed;
  });

  test('ends with its connection, which is told to whoever listens', async () => {
    set.models.script([says('Hello.')]);
    const reader = await listen('sessionEnded');
    const client = await open();
    const sessionId = await sessionOf(client);
    say(client, 'Hello');
    await client.told('response.done');
    client.close();
    await told(reader, sessionId);
    assert.deepEqual(await history(sessionId), []);
    reader.close();
  });

  test('is ended over REST with what was heard, also where nothing was said in it', async () => {
    set.models.script([says('One two three four five six seven eight nine ten eleven twelve thirteen.')]);
    const client = await open();
    const sessionId = await sessionOf(client);
    assert.equal((await set.service.ask('DELETE', `/api/chat/sessions/${sessionId}`)).status, 200);
    await client.closed;
    const other = await open();
    const otherId = await sessionOf(other);
    say(other, 'Count');
    for (let frame = 0; frame < 20; frame++) await other.told('response.output_audio.delta');
    const ended = await set.service.ask('DELETE', `/api/chat/sessions/${otherId}`);
    assert.deepEqual(ended.body, { ended: true, sessionId: otherId });
    await other.closed;
    assert.equal((await set.service.ask('DELETE', `/api/chat/sessions/${otherId}`)).status, 404);
  });

  test('is over when all of its user is forgotten', async () => {
    const client = await open();
    await sessionOf(client);
    assert.equal((await set.service.ask('DELETE', '/api/memory')).status, 200);
    await client.closed;
    set.models.reset();
  });

  test('says a reminder of its own', async () => {
    const client = await open();
    const sessionId = await sessionOf(client);
    const once = { scheduleType: 'once', atTimestamp: TEST_NOW + 60_000 };
    const task = { name: 'Tea', ...once, text: 'The tea is ready.', sessionId };
    const made = await set.service.ask('POST', '/api/scheduler/tasks', { body: task });
    assert.equal(made.status, 201, made.text);
    await set.service.advance(60_000);
    const { transcript } = await client.told('response.output_audio_transcript.done');
    assert.equal(transcript, 'The tea is ready.');
    client.close();
    await client.closed;
  });

  test('keeps its audio where that is wanted, and forgets it with the session', async () => {
    set.models.script([says('Kept as long as you like.')]);
    await prefer({ storeAudio: true });
    const client = await open();
    const sessionId = await sessionOf(client);
    say(client, 'Keep this');
    await client.told('response.done');
    const folder = join(directory, 'voice');
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    const [file, ...others] = all.filter((one) => one.isFile());
    assert.ok(file && others.length === 0);
    // Over a second of speech, and nothing that one could hear.
    const bytes = await readFile(join(file.parentPath, file.name));
    assert.ok(bytes.length > 40_000);
    assert.ok(new Set(bytes.subarray(28, 20_028)).size > 250);
    let change = Promise.withResolvers<void>();
    const watcher = watch(file.parentPath, () => {
      change.resolve();
      change = Promise.withResolvers();
    });
    const forgotten = await set.service.ask('DELETE', `/api/chat/sessions/${sessionId}?forget=true`);
    assert.deepEqual(forgotten.body, { ended: true, forgotten: true, sessionId });
    for (;;) {
      const { promise } = change;
      if (!existsSync(join(file.parentPath, file.name))) break;
      await promise;
    }
    watcher.close();
    await prefer({ storeAudio: false });
  });

  test('leaves no word behind where transcripts are not kept', async () => {
    set.models.script([says('I will remember that.')]);
    await prefer({ storeTranscripts: false });
    const reader = await listen('memory.conversation.consolidated');
    const client = await open();
    const sessionId = await sessionOf(client);
    say(client, 'I moved to Oslo in spring and I love it there.');
    await client.told('response.done');
    client.close();
    assert.equal((await told(reader, sessionId)).skipped, 'opted-out');
    const { body } = await set.service.get<{ episodes: unknown[] }>('/api/memory/episodes');
    assert.deepEqual(JSON.stringify(body).includes('Oslo'), false);
    await prefer({ storeTranscripts: true });
    reader.close();
  });
});
