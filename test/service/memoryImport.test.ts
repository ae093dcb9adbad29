import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { EventReader, InProcessService, ServiceProcess, TEST_NOW } from '../support/service.ts';

interface Report {
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly conflicts: number;
  readonly episodes: number;
  readonly conclusions: number;
  readonly entities: number;
  readonly issues: readonly { readonly item: string; readonly message: string }[];
  readonly preview: readonly { readonly kind: string; readonly text: string }[];
}

const moved = {
  id: 'moving',
  startedAt: '2023-05-08T13:56:00',
  messages: [
    { role: 'user', name: 'Ann', content: 'I live in Oslo now.' },
    { role: 'assistant', content: 'How is it there?', timestamp: 1_683_554_300_000 },
    { role: 'system', content: 'No talk.' },
  ],
};

describe('importing', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterAll(() => service.stop());

  const as = (user: string) => ({ 'x-user-id': user });
  const take = async (user: string, body: unknown) => {
    const answer = await service.ask<Report>('POST', '/api/memory/import', { body, headers: as(user) });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const talk = (user: string, sessions: unknown[], more = {}) =>
    take(user, { source: 'conversation', content: { sessions }, ...more });
  /** Resolves when it has been read who is named in it. */
  const tell = async (user: string, ...sessions: unknown[]) => {
    const topics = '/api/events/stream?topics=entities.entity.mentioned';
    const reader = await EventReader.open(service.url + topics, as(user));
    await talk(user, sessions);
    while (!(await reader.next())?.data);
    reader.close();
  };
  const says = (id: string, ...said: readonly string[]) => {
    return { id, messages: said.map((content) => ({ role: 'user', content })) };
  };
  const exported = async (user: string) => (await service.get('/api/memory/export', as(user))).text;
  const episodes = async (user: string) =>
    (await service.get<{ episodes: Record<string, unknown>[] }>('/api/memory/episodes', as(user))).body
      .episodes;

  test('takes a conversation in as one episode of its session, and once', async () => {
    const first = await talk('ann', [moved]);
    assert.deepEqual([first.imported, first.episodes, first.failed, first.skipped], [1, 1, 0, 0]);
    const [episode] = await episodes('ann');
    assert.equal(episode?.sessionId, 'moving');
    assert.equal(episode?.timestamp, 1_683_554_300_000);
    const again = await talk('ann', [moved]);
    assert.deepEqual([again.imported, again.skipped, again.episodes], [0, 1, 0]);
    assert.equal((await episodes('ann')).length, 1);
  });

  test('believes of the user what they say among several people, and finds what all of them said', async () => {
    const say = (name: string, content: string) => ({ role: 'user', name, content });
    const sessions = [
      {
        id: 'first',
        messages: [
          say('Dora', 'I live in Oslo now.'),
          say('Kim', 'I am allergic to peanuts.'),
          say('Dora', 'I play the cello.'),
        ],
      },
      { id: 'second', messages: [say('Kim', 'I moved to Lisbon.'), say('Kim', 'I have two sons.')] },
    ];
    const believed = async (user: string) =>
      (
        await service.get<{ conclusions: { text: string }[] }>('/api/memory/conclusions', as(user))
      ).body.conclusions
        .map(({ text }) => text)
        .sort();
    await talk('dorothea', sessions, { speaker: 'Dora' });
    assert.deepEqual(await believed('dorothea'), ['The user lives in Oslo.', 'The user plays cello.']);
    // Nothing says which of them is the user.
    assert.equal((await talk('somebody', sessions)).episodes, 2);
    assert.deepEqual(await believed('somebody'), []);
    for (const user of ['dorothea', 'somebody']) {
      const { body } = await service.ask<{ context: string }>('POST', '/api/memory/context', {
        body: { query: 'Who is allergic to peanuts?' },
        headers: as(user),
      });
      assert.match(body.context, /Kim: I am allergic to peanuts/);
    }
  });

  test('says what would be, and keeps nothing, when it is only tried', async () => {
    const tried = await talk('ben', [moved, moved], { dryRun: true });
    assert.deepEqual([tried.imported, tried.skipped], [1, 1]);
    assert.equal(tried.preview[0]?.kind, 'episode');
    assert.deepEqual(await episodes('ben'), []);
  });

  test('counts what is odd, says where, and takes the rest', async () => {
    const said = { role: 'user', content: 'I play the cello.' };
    const report = await talk('cleo', [
      {
        id: 'odd',
        messages: [said, { role: 'user', content: '  ' }, { role: 'king', content: 'Secret' }, 7],
      },
      { id: 'empty', startedAt: 0, messages: [] },
      { id: 'late', startedAt: 'yesterday', messages: [said] },
      'no session',
    ]);
    assert.deepEqual([report.imported, report.failed], [1, 6]);
    assert.deepEqual(
      report.issues.map(({ item }) => item),
      [
        'session 1, message 2',
        'session 1, message 3',
        'session 1, message 4',
        'session 2',
        'session 3',
        'session 4',
      ],
    );
    assert.doesNotMatch(JSON.stringify(report.issues), /Secret/);
    assert.equal((await episodes('cleo'))[0]?.timestamp, TEST_NOW);
  });

  test('takes no time that is in no calendar', async () => {
    const said = { role: 'user', content: 'I play the cello.' };
    const report = await talk('curt', [
      { id: 'never', startedAt: Number.MAX_SAFE_INTEGER, messages: [said] },
      {
        id: 'once',
        messages: [
          { ...said, timestamp: 8.64e15 + 1 },
          { ...said, timestamp: 1 },
        ],
      },
    ]);
    assert.deepEqual([report.imported, report.failed], [1, 2]);
    const asked = { body: { query: 'What do I play?' }, headers: as('curt') };
    assert.equal((await service.ask('POST', '/api/memory/context', asked)).status, 200);
  });

  test('takes what says no time for said by now', async () => {
    const { messages } = says('talk', 'I play the cello.', 'I play the harp.', 'I play the oboe.');
    await talk('cleo2', [{ id: 'talk', messages }]);
    assert.equal((await episodes('cleo2'))[0]?.timestamp, TEST_NOW);
  });

  test('shows small talk by its beginning', async () => {
    await talk('cody', [says('talk', 'hi', 'thanks')]);
    assert.equal((await episodes('cody'))[0]?.summary, 'hi');
  });

  test('answers with what took the place of what a passage says', async () => {
    await talk('kim', [says('early', 'My name is Karin and I live in Hamburg. My cat is called Miso.')]);
    await talk('kim', [says('late', 'I moved from Hamburg to Ghent.', 'I went to a fair with my aunt.')]);
    const ask = async (question: string) => {
      const asked = { body: { question }, headers: as('kim') };
      const { body } = await service.ask<{ answer: string }>('POST', '/api/memory/ask', asked);
      return body.answer;
    };
    assert.equal(await ask('Where do I live?'), 'The user lives in Ghent.');
    assert.match(await ask('What is my cat called?'), /Miso/);
    assert.equal(await ask('What is my blood type?'), "I don't know.");
  });

  test('takes nothing under a name by which it could not be found again', async () => {
    await talk('cora', [moved]);
    const [, episode = ''] = (await exported('cora')).trim().split('\n');
    for (const id of ['__proto__', 'constructor', 'user']) {
      const mentions = [
        {
          ...{ episodeId: 'e1', conversationId: null, isExpired: false, type: 'person', name: 'Mia' },
          ...{ aliases: [], mentions: 1, turnIds: [], seenAt: 1, by: 'offline' },
        },
      ];
      const given = { type: null, name: null, aliases: null };
      const content = JSON.stringify({ kind: 'entity', id, given, mergedInto: null, mentions });
      assert.equal((await take('carl', { source: 'export', content })).failed, 1);
    }
    for (const id of ['__proto__', 'two words', '../up', ''])
      for (const time of [1, 2]) {
        const content = JSON.stringify({ ...JSON.parse(episode), id });
        const { failed, imported } = await take('carl', { source: 'export', content });
        assert.deepEqual([imported, failed], [0, 1], `${id}, time ${time}`);
      }
    assert.deepEqual(await episodes('carl'), []);
  });

  test('keeps nothing for who wants nothing to be remembered', async () => {
    await service.put('/api/users/dora/preferences', { persistMemory: false }, as('dora'));
    const report = await talk('dora', [moved]);
    assert.deepEqual([report.imported, report.skipped, report.issues.length], [0, 1, 1]);
    assert.deepEqual(await episodes('dora'), []);
  });

  test('refuses what cannot be meant', async () => {
    for (const body of [
      { source: 'conversation' },
      { source: 'diary', content: '' },
      { source: 'export', content: { sessions: [] } },
      { source: 'claude-code', content: 'Be nice' },
      { source: 'export', content: '', path: 'x.ndjson' },
    ])
      assert.equal((await service.ask('POST', '/api/memory/import', { body })).status, 400);
  });

  test('takes an export back, for another user, and once', async () => {
    await tell('eva', moved);
    const headers = as('eva');
    await service.put('/api/memory/profile', { name: 'Eva', preferences: { tea: 'green' } }, headers);
    const state = (body: unknown) =>
      service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', { body, headers });
    const { body } = await state({ text: 'I have a cat' });
    await state({ text: 'I have two cats', type: 'corrected', supersedes: body.conclusion.id });
    const content = await exported('eva');
    await service.advance(1_000);
    const report = await take('fay', { source: 'export', content });
    const lines = content.trim().split('\n');
    assert.deepEqual([report.imported, report.failed, report.conflicts], [lines.length - 1, 0, 0]);
    const [, ...records] = lines;
    assert.deepEqual((await exported('fay')).trim().split('\n').slice(1), records);
    const again = await take('fay', { source: 'export', content });
    assert.deepEqual([again.imported, again.skipped], [0, lines.length - 1]);
    const found = await service.get<{ count: number }>('/api/memory/search?q=Oslo', as('fay'));
    assert.equal(found.body.count, 1);
  });

  test('takes along who is known by name, with merges and relationships, and what the user wants', async () => {
    type Named = { id: string; name: string; aliases: string[]; episodeIds: string[] };
    const headers = as('ida');
    const known = async (user: string) => {
      const { body } = await service.get<{ entities: Named[] }>('/api/entities', as(user));
      return body.entities;
    };
    const family = [
      'My sister Mia works at Acme Inc. in Bergen. Dr. Keller is my dentist.',
      'My colleague Wanda moved to Bergen with her dog.',
    ];
    await tell('ida', says('family', ...family));
    const one = async (name: string) => (await known('ida')).find((entity) => entity.name === name)?.id ?? '';
    const [mia, wanda] = [await one('Mia'), await one('Wanda')];
    await service.put(`/api/entities/${mia}`, { name: 'Mia Berg', aliases: ['Mimi'] }, headers);
    await service.ask('POST', `/api/entities/${mia}/merge`, { body: { entityId: wanda }, headers });
    const gone = await one('Bergen');
    await service.ask('DELETE', `/api/entities/${gone}`, { headers });
    await service.put('/api/users/ida/preferences', { language: 'nb' }, headers);
    const content = await exported('ida');
    const report = await take('jan', { source: 'export', content });
    assert.equal(report.entities, content.match(/"kind":"entity"/g)?.length);
    const records = content.trim().split('\n').slice(1);
    assert.deepEqual((await exported('jan')).trim().split('\n').slice(1), records);
    // Once something that is said later was read, so was everything before: nobody came back.
    await tell('jan', says('later', 'I met Zoltan in Vienna.'));
    const [before, after] = [await known('ida'), await known('jan')];
    assert.deepEqual(
      after.filter(({ name }) => !['Zoltan', 'Vienna'].includes(name)),
      before,
    );
    await service.ask('POST', `/api/entities/${mia}/unmerge`, {
      body: { entityId: wanda },
      headers: as('jan'),
    });
    assert.ok((await known('jan')).some(({ id, name }) => id === wanda && name === 'Wanda'));
    const again = await take('jan', { source: 'export', content });
    assert.deepEqual([again.imported, again.failed], [0, 0]);
    const wanted = await service.get<{ language: string }>('/api/users/jan/preferences', as('jan'));
    assert.equal(wanted.body.language, 'nb');
  });

  test('keeps what was known where an export says otherwise', async () => {
    await service.put('/api/memory/profile', { name: 'Gil' }, as('gil'));
    const content =
      '{"kind":"profile","profile":{"name":"Eva","communicationStyle":"short"}}\n{"kind":"diary"}\nno json';
    const report = await take('gil', { source: 'export', content });
    assert.deepEqual([report.imported, report.conflicts, report.failed], [1, 1, 2]);
    const { body } = await service.get('/api/memory/profile', as('gil'));
    assert.deepEqual(body, { profile: { name: 'Gil', communicationStyle: 'short' } });
  });

  test('brings nothing back that was erased before it was exported', async () => {
    await talk('hal', [moved, { ...moved, id: 'other' }]);
    const [first] = await episodes('hal');
    await service.ask('DELETE', `/api/memory/episodes/${first?.id}`, { headers: as('hal') });
    const content = await exported('hal');
    assert.equal(content.match(/"kind":"episode"/g)?.length, 1);
    await service.ask('DELETE', '/api/memory', { headers: as('hal') });
    assert.equal((await exported('hal')).trim().split('\n').length, 1);
    // What the user brings themselves may come back.
    assert.equal((await take('hal', { source: 'export', content })).episodes, 1);
  });
});

