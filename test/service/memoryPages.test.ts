import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { EventReader, InProcessService, TEST_NOW } from '../support/service.ts';

interface Listed {
  readonly conclusions: readonly {
    readonly id: string;
    readonly text: string;
    readonly status: string;
    readonly sources: readonly string[];
  }[];
  readonly count: number;
  readonly total: number;
  readonly next?: string;
}

interface Named {
  readonly entities: readonly { readonly id: string; readonly name: string; readonly hops?: number }[];
  readonly relationships: readonly { readonly from: string; readonly to: string }[];
  readonly more: number;
}

describe('memory in pages', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterAll(() => service.stop());

  const as = (user: string) => ({ 'x-user-id': user });
  const post = (user: string, path: string, body: unknown) =>
    service.ask<Record<string, string[]>>('POST', `/api/memory/${path}`, { body, headers: as(user) });
  const state = async (user: string, text: string) =>
    Object(await post(user, 'conclusions', { text })).body.conclusion.id;
  const list = async (user: string, query = '') =>
    (await service.get<Listed>(`/api/memory/conclusions${query}`, as(user))).body;
  const tell = async (user: string, id: string, ...said: readonly string[]) => {
    const reader = await EventReader.open(
      `${service.url}/api/events/stream?topics=entities.*,memory.conversation.consolidated`,
      as(user),
    );
    const messages = said.map((content) => ({ role: 'user', content }));
    const content = { sessions: [{ id, startedAt: TEST_NOW, messages }] };
    assert.equal((await post(user, 'import', { source: 'conversation', content })).status, 200);
    let told: Record<string, string> | undefined;
    do told = await reader.next();
    while (told && !told.event?.startsWith('entities.'));
    reader.close();
  };

  test('goes on behind the last one, also where the list has changed since', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) ids.push(await state('pages', `Fact number ${n}`));
    const whole = await list('pages');
    assert.deepEqual([whole.count, whole.total, whole.next], [5, 5, undefined]);
    const first = await list('pages', '?limit=2');
    assert.deepEqual([first.count, first.total], [2, 5]);
    await service.ask('DELETE', `/api/memory/conclusions/${ids[0]}`, { headers: as('pages') });
    const second = await list('pages', `?limit=2&after=${first.next}`);
    assert.deepEqual(
      second.conclusions.map(({ id }) => id),
      ids.slice(2, 4),
    );
    const last = await list('pages', `?limit=2&after=${second.next}`);
    assert.deepEqual([last.conclusions.map(({ id }) => id), last.next], [ids.slice(4), undefined]);
    const found = await list('pages', '?q=NUMBER%205');
    assert.deepEqual(
      found.conclusions.map(({ id }) => id),
      ids.slice(4),
    );
  });

  test('finds what was drawn from an episode', async () => {
    const drawn = await EventReader.open(
      `${service.url}/api/events/stream?topics=memory.conclusion.drawn`,
      as('drawn'),
    );
    const messages = [{ role: 'user', content: 'I am allergic to peanuts and I live in Bergen.' }];
    const content = { sessions: [{ id: 'talk', startedAt: TEST_NOW, messages }] };
    assert.equal((await post('drawn', 'import', { source: 'conversation', content })).status, 200);
    assert.ok(await drawn.next());
    drawn.close();
    const stated = await state('drawn', 'The user plays the cello.');
    const { conclusions } = await list('drawn');
    const [source = ''] = conclusions.flatMap(({ sources }) => sources);
    const expected = conclusions.filter(({ sources }) => sources.includes(source));
    assert.ok(expected.length > 0 && !expected.some(({ id }) => id === stated));
    assert.deepEqual((await list('drawn', `?source=${source}`)).conclusions, expected);
    assert.equal((await list('drawn', '?source=unknown')).total, 0);
  });

  test('puts several aside as one, takes them back as one, and knows how it was', async () => {
    const [tea, dog] = [
      await state('many', 'The user likes tea.'),
      await state('many', 'The user has a dog.'),
    ];
    await service.advance(1_000);
    const dismissed = await post('many', 'conclusions/dismiss', { ids: [tea, dog, 'nothing'] });
    assert.deepEqual(dismissed.body.dismissed, [tea, dog]);
    assert.equal((await list('many')).total, 0);
    assert.equal((await list('many', '?status=pruned')).total, 2);
    assert.equal((await list('many', `?at=${TEST_NOW + 500}`)).total, 2);
    const restored = await post('many', 'conclusions/restore', { ids: [tea, dog] });
    assert.deepEqual(restored.body.restored, [tea, dog]);
    assert.equal((await list('many')).total, 2);
    assert.equal((await post('many', 'conclusions/restore', { ids: ['nothing'] })).status, 404);
    assert.equal((await post('many', 'conclusions/dismiss', { ids: [] })).status, 400);
    const why = await service.get(`/api/memory/conclusions/${tea}/why`, as('many'));
    assert.match(why.text, /Put aside by the user.*Restored/);
  });

  test('says what erasing one thing would take along, which is what it takes', async () => {
    await tell('extent', 'home', 'My sister Mirjam lives in Zandvoort.', 'I have a cat called Minka.');
    const [episode] = Object((await service.get('/api/memory/episodes', as('extent'))).body).episodes;
    const extent = async (query: string) => {
      const { status, body } = await service.get(`/api/memory/extent?${query}`, as('extent'));
      return status === 200 ? body : status;
    };
    const before = await list('extent');
    const known = (await service.get<Named>('/api/entities', as('extent'))).body.entities;
    assert.deepEqual(await extent(`episodeId=${episode.id}`), {
      messages: 2,
      episodes: 1,
      conclusions: before.total,
      entities: known.length,
      relationships: Object((await service.get('/api/entities/stats', as('extent'))).body).relationships,
      hasProfile: false,
      tasks: 0,
    });
    assert.equal(Object(await extent(`conclusionId=${before.conclusions[0]?.id}`)).episodes, 1);
    assert.equal(Object(await extent(`entityId=${known[0]?.id}`)).entities, 1);
    assert.equal(await extent('sessionId=nothing'), 404);
    assert.equal(await extent(`sessionId=a&episodeId=b`), 400);
    await service.ask('DELETE', `/api/memory/episodes/${episode.id}`, { headers: as('extent') });
    assert.equal(await extent(`episodeId=${episode.id}`), 404);
    assert.equal((await list('extent')).total, 0);
    assert.deepEqual((await service.get<Named>('/api/entities', as('extent'))).body.entities, []);
  });

  test('shows what is near an entity, and what was known of it before it was erased', async () => {
    await tell('near', 'home', 'My sister Mirjam lives in Zandvoort and works at Philips.');
    const { entities } = (await service.get<Named>('/api/entities?q=mirj', as('near'))).body;
    assert.deepEqual(
      entities.map(({ name }) => name),
      ['Mirjam'],
    );
    const path = `/api/entities/${entities[0]?.id}`;
    const near = (await service.get<Named>(`${path}/neighbourhood`, as('near'))).body;
    assert.deepEqual([near.entities[0]?.name, near.entities[0]?.hops, near.more], ['Mirjam', 0, 0]);
    assert.ok(near.entities.some(({ hops }) => hops === 1));
    assert.ok(near.relationships.some(({ from, to }) => [from, to].includes('user')));
    const one = (await service.get<Named>(`${path}/neighbourhood?limit=1`, as('near'))).body;
    assert.deepEqual([one.entities.length, one.more > 0], [1, true]);
    assert.equal((await service.get(`${path}?at=1`, as('near'))).status, 404);
    assert.equal((await service.get('/api/entities/__proto__/neighbourhood', as('near'))).status, 404);
  });
});
