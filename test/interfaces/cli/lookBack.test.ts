import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { InProcessService } from '../../support/service.ts';
import { hark, minute, openStore, start, TemporaryFolder, writeStory } from './hark.ts';
import { WriterProcess } from './writerProcess.ts';

function contents(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => {
      const file = join(directory, name);
      return [name, `${statSync(file).mtimeMs} ${readFileSync(file).toString('base64')}`];
    }),
  );
}

describe.concurrent('hark replay', () => {
  test('shows the state as it was, by position and by time', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const before = contents(folder.path);
    const at3 = { apiRateLimit: 50, chatRateLimit: 30, memorySearchMode: 'keyword' };
    const moments = ['3', minute(3), String(start + 3 * 60_000), String(start + 3 * 60_000 + 59_999)];
    for (const until of moments) {
      const args = ['replay', '--until', until, '--show', 'settings', '--json', '--data-dir', folder.path];
      const { code, stdout, stderr } = await hark(args);
      assert.equal(stderr, '');
      assert.equal(code, 0);
      const shown = JSON.parse(stdout);
      assert.deepEqual(shown.until, { position: 3, at: start + 3 * 60_000 });
      assert.deepEqual(
        shown.entries,
        Object.entries(at3).map(([key, value]) => ({ key, value })),
      );
    }
    assert.deepEqual(contents(folder.path), before, 'a look leaves the directory as it is, to the byte');
  });

  test('begins with nothing, and speaks to people in columns', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const environment = { SERVICE_DATA_DIR: folder.path };
    const empty = await hark(['replay', '--until', '0', '--show', 'settings'], environment);
    assert.equal(empty.stdout, 'settings before the first event\nnone\n');
    const early = await hark(['replay', '--until', '2020-01-01', '--show', 'instances'], environment);
    assert.equal(early.stdout, 'instances before the first event\nnone\n');
    const now = await hark(['replay', '--show', 'settings'], environment);
    assert.equal(
      now.stdout,
      [
        'settings at position 5, 2026-01-02T03:05:00.000Z',
        'setting           value',
        'apiRateLimit      60',
        'memorySearchMode  keyword',
        '',
      ].join('\n'),
    );
    const running = await hark(['replay', '--show', 'instances', '--until', '4'], environment);
    assert.match(running.stdout, /^a {9}0\.1\.0 {4}2026-01-02T03:01:00\.000Z$/m);
  });

  test('refuses a position that is not reached, and a folder without a log', async () => {
    using folder = new TemporaryFolder();
    const none = await hark(['replay', '--show', 'settings', '--data-dir', folder.path]);
    assert.equal(none.code, 1);
    assert.equal(none.stderr, `hark: ${folder.path}: The data directory holds no log\n`);
    assert.deepEqual(readdirSync(folder.path), []);
    await writeStory(folder.path);
    const beyond = await hark(['replay', '--until', '6', '--show', 'settings', '--data-dir', folder.path]);
    assert.equal(beyond.code, 1);
    assert.match(beyond.stderr, /^hark: Position 6 does not exist yet: the newest event is at 5\n$/);
  });

  test('reads beside a process that writes, and hinders it in nothing', async () => {
    using folder = new TemporaryFolder();
    const writer = new WriterProcess(folder.path);
    try {
      await writer.reach(20);
      for (const until of [1, 10, 20]) {
        const args = ['replay', '--until', String(until), '--show', 'settings', '--json'];
        const { code, stdout, stderr } = await hark([...args, '--data-dir', folder.path]);
        assert.equal(stderr, '');
        assert.equal(code, 0);
        assert.deepEqual(JSON.parse(stdout).entries, [{ key: 'apiRateLimit', value: until }]);
      }
      const durable = writer.position;
      const now = await hark(['replay', '--show', 'settings', '--json', '--data-dir', folder.path]);
      assert.equal(now.stderr, '');
      const { until, entries } = JSON.parse(now.stdout);
      assert.ok(until.position >= durable, 'what was acknowledged is seen');
      assert.deepEqual(entries, [{ key: 'apiRateLimit', value: until.position }]);
      await writer.reach(writer.position + 20);
    } finally {
      assert.equal(await writer.stop(), 0);
    }
  });

  test('shows which models the slots asked', async () => {
    using folder = new TemporaryFolder();
    const store = await openStore('embedded', folder.path);
    const chat = {
      provider: 'cloud-a',
      model: 'one',
      fallbacks: [{ provider: 'local-runner', model: 'two' }],
    };
    for (const slots of [{}, { chat }])
      await store.append({
        stream: 'slots',
        events: [{ type: 'provider.slots.changed', data: { slots, strategy: 'none', cause: 'written' } }],
        expected: 'any',
        at: start,
        userId: null,
        correlationId: 'cause',
        causationId: null,
      });
    await store.close();
    const strategy = { key: 'strategy', strategy: 'none' };
    for (const [until, entries] of [
      ['1', [strategy]],
      ['2', [{ key: 'chat', provider: 'cloud-a', model: 'one', fallbacks: 'local-runner two' }, strategy]],
    ] as const) {
      const args = ['replay', '--until', until, '--show', 'slots', '--json', '--data-dir', folder.path];
      const { code, stdout } = await hark(args);
      assert.equal(code, 0);
      assert.deepEqual(JSON.parse(stdout).entries, entries);
    }
    const { stdout } = await hark(['diff', '--from', '1', '--json', '--data-dir', folder.path]);
    assert.deepEqual(
      JSON.parse(stdout).changes.map((change: Record<string, unknown>) => [
        change.show,
        change.key,
        change.change,
      ]),
      [['slots', 'chat', 'added']],
    );
  });

  test('reads what a killed process left', async () => {
    using folder = new TemporaryFolder();
    const writer = new WriterProcess(folder.path);
    await writer.reach(50);
    await writer.kill();
    const { code, stdout } = await hark([
      'replay',
      '--show',
      'settings',
      '--json',
      '--data-dir',
      folder.path,
    ]);
    assert.equal(code, 0);
    const { until, entries } = JSON.parse(stdout);
    assert.ok(until.position >= writer.position);
    assert.deepEqual(entries, [{ key: 'apiRateLimit', value: until.position }]);
  });
});

