import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { range } from '../../support/range.ts';
import { InProcessService } from '../../support/service.ts';
import { skippedFor } from '../../support/skippedFor.ts';
import { Terminal, terminalIsMissing } from '../../support/terminal.ts';
import { bin, hark, TemporaryFolder } from './hark.ts';

describe('hark memory', () => {
  let service: InProcessService;
  const folder = new TemporaryFolder();
  const path = (name: string) => join(folder.path, name);
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', SERVICE_DATA_DIR: path('data') });
  });
  afterAll(async () => {
    await service.stop();
    folder[Symbol.dispose]();
  });

  const memory = (user: string, args: readonly string[], input?: string) =>
    hark(['memory', ...args, '--user', user], { HARK_URL: service.url }, input);
  const json = async (user: string, args: readonly string[]) => {
    const { code, stdout, stderr } = await memory(user, [...args, '--json']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const talk = (sessions: unknown[]) => JSON.stringify({ sessions }, undefined, 2);
  const moved = {
    id: 'moving',
    startedAt: 1_690_000_000_000,
    messages: [{ role: 'user', content: 'I moved to Oslo, and I live there with my cat.' }],
  };

  test('takes conversations in, and finds what was said', async () => {
    writeFileSync(path('talk.json'), talk([moved]));
    const tried = await memory('ann', ['import', 'conversation', path('talk.json'), '--dry-run']);
    assert.match(tried.stdout, /^would import 1 \(1 episode/);
    assert.equal((await json('ann', ['import', 'conversation', path('talk.json')])).episodes, 1);
    const again = await memory('ann', ['import', 'conversation', '-'], `${JSON.stringify(moved)}\nno json\n`);
    assert.match(again.stdout, /^imported 0 .*skipped 1, failed 1\n {2}session 2 /);
    const { results } = await json('ann', ['search', 'where', 'is', 'the', 'cat']);
    assert.equal(results.length, 1);
    const { stdout } = await memory('ann', ['search', 'cat']);
    assert.match(stdout, /^2023-07-22T\S+ {2}\d\.\d\d {2}\S+ {2}.*cat/);
    assert.match((await memory('ann', ['context', 'my cat', '--budget', '300'])).stdout, /cat/);
    assert.ok((await json('ann', ['ask', 'Where do I live?'])).answer.length > 0);
    assert.equal((await memory('ben', ['search', 'cat'])).stdout, 'nothing found\n');
  });

  test('tells what is believed and why, and forgets it when told so', async () => {
    const headers = { 'x-user-id': 'cleo' };
    const body = { text: 'I have two cats' };
    const answer = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
      body,
      headers,
    });
    const { id } = answer.body.conclusion;
    assert.match(
      (await memory('cleo', ['conclusions'])).stdout,
      /^1\.00 {2}explicit {2}.* I have two cats\n$/,
    );
    assert.equal((await json('cleo', ['conclusions', '--min-confidence', '0.5'])).count, 1);
    assert.equal((await json('cleo', ['conclusions', '--at', '1690000000000'])).count, 0);
    assert.match((await memory('cleo', ['why', id])).stdout, /memory\.conclusion\.drawn/);
    assert.equal((await memory('cleo', ['forget', '--conclusion', id])).code, 64);
    assert.equal((await memory('cleo', ['forget', '--yes'])).code, 64);
    assert.equal((await memory('cleo', ['forget', '--conclusion', id, '--all', '--yes'])).code, 64);
    assert.equal((await memory('cleo', ['forget', '--conclusion', '../x', '--yes'])).code, 64);
    assert.equal((await json('cleo', ['forget', '--conclusion', id, '--yes'])).deleted, true);
    assert.equal((await memory('cleo', ['conclusions'])).stdout, 'nothing\n');
    const other = { body: { text: 'I have a dog' }, headers };
    const second = await service.ask<typeof answer.body>('POST', '/api/memory/conclusions', other);
    const withWords = ['forget', '--conclusion', second.body.conclusion.id, '--words', '--yes'];
    assert.match(
      (await memory('cleo', withWords)).stdout,
      /^erased: .*, with the conversations that it came from\n$/,
    );
    assert.equal((await memory('cleo', ['forget', '--words', '--all', '--yes'])).code, 64);
    const unknown = await memory('cleo', ['forget', '--session', 'unknown', '--yes']);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.equal((await memory('cleo', ['forget', '--session', 'x', '--all', '--yes'])).code, 64);
    const all = await memory('cleo', ['forget', '--all', '--yes']);
    assert.equal(all.code, 0);
    assert.match(
      all.stdout,
      /^this erases \d+ conclusions?, \d+ episodes? with their conversations, \d+ entit/,
    );
  });

  test('takes along and back what is larger than a request, and overwrites nothing', async () => {
    const content = 'The harbour was quiet that evening. '.repeat(400);
    const sessions = range(0, 120).map((index) => ({
      id: `s${index}`,
      startedAt: 1_690_000_000_000 + index,
      messages: [{ role: 'user', content: `I saw ship ${index}. ${content}` }],
    }));
    writeFileSync(path('much.json'), talk(sessions));
    const report = await json('dora', ['import', 'conversation', path('much.json')]);
    assert.deepEqual([report.imported, report.failed], [120, 0]);
    const exported = await memory('dora', ['export', path('dora.ndjson')]);
    assert.match(exported.stdout, /^\d+ records → /);
    assert.equal(statSync(path('dora.ndjson')).mode & 0o777, 0o600);
    assert.ok(statSync(path('dora.ndjson')).size > 1_500_000);
    const second = await memory('dora', ['export', path('dora.ndjson')]);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /already exists/);
    const taken = await json('eva', ['import', 'export', path('dora.ndjson')]);
    assert.deepEqual([taken.episodes, taken.failed], [120, 0]);
    const [, ...records] = (await memory('eva', ['export'])).stdout.trim().split('\n');
    const [, ...before] = readFileSync(path('dora.ndjson'), 'utf8').trim().split('\n');
    assert.deepEqual(records, before);
    const again = await json('eva', ['import', 'export', path('dora.ndjson')]);
    assert.deepEqual([again.imported, again.skipped], [0, before.length]);
  });

  test('prints an export for a hyphen too, and says so when nothing could be taken in', async () => {
    const printed = await memory('fay', ['export', '-']);
    assert.match(printed.stdout, /^\{"kind":"memory"/);
    writeFileSync(path('notes.txt'), 'root:x:0:0\nnobody:x:1:1\n');
    const notes = await memory('fay', ['import', 'conversation', path('notes.txt')]);
    assert.equal(notes.code, 1);
    assert.match(notes.stderr, /notes\.txt: .*JSON/);
    const wrong = await memory('fay', ['import', 'export', path('notes.txt')]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /failed 2/);
  });

  test('says where tools keep what they remember, and what cannot be meant', async () => {
    const { sources } = await json('ann', ['sources']);
    assert.equal(sources.length, 7);
    for (const args of [
      ['import', 'cursor', path('talk.json')],
      ['import', 'export', path('nothing.ndjson')],
      ['import', 'conversation', path('nothing.json')],
      ['import', 'diary'],
      ['import', 'cursor', '--path', '/etc/passwd'],
    ]) {
      const { code, stderr } = await memory('ann', args);
      assert.ok(code === 1 || code === 64, stderr);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
  });
});

