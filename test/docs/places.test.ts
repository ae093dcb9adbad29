import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import shell from '../../dashboard/src/words/shell.en.ts';
import { type Place, ROW } from '../support/places/place.ts';
import { everywhere, places, without } from '../support/places.ts';
import { InProcessService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const sources = join(root, 'dashboard/src');
const MOST_CLICKS = 3;

const all = Object.values(places).flat().concat(everywhere);
const read = (file: string) => readFileSync(join(sources, file), 'utf8');
/** The words of the page and of what it shares with others. */
const english = globSync('**/*.en.ts', { cwd: sources }).map(read).join('\n');

describe('each public operation', () => {
  let service: InProcessService;
  let known: readonly string[];
  beforeAll(async () => {
    service = await InProcessService.start({ SERVICE_KVSTORE_URL: 'none' });
    // What tests alone may ask is not public.
    known = service.operations.flatMap(({ area, rest }) =>
      area === 'test' ? [] : `${rest.method} ${rest.path}`,
    );
  });
  afterAll(() => service.stop());

  test('has a place where people find it, or a reason why they need none', () => {
    const placed = all.flatMap(({ asks }) => asks);
    const named = [...placed, ...Object.keys(without)];
    assert.deepEqual(
      known.filter((name) => !named.includes(name)),
      [],
      'without a place in test/support/places.ts',
    );
    assert.deepEqual(
      named.filter((name, index) => !known.includes(name) || named.indexOf(name) !== index),
      [],
      'known no more, or placed twice',
    );
  });

  test('that is shown by another has that in its place', () => {
    const placed = new Set(all.flatMap(({ asks }) => asks));
    for (const [name, reason] of Object.entries(without)) {
      const other = / operation: ((?:GET|POST|PUT|DELETE) [^\s,]+)/.exec(reason)?.[1];
      if (other !== undefined) assert.ok(placed.has(other), `${name}: ${reason}`);
    }
  });
});

describe('each place of the dashboard', () => {
  test('asks by the source that it names, which belongs to its page', () => {
    const check = (within: ReadonlySet<string>, { file, asks }: Place, where: string) => {
      assert.ok(within.has(file), `${where} does not import ${file}`);
      for (const name of asks) assert.ok(read(file).includes(`'${name}'`), `${file} does not ask ${name}`);
    };
    const whole = importedBy('main.tsx');
    for (const one of everywhere) check(whole, one, 'main.tsx');
    for (const [page, its] of Object.entries(places)) {
      const within = importedBy(`pages/${page}/${page}.tsx`);
      for (const one of its) check(within, one, page);
    }
  });

  test('is three clicks away at most, by controls that exist', () => {
    for (const { what, by } of all) {
      assert.ok(1 + by.length <= MOST_CLICKS, `${what}: ${by.join(' → ')}`);
      for (const name of by)
        assert.ok(name === ROW || english.includes(name), `nothing says ${name}, for ${what}`);
    }
  });

  test('is told under its page in docs/dashboard.md', () => {
    const rows = Object.entries(places).map(([page, its]) => {
      const name = shell.names[page as keyof typeof places];
      return `| ${name} | ${its.flatMap(({ what }) => what || []).join(' · ')} |`;
    });
    const docs = readFileSync(join(root, 'docs/dashboard.md'), 'utf8');
    const told = docs.split('\n').filter((line) => /^\| .* · |^\| Spend \||^\| Events \|/.test(line));
    assert.deepEqual(told, rows);
  });
});

/** Whatever the file loads, at once or later. */
function importedBy(entry: string): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const file of found)
    for (const [, path = ''] of read(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const imported = join(dirname(file), path);
      if (existsSync(join(sources, imported))) found.add(relative('.', imported));
    }
  return found;
}