describe('importing from the machine', () => {
  const home = temporaryFolder('home');
  test('reads what tools keep in the home directory, and what was put into the data directory', async () => {
    mkdirSync(join(home, '.claude'));
    const aboutMe = '# Me\n\nPrefers tea.\n\n## Languages\n\n- Speaks Norwegian.\n';
    writeFileSync(join(home, '.claude/CLAUDE.md'), aboutMe);
    const process_ = new ServiceProcess({ API_RATE_LIMIT: '100000', LOG_LEVEL: 'trace', HOME: home });
    const service = await process_.ready();
    const inbox = join(process_.directory, 'import');
    mkdirSync(inbox);
    writeFileSync(join(inbox, 'talk.json'), JSON.stringify({ sessions: [moved] }, undefined, 2));
    writeFileSync(join(inbox, 'cut.ndjson'), '{"kind":"profile","profile":{"name":"Ann"}}\n{"kind":"epi');
    writeFileSync(join(inbox, 'binary.ndjson'), new Uint8Array([0, 1, 2]));
    const take = (body: unknown) => service.ask<Report>('POST', '/api/memory/import', { body });
    const { body } = await service.get<{ sources: { id: string; items: number }[] }>('/api/memory/sources');
    const items = Object.fromEntries(body.sources.map((source) => [source.id, source.items]));
    assert.deepEqual([items['claude-code'], items.cursor, items.conversation, items.export], [2, 0, 1, 2]);
    const tried = await take({ source: 'claude-code', dryRun: true });
    assert.deepEqual(
      tried.body.preview.map(({ text }) => text),
      ['Prefers tea.', 'Languages: Speaks Norwegian.'],
    );
    assert.deepEqual([(await take({ source: 'claude-code' })).body.conclusions], [2]);
    const again = (await take({ source: 'claude-code' })).body;
    assert.deepEqual([again.imported, again.skipped], [0, 2]);
    const believed = await service.get<{ count: number }>('/api/memory/conclusions?type=explicit');
    assert.equal(believed.body.count, 2);
    assert.equal((await take({ source: 'conversation', path: join(inbox, 'talk.json') })).body.episodes, 1);
    const cut = (await take({ source: 'export', path: join(inbox, 'cut.ndjson') })).body;
    assert.deepEqual([cut.imported, cut.failed, cut.issues[0]?.item], [1, 1, 'line 2']);
    const binary = (await take({ source: 'export', path: join(inbox, 'binary.ndjson') })).body;
    assert.deepEqual([binary.imported, binary.failed], [0, 1]);
    for (const path of ['/etc/passwd', join(inbox, '../keys'), '~/.claude/../.ssh/id'])
      assert.equal((await take({ source: 'claude-code', path })).status, 403);
    await process_.stop();
    assert.doesNotMatch(process_.lines.join('\n'), /Norwegian|Oslo|passwd/);
  });
});