describe.concurrent('hark diff', () => {
  test('tells what changed and by which events, between positions and between times', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const environment = { SERVICE_DATA_DIR: folder.path };
    const answers = [
      await hark(['diff', '--from', '2', '--to', '5', '--json'], environment),
      await hark(['diff', '--from', minute(2.5), '--json'], environment),
    ];
    for (const { code, stdout } of answers) {
      assert.equal(code, 0);
      const { changes } = JSON.parse(stdout);
      const outlines = changes.map((change: { [field: string]: unknown; events: { position: number }[] }) => [
        change.show,
        change.key,
        change.change,
        change.events.map(({ position }) => position),
      ]);
      assert.deepEqual(outlines, [
        ['settings', 'apiRateLimit', 'changed', [4]],
        ['settings', 'memorySearchMode', 'added', [3]],
        ['instances', 'a', 'removed', [5]],
      ]);
      assert.deepEqual(changes[0].before, { value: 50 });
      assert.deepEqual(changes[0].after, { value: 60 });
      assert.deepEqual(changes[0].events, [
        { position: 4, type: 'config:changed', at: start + 4 * 60_000, correlationId: 'cause-4' },
      ]);
    }
  });

  test('speaks to people', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const environment = { SERVICE_DATA_DIR: folder.path };
    const { stdout } = await hark(['diff', '--from', '2', '--to', '4'], environment);
    assert.equal(
      stdout,
      [
        'from  at position 2, 2026-01-02T03:02:00.000Z',
        'to    at position 4, 2026-01-02T03:04:00.000Z',
        '',
        '~ settings apiRateLimit: 50 → 60',
        '    by 4  2026-01-02T03:04:00.000Z  config:changed  correlation cause-4',
        '',
        '+ settings memorySearchMode: keyword',
        '    by 3  2026-01-02T03:03:00.000Z  config:changed  correlation cause-3',
        '',
      ].join('\n'),
    );
    const same = await hark(['diff', '--from', '4', '--to', '4'], environment);
    assert.match(same.stdout, /nothing changed\n$/);
    const turned = await hark(['diff', '--from', '4', '--to', '2'], environment);
    assert.equal(turned.code, 64);
  });
});

