import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { bytesOf, temporaryFolder } from '../support/dataDirectory.ts';
import { modelledService } from '../support/modelledService.ts';
import { EventReader } from '../support/service.ts';
import { VoiceClient } from '../support/voiceClient.ts';

const isAudio = (name: string) => name.startsWith('voice/');

/** By whatever could be a key in it. */
function isOpened(file: Buffer, found: Buffer): boolean {
  return Array.from(found.toString('latin1').matchAll(/(?=([A-Za-z0-9+/]{43}=))/g)).some(([, key = '']) => {
    const opening = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), file.subarray(0, 12));
    opening.setAuthTag(file.subarray(12, 28)).update(file.subarray(28));
    try {
      opening.final();
      return true;
    } catch {
      return false;
    }
  });
}

describe('what was said by voice', () => {
  const directory = temporaryFolder('voice-forgotten');
  const set = modelledService({ SERVICE_DATA_DIR: directory, SERVICE_KVSTORE_URL: 'embedded' });
  const prefer = (preferences: object) => set.service.put('/api/users/default/preferences', preferences);
  const isNowhere = (...words: readonly string[]) => {
    for (const [name, bytes] of bytesOf(directory))
      for (const word of words) assert.ok(!bytes.includes(word), `${word} in ${name}`);
  };
  const talk = async (text: string, reply: string) => {
    set.models.script([says(reply)]);
    const client = await VoiceClient.open(set.service.port, '/v1/realtime');
    client.send({ type: 'session.update', session: { type: 'realtime' } });
    const sessionId = String(Object((await client.told('session.updated')).session).id);
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
    client.send({ type: 'conversation.item.create', item });
    client.send({ type: 'response.create' });
    await client.told('response.done');
    return { client, sessionId };
  };

  test('is in no file once its session is forgotten, and a copy of its audio stays shut', async () => {
    await prefer({ storeAudio: true });
    const { sessionId } = await talk('I hid it in Quaffelstein.', 'Noted, Vossikuppe.');
    const [copy] = Array.from(bytesOf(directory)).filter(([name]) => isAudio(name));
    assert.ok(copy);
    const { text: before } = await set.service.get('/api/events?limit=1000');
    assert.ok(isOpened(copy[1], Buffer.from(before)), 'while it is kept');
    const { status } = await set.service.ask('DELETE', `/api/chat/sessions/${sessionId}?forget=true`);
    assert.equal(status, 200);
    let left = bytesOf(directory);
    while (Array.from(left.keys()).some(isAudio)) {
      await nextTurn();
      left = bytesOf(directory);
    }
    isNowhere('Quaffelstein', 'Vossikuppe');
    const { text: after } = await set.service.get('/api/events?limit=1000');
    for (const bytes of [...left.values(), Buffer.from(after)]) assert.ok(!isOpened(copy[1], bytes));
    await prefer({ storeAudio: false });
  });

  test('is in no file at its end where transcripts are not kept', async () => {
    await prefer({ storeTranscripts: false });
    const reader = await EventReader.open(
      `${set.service.url}/api/events/stream?topics=memory.conversation.consolidated`,
    );
    const { client, sessionId } = await talk('I moved to Wuppenhagen.', 'To Wuppenhagen, Zacharinka.');
    client.close();
    for (;;) {
      const { data } = Object(JSON.parse((await reader.next())?.data ?? '{}'));
      if (Object(data).sessionId === sessionId) break;
    }
    isNowhere('Wuppenhagen', 'Zacharinka');
    reader.close();
  });
});
