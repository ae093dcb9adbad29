import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { writeSite } from '../../scripts/site.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the documentation as a site', () => {
  let folder: string;
  let pages: readonly string[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hark-site-'));
    pages = writeSite(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (page: string) => readFileSync(join(folder, page), 'utf8');
  const linksOf = (page: string) =>
    [...read(page).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);

  test('leads nowhere where nothing is: each link within it has its page and its place', () => {
    const dead = pages.flatMap((page) =>
      linksOf(page).flatMap((link) => {
        if (/^(https?|mailto):/.test(link)) return [];
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(folder, target))) return [`${page}: ${link}`];
        const isThere = anchor === undefined || read(target).includes(` id="${anchor}"`);
        return isThere ? [] : [`${page}: ${link}`];
      }),
    );
    assert.deepEqual(dead, []);
  });

  test('needs no server: nothing is loaded, and no script runs', () => {
    for (const page of pages) {
      const text = read(page);
      assert.doesNotMatch(text, /<script|<link|@import|url\(|src="http/, page);
      assert.match(text, /default-src 'none'/);
      assert.ok(
        linksOf(page).every((link) => !link.startsWith('/')),
        page,
      );
    }
  });

  test('has a page for each of docs, which the README names', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const unnamed = pages.filter(
      (page) => page.startsWith('docs/') && !readme.includes(page.replace(/\.html$/, '.md')),
    );
    assert.deepEqual(unnamed, []);
  });
});

test('each link in the repository to a file of it has that file', () => {
  const dead = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'].flatMap(
    (page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].flatMap(
        ([, path = '']) => (existsSync(join(ROOT, path)) ? [] : [`${page}: ${path}`]),
      ),
  );
  assert.deepEqual(dead, []);
});