describe('hark memory forget at a terminal', { ...skippedFor(terminalIsMissing) }, () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterAll(() => service.stop());

  const { PATH = '' } = process.env;
  const said = { role: 'user', content: 'I moved to Oslo, and I live there with my cat.' };
  /** Somebody who said something once, and what is believed because of it. */
  const known = async (user: string) => {
    const headers = { 'x-user-id': user };
    const body = { source: 'conversation', content: { sessions: [{ id: 'moving', messages: [said] }] } };
    await service.ask('POST', '/api/memory/import', { body, headers });
    const told = await service.get<{ conclusions: { id: string }[] }>('/api/memory/conclusions', headers);
    return told.body.conclusions[0]?.id ?? assert.fail(told.text);
  };
  const left = async (user: string) => {
    const headers = { 'x-user-id': user };
    const [believed, episodes] = await Promise.all([
      service.get<{ count: number }>('/api/memory/conclusions', headers),
      service.get<{ count: number }>('/api/memory/episodes', headers),
    ]);
    return [believed.body.count, episodes.body.count];
  };
  const forget = (user: string, ...args: readonly string[]) => {
    const command = [process.execPath, bin, 'memory', 'forget', ...args, '--user', user];
    return new Terminal(command, { PATH, HARK_URL: service.url });
  };

  test('asks once with --words, and erases a conclusion with its conversation', async () => {
    const id = await known('ann');
    const [before] = await left('ann');
    const terminal = forget('ann', '--conclusion', id, '--words');
    await terminal.sees(/Erase conclusion \S+\? It cannot be undone\. \[y\/N\] /);
    terminal.types('yes');
    await terminal.sees(/erased: conclusion \S+, with the conversations that it came from/);
    assert.equal(await terminal.ends(), 0);
    assert.doesNotMatch(terminal.shown, /as well\?/);
    assert.ok((before ?? 0) > 0);
    assert.deepEqual(await left('ann'), [0, 0]);
  });

  test('asks for the conversations too without --words, and leaves them after a no', async () => {
    const id = await known('ben');
    const [before = 0] = await left('ben');
    const terminal = forget('ben', '--conclusion', id);
    await terminal.sees(/It cannot be undone\. \[y\/N\] /);
    terminal.types('y');
    await terminal.sees(/Erase the conversations that it came from as well\? \[y\/N\] /);
    terminal.types('');
    await terminal.sees(/its words are still in: \S+ \(hark memory forget --episode <id>\)/);
    assert.equal(await terminal.ends(), 0);
    assert.deepEqual(await left('ben'), [before - 1, 1]);
  });

  test('erases nothing after a no', async () => {
    const id = await known('cleo');
    const before = await left('cleo');
    const terminal = forget('cleo', '--conclusion', id, '--words');
    await terminal.sees(/\[y\/N\] /);
    terminal.types('n');
    await terminal.sees(/nothing was erased/);
    assert.equal(await terminal.ends(), 0);
    assert.deepEqual(await left('cleo'), before);
  });
});
