import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { EventReader, InProcessService } from '../support/service.ts';
import { Friend } from './friend.ts';

/* What users prefer, and what comes of it. */

describe('a friend who prefers', () => {
  const set = modelledService();
  const as = (user: string) => ({ 'x-user-id': user });
  /** What the log has of what was said. */
  const wordsOf = async (user: string) => {
    const { body } = await set.service.get<{ events: { type: string }[] }>(
      '/api/events?limit=1000',
      as(user),
    );
    const said = body.events.filter(({ type }) => type.startsWith('chat.'));
    assert.ok(said.length > 0);
    return JSON.stringify(said);
  };
  const system = () => JSON.stringify(set.models.requests.at(-1)?.body);

  it('German is answered in it, and one who chose nothing in the language of their message', async () => {
    const [ann, ben] = [new Friend(set.service, 'ann'), new Friend(set.service, 'ben')];
    set.models.script(says('Gut.'));
    await ann.prefers({ language: 'de' });
    await ann.says('How are you?', 'a');
    assert.match(system(), /Answer in German \(de\)/);
    await ben.says('How are you?', 'b');
    assert.match(system(), /Answer in the language of the user/);
    assert.doesNotMatch(system(), /German/);
  });

  it('a language that is none is refused', async () => {
    const body = { language: 'not a language' };
    const asked = { body, headers: as('ann') };
    assert.equal((await set.service.ask('PUT', '/api/users/ann/preferences', asked)).status, 400);
  });

  it('no transcripts: the words go with the end of the session, and what they came to stays', async () => {
    const cat = new Friend(set.service, 'cat');
    set.models.script(says('Noted, Zandvoort it is.'));
    await cat.prefers({ storeTranscripts: false });
    await cat.says('I moved to Bergen, and yesterday I cycled to Zandvoort with Olga.', 'c');
    assert.match(await wordsOf('cat'), /Noted, Zandvoort it is/);
    await cat.leaves('c');
    assert.deepEqual(await cat.isKnownFor(), ['The user lives in Bergen.']);
    assert.doesNotMatch(await wordsOf('cat'), /Zandvoort|Bergen/);
    const found = await set.service.get('/api/memory/search?q=Bergen', as('cat'));
    assert.match(found.text, /"sessionId":"c"/);
    const [belief] = await cat.beliefs();
    assert.match(await cat.asksWhy(belief?.id ?? ''), /memory.conclusion.drawn/);
  });

  it('no transcripts: the words of a single question go when it is answered', async () => {
    const dan = new Friend(set.service, 'dan');
    set.models.script(says('By train.'));
    await dan.prefers({ storeTranscripts: false });
    const erased = await EventReader.open(
      `${set.service.url}/api/events/stream?topics=memory.transcript.erased`,
      as('dan'),
    );
    await dan.says('How do I get to Zandvoort?');
    while (!(await erased.next())?.data);
    erased.close();
    assert.doesNotMatch(await wordsOf('dan'), /Zandvoort|By train/);
  });

  it('to be forgotten is talked to, and nothing is remembered', async () => {
    const eve = new Friend(set.service, 'eve');
    set.models.script(says('Nice.'));
    await eve.prefers({ persistMemory: false });
    await eve.says('I live in Oslo.', 'e');
    await eve.leaves('e');
    assert.deepEqual(await eve.isKnownFor(), []);
    const { body } = await set.service.get<{ count: number }>('/api/memory/episodes', as('eve'));
    assert.equal(body.count, 0);
  });
});

describe('a friend without any model who prefers German', () => {
  let service: InProcessService;
  beforeAll(async () => {
    const alone = { OLLAMA_HOST: 'http://127.0.0.1:9' };
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000', ...alone });
  });
  afterAll(() => service.stop());

  it('is answered in it', async () => {
    const ida = new Friend(service, 'ida');
    await ida.prefers({ language: 'de-AT' });
    const reply = async (text: string) => (await ida.says(text, 'i')).text;
    assert.match(await reply('Merk dir, dass ich in Bergen wohne.'), /^Das merke ich mir: /);
    assert.match(await reply('Was weißt du über mich?'), /^Das weiß ich:\n- /);
    assert.equal(await reply('Vergiss, dass ich Kaffee mag.'), 'Davon weiß ich nichts.');
    assert.match(await reply('Lösche alles, was du über mich weißt.'), /^Ich habe nichts gelöscht/);
  });
});
