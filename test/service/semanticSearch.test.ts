import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import type { ModelRequest } from '../../src/demo/model/request.ts';
import { embeds, fails, saysJson, silent } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { bytesOf } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { EventReader, InProcessService } from '../support/service.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };
const CHAT = { provider: 'local-runner', model: 'qwen3:8b' };
const SMALL = { provider: 'local-runner', model: 'nomic-embed-text' };
const OTHER = { provider: 'cloud-b', model: 'text-embedding-3-small' };

/** A summary and two turns. */
const DOCUMENTS_AN_EPISODE = 3;

interface Hit {
  readonly id: string;
  readonly matchType: string;
  readonly score: number;
  readonly sessionId: string;
  readonly match: { readonly text: string };
}

/** What the scripted models understand: a text is about animals, about boats, or about neither. */
const meanings = [/cat|whiskers|pet|animal/i, /boat|sail|harbour/i];
function vectorOf(text: string): readonly number[] {
  const about = meanings.map((words) => (words.test(text) ? 1 : 0));
  return about.some((value) => value > 0) ? [...about, 0.1] : [0, 0, 1];
}
const understands = ({ texts }: ModelRequest) => embeds(...texts.map(vectorOf));

describe('searching by meaning', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-semantic-'));
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await start();
  });
  beforeEach(async () => {
    models.script(understands, { endpoint: 'embed' });
    await slots({ chat: CHAT, embedding: SMALL, classification: null });
    await set({ memorySearchMode: 'hybrid', memoryQueryExpansion: false });
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
    rmSync(directory, { recursive: true });
  });

  const start = (tuning?: { readonly patienceMs: number }) => {
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    return InProcessService.start({ ...LIMITS, ...providersAt(models), ...store }, tuning);
  };
  const slots = async (given: Record<string, unknown>) => {
    const { status, text } = await service.put('/api/slots', { slots: given });
    assert.equal(status, 200, text);
  };
  const set = (given: Record<string, unknown>) => service.put('/api/settings', given);
  const as = (name: string) => ({ 'x-user-id': name });

  const remember = async (user: string, ...said: string[]) => {
    const sessions = said.map((content, index) => ({
      id: `${user}-${index}`,
      startedAt: 1_690_000_000_000 + index,
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: 'I will remember that.' },
      ],
    }));
    const body = { source: 'conversation', content: { sessions } };
    const { status, text } = await service.ask('POST', '/api/memory/import', { body, headers: as(user) });
    assert.equal(status, 200, text);
  };
  /** Resolves when so many episodes have vectors of the model; a search sees to those that nobody made yet. */
  const vectorsOf = async (user: string, episodes: number, { model } = SMALL) => {
    await find(user, 'anything');
    const topics = '/api/events/stream?topics=memory.vectors.made&after=0';
    const reader = await EventReader.open(service.url + topics, as(user));
    for (let seen = 0; seen < episodes; ) {
      const message = await reader.next();
      assert(message);
      if (message.data && JSON.parse(message.data).data.model === model) seen++;
    }
    reader.close();
  };
  const find = async (user: string, query: string) => {
    const path = `/api/memory/search?q=${encodeURIComponent(query)}`;
    return (await service.get<{ results: Hit[] }>(path, as(user))).body.results;
  };
  const health = () => service.get<Record<string, string>>('/health/memory-semantic');
  const loaded = async () => Number.parseInt((await health()).body.note ?? '', 10);
  const asked = () => models.requests.filter(({ endpoint }) => endpoint === 'embed');

  test('finds what is said in other words, and shows the passage', async () => {
    await remember('ann', 'Whiskers slept on the sofa again.', 'The harbour was full this weekend.');
    await vectorsOf('ann', 2);
    const [best] = await find('ann', 'What animal is at home there?');
    assert.equal(best?.matchType, 'semantic');
    assert.equal(best?.sessionId, 'ann-0');
    assert.match(best?.match.text ?? '', /Whiskers/);
    const [both] = await find('ann', 'harbour');
    assert.deepEqual([both?.matchType, both?.sessionId], ['keyword', 'ann-1']);
    assert.match((await health()).body.note ?? '', /^\d+ documents loaded, \d+ bytes$/);
  });

  test('puts it into the context of the model', async () => {
    await remember('ben', 'Whiskers slept on the sofa again.');
    await vectorsOf('ben', 1);
    const body = { query: 'Do I have an animal?' };
    const { text } = await service.ask('POST', '/api/memory/context', { body, headers: as('ben') });
    assert.match(text, /Whiskers slept/);
  });

  test('asks no model what a query means for somebody of whom nothing is remembered', async () => {
    const before = asked().length;
    const body = { query: 'Do I have an animal?' };
    const { text } = await service.ask('POST', '/api/memory/context', { body, headers: as('nobody') });
    assert.match(text, /"context":""/);
    assert.equal(asked().length, before);
  });

  test('keeps users apart', async () => {
    await remember('cleo', 'Whiskers is the secret of Cleo.');
    await vectorsOf('cleo', 1);
    await remember('dora', 'We went sailing.');
    await vectorsOf('dora', 1);
    assert.equal((await find('cleo', 'animal')).length, 1);
    const found = await find('dora', 'animal');
    assert.deepEqual(found, []);
  });

  test('asks no model in the mode keyword, and needs no words in the mode semantic', async () => {
    await remember('eve', 'Whiskers slept on the sofa again.', 'We went sailing.');
    await vectorsOf('eve', 2);
    await set({ memorySearchMode: 'keyword' });
    const before = asked().length;
    assert.deepEqual(await find('eve', 'animal'), []);
    assert.equal((await find('eve', 'sofa'))[0]?.matchType, 'keyword');
    assert.equal(asked().length, before);
    assert.match((await health()).body.note ?? '', /^Not in use/);
    await set({ memorySearchMode: 'semantic' });
    const found = await find('eve', 'animal, not to be confused with sailing words like again');
    assert.ok(found.length > 0 && found.every(({ matchType }) => matchType === 'semantic'));
  });

  test('makes the vectors anew for another model, and finds by words until then', async () => {
    await remember('fay', 'Whiskers slept on the sofa again.');
    await vectorsOf('fay', 1);
    // Of another length, so that nothing of the two can be compared.
    const longer = ({ texts }: ModelRequest) => embeds(...texts.map((text) => [0, 0, ...vectorOf(text)]));
    models.script(longer, { endpoint: 'embed', provider: 'cloud-b' });
    await slots({ embedding: OTHER });
    assert.equal((await find('fay', 'sofa'))[0]?.matchType, 'keyword');
    await vectorsOf('fay', 1, OTHER);
    assert.equal((await find('fay', 'animal'))[0]?.matchType, 'semantic');
    const calls = asked().length;
    await find('fay', 'animal');
    assert.equal(asked().length, calls + 1);
  });

  test('leaves nothing of what was erased, in memory or on disk', async () => {
    await remember('gil', 'Whiskers slept on the sofa again.', 'We went sailing.');
    await vectorsOf('gil', 2);
    const [hit] = await find('gil', 'animal');
    assert(hit);
    const before = await loaded();
    await service.ask('DELETE', `/api/memory/episodes/${hit.id}`, { headers: as('gil') });
    assert.deepEqual(await find('gil', 'animal'), []);
    assert.equal(await loaded(), before - DOCUMENTS_AN_EPISODE);
    assert.equal((await find('gil', 'boat')).length, 1);
    const vector = Buffer.from(Float32Array.from(vectorOf('cat')).buffer).toString('base64');
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes(vector), name);
    const { text } = await service.get('/api/events?type=memory.vectors.made&limit=1000', as('gil'));
    assert.match(text, /"vectors":null/);
    await service.ask('DELETE', '/api/memory', { headers: as('gil') });
    assert.deepEqual(await find('gil', 'boat'), []);
  });

  test('goes on by words when the model fails, says so, and comes back', async () => {
    await remember('hal', 'Whiskers slept on the sofa again.');
    await vectorsOf('hal', 1);
    models.script(fails('wrong-key'), { endpoint: 'embed' });
    assert.equal((await find('hal', 'sofa'))[0]?.matchType, 'keyword');
    const { status, body } = await health();
    assert.equal(status, 503);
    assert.match(body.error ?? '', /embedding model does not answer/);
    const calls = asked().length;
    await find('hal', 'sofa');
    assert.equal(asked().length, calls, 'nobody asks for a while');
    models.reset();
    models.script(understands, { endpoint: 'embed' });
    await service.advance(30_000);
    assert.equal((await find('hal', 'animal'))[0]?.matchType, 'semantic');
    assert.equal((await health()).status, 200);
  });

  test('waits for nobody: a model that is silent costs a search a moment', async () => {
    await remember('ida', 'Whiskers slept on the sofa again.');
    await vectorsOf('ida', 1);
    await service.stop();
    service = await start({ patienceMs: 20 });
    models.script(silent(), { endpoint: 'embed', times: 1 });
    assert.equal((await find('ida', 'sofa'))[0]?.matchType, 'keyword');
    await service.stop();
    service = await start();
  });

  test('says that there is no model, and finds by words', async () => {
    await slots({ embedding: null });
    await remember('joe', 'Whiskers slept on the sofa again.');
    assert.equal((await find('joe', 'sofa'))[0]?.matchType, 'keyword');
    const { status, body } = await health();
    assert.equal(status, 200);
    assert.match(body.note ?? '', /^No model in the embedding slot/);
    assert.deepEqual(asked(), []);
  });

  test('adds what a quick model thinks of to the query', async () => {
    await slots({ embedding: null, classification: { provider: 'cloud-b', model: 'gpt-5-mini' } });
    await remember('kim', 'Whiskers slept on the sofa again.');
    assert.deepEqual(await find('kim', 'chesterfield'), []);
    await set({ memoryQueryExpansion: true });
    models.script(saysJson({ words: ['couch', 'sofa'] }), { contains: 'chesterfield' });
    assert.equal((await find('kim', 'chesterfield'))[0]?.sessionId, 'kim-0');
    // Without a slot for quick work it is the local runner that adds words.
    await slots({ classification: null });
    models.script(saysJson({ words: ['sofa'] }), { contains: 'davenport', provider: 'local-runner' });
    assert.equal((await find('kim', 'davenport'))[0]?.sessionId, 'kim-0');
    models.script(saysJson('no words at all'), { contains: 'sofa' });
    assert.equal((await find('kim', 'sofa'))[0]?.sessionId, 'kim-0');
  });
});
