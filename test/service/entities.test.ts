import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { bytesOf } from '../support/dataDirectory.ts';
import { EventReader, InProcessService } from '../support/service.ts';

interface Entity {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly aliases: readonly string[];
  readonly mentions: number;
  readonly episodeIds: readonly string[];
}

interface Found {
  readonly entities: readonly Entity[];
  readonly count: number;
}

interface Stats {
  readonly total: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly relationships: number;
}

interface Related {
  readonly relationships: readonly { from: string; to: string; type: string; sources: string[] }[];
}

describe('who and what is named', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-entities-'));
  let service: InProcessService;
  beforeAll(async () => {
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', ...store });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  const as = (user: string) => ({ 'x-user-id': user });
  /** Imports conversations of one message each, and resolves when the last of them has been read for names. */
  const tell = async (user: string, ...texts: readonly string[]) => {
    const topics = '/api/events/stream?topics=entities.entity.mentioned';
    const reader = await EventReader.open(service.url + topics, as(user));
    const sessions = texts.map((text, index) => ({
      id: `s${index}`,
      startedAt: Date.UTC(2026, 0, 1 + index),
      messages: [{ role: 'user', content: text }],
    }));
    const body = { source: 'conversation', content: { sessions } };
    const { status, text } = await service.ask('POST', '/api/memory/import', { body, headers: as(user) });
    assert.equal(status, 200, text);
    const named = new Set<string>();
    while (named.size < texts.length) {
      const message = await reader.next();
      if (message?.data) named.add(JSON.parse(message.data).data.episodeId);
    }
    reader.close();
  };
  const list = async (user: string, query = '') =>
    (await service.get<Found>(`/api/entities${query}`, as(user))).body.entities;
  const named = async (user: string, name: string) => {
    const known = await list(user);
    const entity = known.find((one) => one.name === name);
    assert.ok(entity, JSON.stringify(known));
    return entity;
  };
  const ask = (user: string, method: string, path: string, body?: unknown) =>
    service.ask<Entity>(method, `/api/entities/${path}`, {
      headers: as(user),
      ...(body === undefined ? {} : { body }),
    });

  test('is known by name, with what it has to do with the user', async () => {
    await tell(
      'ann',
      'My sister Mirjam lives in Zandvoort and works at Philips.',
      'I am going to visit my sister Mirjam in Zandvoort next week.',
    );
    const mirjam = await named('ann', 'Mirjam');
    assert.deepEqual([mirjam.type, mirjam.episodeIds.length, mirjam.mentions], ['person', 2, 2]);
    assert.deepEqual(
      (await list('ann', '?type=place')).map(({ name }) => name),
      ['Zandvoort'],
    );
    assert.equal((await service.get('/api/entities?type=planet', as('ann'))).status, 400);
    const { body: related } = await service.get<Related>(
      `/api/entities/${mirjam.id}/relationships`,
      as('ann'),
    );
    const sister = related.relationships.find(({ type }) => type === 'sister_of');
    assert.deepEqual([sister?.from, sister?.to, sister?.sources.length], [mirjam.id, 'user', 2]);
    const { body: stats } = await service.get<Stats>('/api/entities/stats', as('ann'));
    assert.equal(stats.total, (await list('ann')).length);
    assert.equal(
      Object.values(stats.byType).reduce((sum, n) => sum + n),
      stats.total,
    );
    assert.equal(stats.relationships >= 1, true);
    const { body: episodes } = await service.get(`/api/entities/${mirjam.id}/episodes`, as('ann'));
    assert.equal(episodes.count, 2);
    const { body: concluded } = await service.get(`/api/entities/${mirjam.id}/conclusions`, as('ann'));
    assert.match(JSON.stringify(concluded.conclusions), /Mirjam/);
  });

  test('can be put right', async () => {
    await tell('ben', 'My friend Robert lives in Leeds.', 'My friend Bobby plays the cello.');
    const [robert, bobby] = [await named('ben', 'Robert'), await named('ben', 'Bobby')];
    const renamed = await ask('ben', 'PUT', robert.id, { name: 'Robert Miller' });
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Robert Miller']);
    const merged = await ask('ben', 'POST', `${robert.id}/merge`, { entityId: bobby.id });
    assert.deepEqual([merged.status, merged.body.id, merged.body.episodeIds.length], [200, robert.id, 2]);
    assert.ok(merged.body.aliases.includes('Bobby'));
    assert.equal((await ask('ben', 'GET', bobby.id)).status, 404);
    const unmerged = await ask('ben', 'POST', `${robert.id}/unmerge`, { entityId: bobby.id });
    assert.deepEqual(unmerged.body, renamed.body);
    assert.deepEqual((await ask('ben', 'GET', bobby.id)).body, { ...bobby, merged: [] });
    assert.equal((await ask('ben', 'POST', `${robert.id}/merge`, { entityId: robert.id })).status, 400);
    assert.equal((await ask('ben', 'POST', `${robert.id}/merge`, { entityId: 'nobody' })).status, 404);
    assert.equal((await ask('ben', 'PUT', robert.id, { type: 'planet' })).status, 400);
    assert.equal((await ask('ben', 'PUT', robert.id, { name: '' })).status, 400);
  });

  test('is not there for others, nor under the words of the language', async () => {
    await tell('cleo', 'My brother Anselm lives in Ghent.');
    const { id } = await named('cleo', 'Anselm');
    const requests = [
      ['GET', ''],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['GET', '/episodes'],
      ['GET', '/conclusions'],
      ['GET', '/relationships'],
      ['POST', '/merge', { entityId: 'another' }],
      ['POST', '/unmerge', { entityId: 'another' }],
    ] as const;
    for (const [method, path, body] of requests) {
      assert.equal((await ask('dora', method, `${id}${path}`, body)).status, 404, `${method} ${path}`);
      for (const word of ['constructor', '__proto__', 'toString'])
        assert.equal(
          (await ask('cleo', method, `${word}${path}`, body)).status,
          404,
          `${method} ${word}${path}`,
        );
    }
    assert.equal((await named('cleo', 'Anselm')).id, id);
  });

  test('is gone from everywhere at once when its episode, or it itself, is erased', async () => {
    await tell('eve', 'My neighbour Quixandra lives in Umberstadt.', 'My boss Wolframine lives in Oxnard.');
    const quixandra = await named('eve', 'Quixandra');
    await service.ask('DELETE', `/api/memory/episodes/${quixandra.episodeIds[0]}`, { headers: as('eve') });
    const left = (await list('eve')).map(({ name }) => name);
    assert.ok(!left.includes('Quixandra') && !left.includes('Umberstadt'), left.join());
    const wolframine = await named('eve', 'Wolframine');
    const erased = await ask('eve', 'DELETE', wolframine.id);
    assert.deepEqual(erased.body, { deleted: true, entityId: wolframine.id });
    assert.ok(!JSON.stringify(await list('eve')).includes('Wolframine'));
    assert.deepEqual((await ask('eve', 'DELETE', wolframine.id)).status, 404);
    const events = await service.get('/api/events?limit=1000', as('eve'));
    const told = events.text.match(/entities\.entity\.mentioned/g);
    assert.ok(told, 'that something was known is told');
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes('Quixandra'), name);
  });

  test('is told where its relationships are asked for, also with no model', async () => {
    await tell('gwen', 'My sister Philippa lives in Bergen.', 'I had lunch with my friend Bob.');
    const headers = as('gwen');
    const asking = { body: { query: 'Where does my sister live?' }, headers };
    const { body: told } = await service.ask<{ items: { kind: string; text: string; sources: string[] }[] }>(
      'POST',
      '/api/memory/context',
      asking,
    );
    const stated = told.items.filter(({ kind }) => kind === 'relationship');
    assert.equal(stated[0]?.text, "Philippa, the user's sister, lives in Bergen.");
    assert.equal(stated[0]?.sources.length, 1);
    const question = { body: { question: 'Where does my sister live?' }, headers };
    const { body: known } = await service.ask<{ answer: string; sources: string[] }>(
      'POST',
      '/api/memory/ask',
      question,
    );
    assert.match(known.answer, /Bergen/);
    assert.deepEqual(known.sources, stated[0]?.sources);
    const other = { body: { query: 'How is the weather today?' }, headers };
    assert.doesNotMatch((await service.ask('POST', '/api/memory/context', other)).text, /"relationship"/);
  });

  test('is gone with all of the memory, and comes again with what is said later', async () => {
    await tell('finn', 'My dentist Ottoline lives in Malmo.');
    await named('finn', 'Ottoline');
    assert.equal((await service.ask('DELETE', '/api/memory', { headers: as('finn') })).status, 200);
    assert.deepEqual(await list('finn'), []);
    await tell('finn', 'My cousin Peregrine lives in Turku.');
    const names = (await list('finn')).map(({ name }) => name);
    assert.ok(names.includes('Peregrine') && !names.includes('Ottoline'), names.join());
  });
});