describe.concurrent('looking back at what is remembered', () => {
  test('shows what was believed and remembered then, and nothing that was forgotten since', async () => {
    using folder = new TemporaryFolder();
    const store = await openStore('embedded', folder.path);
    const append = (type: string, data: unknown) =>
      store.append({
        stream: 'memory-ann',
        events: [{ type, data }],
        expected: 'any',
        at: start,
        userId: 'ann',
        correlationId: 'cause',
        causationId: null,
      });
    const drawn = (conclusionId: string, text: string) =>
      append('memory.conclusion.drawn', {
        ...{ conclusionId, text, type: 'explicit', confidence: 0.9, sources: [], turnIds: [] },
        ...{ about: null, by: 'user' },
      });
    await drawn('k1', 'Ann lives in Oslo');
    await drawn('k2', 'Ann lives in Bergen');
    await append('memory.conclusion.superseded', {
      conclusionId: 'k1',
      supersededBy: 'k2',
      because: 'replaced',
    });
    await drawn('k3', 'Ann sings');
    await append('memory.conclusions.erased', { conclusionIds: ['k3'], because: 'asked' });
    await store.close();
    const look = lookingInto(folder);
    const shownAt = async (until: string) =>
      (await look('replay', '--until', until, '--show', 'conclusions')).entries.map(
        (entry: { text: string; status: string }) => [entry.text, entry.status],
      );
    assert.deepEqual(await shownAt('1'), [['Ann lives in Oslo', 'active']]);
    assert.deepEqual(await shownAt('4'), [
      ['Ann lives in Oslo', 'merged'],
      ['Ann lives in Bergen', 'active'],
    ]);
    assert.deepEqual((await look('replay', '--show', 'episodes')).entries, []);
    const { changes } = await look('diff', '--from', '2', '--to', '5');
    assert.deepEqual(
      changes.map(
        ({ key, change, events }: { key: string; change: string; events: { position: number }[] }) => [
          key,
          change,
          events.map(({ position }) => position),
        ],
      ),
      [['k1', 'changed', [3]]],
    );
    const other = await hark(['replay', '--show', 'conclusions', '--user', 'ben', '--data-dir', folder.path]);
    assert.match(other.stdout, /none\n$/);
  });

  test('shows episodes as the service does, also where its clock is ahead', async () => {
    using folder = new TemporaryFolder();
    const ahead = Date.UTC(2100, 0);
    const service = await InProcessService.start({
      SERVICE_KVSTORE_URL: 'embedded',
      SERVICE_DATA_DIR: folder.path,
      SERVICE_TEST_NOW: String(ahead),
    });
    const content = 'I moved to Oslo, and I live there with my cat Mimi.';
    const session = { id: 'moving', startedAt: ahead, messages: [{ role: 'user', content }] };
    const body = { source: 'conversation', content: { sessions: [session] } };
    assert.equal((await service.ask('POST', '/api/memory/import', { body })).status, 200);
    const { episodes } = (await service.get<{ episodes: Record<string, unknown>[] }>('/api/memory/episodes'))
      .body;
    await service.stop();
    const args = ['replay', '--show', 'episodes', '--json', '--data-dir', folder.path];
    for (const now of [[], ['--until', 'now']]) {
      const { stdout } = await hark([...args, ...now]);
      const shown: Record<string, unknown>[] = JSON.parse(stdout).entries;
      assert.deepEqual(
        shown.map(({ key, happenedAt, importance, sessionId }) => [key, happenedAt, importance, sessionId]),
        episodes.map(({ id, timestamp, importance, sessionId }) => [id, timestamp, importance, sessionId]),
      );
    }
    assert.deepEqual([episodes.length, episodes[0]?.sessionId], [1, 'moving']);
    const diff = await hark([
      'diff',
      '--from',
      '0',
      '--show',
      'episodes',
      '--json',
      '--data-dir',
      folder.path,
    ]);
    assert.equal(JSON.parse(diff.stdout).changes.length, 1);
  });

  test('shows who was known then by name, and what changed that', async () => {
    using folder = new TemporaryFolder();
    const store = await openStore('embedded', folder.path);
    const mentioned = (entityId: string, name: string) => ({
      type: 'entities.entity.mentioned',
      data: {
        ...{ episodeId: 'e1', conversationId: 'c1', entityId, type: 'person', name, aliases: [] },
        ...{ mentions: 1, turnIds: [], seenAt: start, by: 'offline' },
      },
    });
    const merged = { type: 'entities.entity.merged', data: { entityId: 'n1', mergedId: 'n2' } };
    for (const event of [mentioned('n1', 'Robert'), mentioned('n2', 'Bob'), merged])
      await store.append({
        ...{ stream: 'entities-ann', events: [event], expected: 'any', at: start, userId: 'ann' },
        ...{ correlationId: 'cause', causationId: null },
      });
    await store.close();
    const look = lookingInto(folder);
    const shownAt = async (until: string) =>
      (await look('replay', '--until', until, '--show', 'entities')).entries.map(
        (entry: { name: string; aliases: string }) => [entry.name, entry.aliases],
      );
    assert.deepEqual(await shownAt('2'), [
      ['Robert', ''],
      ['Bob', ''],
    ]);
    assert.deepEqual(await shownAt('3'), [['Robert', 'Bob']]);
    const { changes } = await look('diff', '--from', '2', '--to', '3', '--show', 'entities');
    assert.deepEqual(
      changes.map(({ key, change, events }: { key: string; change: string; events: unknown[] }) => [
        key,
        change,
        events.length,
      ]),
      [
        ['n1', 'changed', 1],
        ['n2', 'removed', 1],
      ],
    );
  });

  test('says nothing of what was there when all was erased since', async () => {
    using folder = new TemporaryFolder();
    const store = await openStore('embedded', folder.path);
    const shared = { stream: 'memory-ann', expected: 'any', at: start, userId: 'ann' } as const;
    const because = { correlationId: 'cause', causationId: null };
    const episode = {
      ...{ episodeId: 'e1', type: 'conversation', sessionId: 's', conversationId: 'c', turnId: null },
      ...{ summary: 'Ann moved', topic: 'moving', keywords: [], importance: 5, reasons: [] },
      ...{ happenedAt: start, expiresAt: start + 1, by: 'offline' },
    };
    for (const [type, data] of [
      ['memory.episode.created', episode],
      ['memory.erased', {}],
    ] as const)
      await store.append({ ...shared, ...because, events: [{ type, data }] });
    await store.close();
    const args = ['diff', '--from', '1', '--user', 'ann', '--data-dir', folder.path];
    const { stdout } = await hark(args);
    assert.match(stdout, /nothing changed/);
    assert.doesNotMatch(stdout, /Ann moved/);
  });
});

/** What a command shows of what is remembered of Ann. */
function lookingInto({ path }: TemporaryFolder) {
  return async (...args: string[]) => {
    const { code, stdout } = await hark([...args, '--json', '--user', 'ann', '--data-dir', path]);
    assert.equal(code, 0);
    return JSON.parse(stdout);
  };
}
