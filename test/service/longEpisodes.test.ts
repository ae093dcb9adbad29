import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { openAdapter } from '../../src/store/open.ts';
import { hark } from '../interfaces/cli/hark.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { range } from '../support/range.ts';
import { EventReader, InProcessService } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const DAY = 24 * 60 * 60_000;
const SECRET = 'unmistakable words that nobody else would write';

describe('an episode whose words are many', () => {
  const directory = temporaryFolder('long-episodes');
  const path = (name: string) => join(directory, name);
  const environment = { ...LIMITS, SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
  let models: ScriptedModels;
  let service: InProcessService;
  let lines: readonly string[];
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...environment, ...providersAt(models) });
    await unsetBackgroundSlots(service);
    const as = { 'x-user-id': 'ann' };
    const chat = new ChatClient(service);
    // Answers are longer than a piece, with what JSON spells out and what must not be cut in two.
    const answer = `${'"quoted" \\ ü 🎈\n'.repeat(14_000)}The lighthouse stands at the end.`;
    const said = range(1, 8).map((index) => `${index}: ${`The harbour was quiet. ${SECRET}. `.repeat(120)}`);
    for (const text of ['My sister Mirjam lives in Zandvoort.', ...said, 'And then we saw a walrus.']) {
      models.script(says(answer));
      const { status } = await chat.say({ text, sessionId: 'voyage' }, as);
      assert.equal(status, 200);
    }
    const read = await chat.topic('entities.entity.mentioned', as);
    await chat.end('voyage', as);
    await read(() => true);
    await memory('ann', 'export', path('ann.ndjson'));
    lines = readFileSync(path('ann.ndjson'), 'utf8').trim().split('\n');
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const memory = async (user: string, ...args: readonly string[]) => {
    const run = await hark(['memory', ...args, '--user', user, '--json'], { HARK_URL: service.url });
    assert.equal(run.code, 0, run.stderr + run.stdout);
    return run.stdout;
  };
  const take = async (user: string, file: string) =>
    JSON.parse(await memory(user, 'import', 'export', path(file)));
  const recordsOf = async (user: string) =>
    (await service.get('/api/memory/export', { 'x-user-id': user })).text.trim().split('\n').slice(1);
  const words = () => lines.filter((line) => line.startsWith('{"kind":"episode"'));
  const everySaid = async (user: string) => {
    const events = await service.get('/api/events?limit=1000', { 'x-user-id': user });
    return events.text.split(SECRET).length - 1;
  };

  test('goes through the command line and comes back whole, and once', async () => {
    assert.ok(lines.join('').length > 2_000_000);
    assert.ok(words().length > 8);
    for (const line of lines) assert.ok(Buffer.byteLength(line) < 300_000);
    const { failed, imported, episodes } = await take('ben', 'ann.ndjson');
    assert.deepEqual([failed, imported, episodes], [0, lines.length - 1, 1]);
    assert.deepEqual(await recordsOf('ben'), lines.slice(1));
    const again = await take('ben', 'ann.ndjson');
    assert.deepEqual([again.failed, again.imported, again.skipped], [0, 0, lines.length - 1]);
    assert.deepEqual(await recordsOf('ben'), lines.slice(1));
  });

  test('is found by what was said first and last in it, then and after the next start', async () => {
    await take('cleo', 'ann.ndjson');
    const found = async (query: string) => {
      const asked = `/api/memory/search?q=${encodeURIComponent(query)}`;
      const { body } = await service.get<{ results: { match: { text: string } }[] }>(asked, {
        'x-user-id': 'cleo',
      });
      return body.results[0]?.match.text ?? '';
    };
    const assertFound = async () => {
      assert.match(await found('Mirjam'), /Mirjam/);
      assert.match(await found('lighthouse'), /lighthouse stands at the end/);
      assert.match(await found('walrus'), /walrus/);
    };
    await assertFound();
    await service.stop();
    service = await InProcessService.start(environment);
    await assertFound();
  });

  test('is not there before all of it is, and is whole when it is taken in again', async () => {
    writeFileSync(path('cut.ndjson'), lines.slice(0, 6).join('\n'));
    const cut = await take('dora', 'cut.ndjson');
    assert.deepEqual([cut.failed, cut.episodes], [0, 0]);
    assert.deepEqual(await recordsOf('dora'), []);
    assert.ok((await everySaid('dora')) > 0);
    const whole = await take('dora', 'ann.ndjson');
    assert.deepEqual([whole.failed, whole.skipped, whole.episodes], [0, 5, 1]);
    assert.deepEqual(await recordsOf('dora'), lines.slice(1));
  });

  test('says so where words before are missing, and keeps nothing', async () => {
    writeFileSync(
      path('torn.ndjson'),
      [...lines.slice(0, 3), ...lines.slice(5, words().length + 1)].join('\n'),
    );
    const run = await hark(['memory', 'import', 'export', path('torn.ndjson'), '--user', 'eva'], {
      HARK_URL: service.url,
    });
    assert.match(run.stdout, /episode [\w-]+ +Earlier words of this episode are missing/);
    assert.deepEqual(await recordsOf('eva'), []);
  });

  test('is let go after a day where the rest of it never comes, of its user alone', async () => {
    writeFileSync(path('half.ndjson'), lines.slice(0, 6).join('\n'));
    await take('fay', 'half.ndjson');
    const [before, others] = [await everySaid('fay'), await everySaid('ben')];
    assert.ok(before > 0 && others > before);
    const as = { 'x-user-id': 'fay' };
    const reader = await EventReader.open(
      `${service.url}/api/events/stream?topics=memory.episodes.expired`,
      as,
    );
    await service.advance(DAY + 60 * 60_000);
    while (!(await reader.next())?.data);
    reader.close();
    assert.deepEqual([await everySaid('fay'), await everySaid('ben')], [0, others]);
    // The same may come again.
    assert.equal((await take('fay', 'ann.ndjson')).episodes, 1);
    assert.deepEqual(
      words().every((line, index) => isSameWords(line, index)),
      true,
    );
    function isSameWords(line: string, index: number): boolean {
      return JSON.parse(line).slice.number === index;
    }
  });

  test('is forgotten with every part of it', async () => {
    const as = { 'x-user-id': 'gus' };
    await take('gus', 'ann.ndjson');
    assert.ok((await everySaid('gus')) > 500);
    const { body } = await service.get<{ episodes: { id: string }[] }>('/api/memory/episodes', as);
    const id = body.episodes[0]?.id ?? '';
    const keysOf = async () => {
      await service.stop();
      const adapter = await openAdapter('embedded', directory);
      const keys = await adapter.exportKeys();
      await adapter.close();
      service = await InProcessService.start(environment);
      return keys.filter(({ userId, subject }) => userId === 'gus' && subject === `episode-${id}`);
    };
    const [key] = await keysOf();
    assert.ok(key);
    const erased = await service.ask('DELETE', `/api/memory/episodes/${id}`, { headers: as });
    assert.equal(erased.status, 200);
    assert.equal(await everySaid('gus'), 0);
    assert.deepEqual(await keysOf(), []);
    await service.stop();
    for (const gone of [Buffer.from(SECRET), Buffer.from(key.bytes).subarray(8)])
      for (const file of readdirSync(directory, { recursive: true, withFileTypes: true }))
        if (file.isFile() && !/\.(?:ndjson|jsonl)$/.test(file.name))
          assert.equal(readFileSync(join(file.parentPath, file.name)).includes(gone), false, file.name);
    service = await InProcessService.start(environment);
  });
});
