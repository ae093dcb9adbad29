import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';

interface Conclusion {
  readonly id: string;
  readonly text: string;
  readonly status: string;
  readonly supersededBy: string | null;
}

describe('memory', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({
      API_RATE_LIMIT: '100000',
      SERVICE_TIMEZONE: 'America/New_York',
      SERVICE_LOCALE: 'en-GB',
    });
  });
  afterAll(() => service.stop());

  const state = async (body: unknown, headers = {}) =>
    service.ask<{ conclusion: Conclusion }>('POST', '/api/memory/conclusions', { body, headers });
  const list = async (query = '', headers = {}) =>
    (await service.get<{ conclusions: Conclusion[] }>(`/api/memory/conclusions${query}`, headers)).body
      .conclusions;

  test('takes what the user states, corrects it, and can be asked what it was', async () => {
    const { status, body } = await state({ text: 'I live in Oslo' });
    assert.equal(status, 201);
    await service.advance(1_000);
    const corrected = await state({
      text: 'I live in Bergen',
      type: 'corrected',
      supersedes: body.conclusion.id,
    });
    assert.deepEqual(
      (await list()).map(({ text }) => text),
      ['I live in Bergen'],
    );
    const [old] = await list('?status=merged');
    assert.equal(old?.supersededBy, corrected.body.conclusion.id);
    const then = await list(`?at=${1_700_000_000_500}`);
    assert.deepEqual(
      then.map(({ text }) => text),
      ['I live in Oslo'],
    );
    const why = await service.get<{ chain: { type: string; summary: string }[] }>(
      `/api/memory/conclusions/${corrected.body.conclusion.id}/why`,
    );
    assert.deepEqual(
      why.body.chain.map(({ type }) => type),
      ['memory.conclusion.drawn', 'memory.conclusion.superseded'],
    );
  });

  test('finds what a correction replaces, says so, and can take that back', async () => {
    const headers = { 'x-user-id': 'corrector' };
    const texts = async () => (await list('', headers)).map(({ text }) => text).sort();
    const known = ['The user lives in Berlin.', 'The user loves pizza.', "The user's mother lives in Bonn."];
    for (const text of known) await state({ text }, headers);
    const moved = { text: 'The user lives in Hamburg.', type: 'corrected' };
    const { body } = await service.ask<{ replaced: { id: string; text: string }[] }>(
      'POST',
      '/api/memory/conclusions',
      { body: moved, headers },
    );
    assert.deepEqual(
      body.replaced.map(({ text }) => text),
      ['The user lives in Berlin.'],
    );
    assert.deepEqual(await texts(), [moved.text, ...known.slice(1)].sort());
    const cello = await service.ask<{ replaced: unknown[] }>('POST', '/api/memory/conclusions', {
      body: { text: 'The user plays the cello.', type: 'corrected' },
      headers,
    });
    assert.deepEqual(cello.body.replaced, []);
    const restore = `/api/memory/conclusions/${body.replaced[0]?.id}/restore`;
    assert.equal((await service.ask('POST', restore, { headers, body: {} })).status, 200);
    assert.ok((await texts()).includes('The user lives in Berlin.'));
  });

  test('says the same when the same is stated again under one key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await state({ text: 'I have a cat' }, headers);
    assert.deepEqual((await state({ text: 'I have a cat' }, headers)).body, first.body);
  });

  test('belongs to one user', async () => {
    const ann = { 'x-user-id': 'ann' };
    const { body } = await state({ text: 'Ann sings' }, ann);
    assert.equal((await list('', { 'x-user-id': 'ben' })).length, 0);
    const path = `/api/memory/conclusions/${body.conclusion.id}`;
    assert.equal((await service.ask('DELETE', path, { headers: { 'x-user-id': 'ben' } })).status, 404);
    assert.equal((await service.ask('DELETE', path, { headers: ann })).status, 200);
    assert.equal((await list('', ann)).length, 0);
  });

  test('is gone for good when all of it is erased', async () => {
    const cleo = { 'x-user-id': 'cleo' };
    await state({ text: 'Cleo paints' }, cleo);
    await service.ask('PUT', '/api/memory/profile', { body: { name: 'Cleo' }, headers: cleo });
    assert.equal((await service.ask('DELETE', '/api/memory', { headers: cleo })).status, 200);
    assert.equal((await list('', cleo)).length, 0);
    assert.deepEqual((await service.get('/api/memory/profile', cleo)).body, { profile: {} });
    const events = await service.get('/api/events?limit=1000', cleo);
    assert.doesNotMatch(events.text, /Cleo paints/);
  });

  test('refuses what is too long, unknown or not an id', async () => {
    const long = { name: 'x'.repeat(201) };
    assert.equal((await service.put('/api/memory/profile', long)).status, 400);
    assert.equal((await state({ text: '' })).status, 400);
    assert.equal((await service.get('/api/memory/conclusions?minConfidence=2')).status, 400);
    for (const empty of ['minConfidence=', 'at=', 'at=%20', 'status=', 'type='])
      assert.equal((await service.get(`/api/memory/conclusions?${empty}`)).status, 400, empty);
    assert.equal((await service.ask('DELETE', '/api/memory/conclusions/constructor')).status, 404);
    assert.equal((await service.ask('POST', '/api/memory/conclusions/no%20id/restore')).status, 400);
  });

  test('keeps preferences of each user, for nobody else to see', async () => {
    const path = '/api/users/default/preferences';
    assert.equal((await service.put(path, { persistMemory: false })).status, 200);
    const { body } = await service.get(path);
    assert.deepEqual([body.persistMemory, body.storeTranscripts], [false, true]);
    const refused = await state({ text: 'I have a dog' });
    assert.deepEqual([refused.status, Reflect.get(refused.body, 'errorCode')], [409, 'MEMORY_OFF']);
    assert.ok(!JSON.stringify(await list()).includes('dog'));
    assert.equal((await state({ text: 'I have a dog' }, { 'x-user-id': 'ann' })).status, 201);
    assert.equal((await service.put(path, { persistMemory: true })).status, 200);
    assert.equal((await state({ text: 'I have a dog' })).status, 201);
    assert.equal((await service.get(path, { 'x-user-id': 'ann' })).status, 404);
    // A page need not know whose name the service has for those who give none.
    const mine = await service.get('/api/users/me/preferences', { 'x-user-id': 'ann' });
    assert.deepEqual([mine.status, mine.body.userId], [200, 'ann']);
    assert.equal((await service.put(path, { persistMemory: 'no' })).status, 400);
  });

  test('takes time zone and locale, and refuses fields that nobody knows, of preferences and profile', async () => {
    const path = '/api/users/zoe/preferences';
    const zoe = { 'x-user-id': 'zoe' };
    const usual = await service.get(path, zoe);
    assert.partialDeepStrictEqual(usual.body, { timezone: 'America/New_York', locale: 'en-GB' });
    const chosen = { timezone: 'Europe/Oslo', locale: 'nb-NO' };
    assert.equal((await service.put(path, chosen, zoe)).status, 200);
    const { body } = await service.get(path, zoe);
    assert.partialDeepStrictEqual(body, chosen);
    // What was read may be sent back as it is.
    assert.equal((await service.put(path, body, zoe)).status, 200);
    for (const wrong of [
      { timezone: 'Mars/Olympus' },
      { timezone: '+02:00' },
      { locale: 'en_GB' },
      { persist: true },
    ])
      assert.equal((await service.put(path, wrong, zoe)).status, 400, JSON.stringify(wrong));
    assert.equal((await service.put('/api/memory/profile', { nickname: 'Z' }, zoe)).status, 400);
    assert.equal((await service.put('/api/memory/profile', { name: 'Zoe' }, zoe)).status, 200);
  });
});
