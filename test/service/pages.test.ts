import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { StaticFiles } from '../../src/interfaces/rest/staticFiles.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { InProcessService } from '../support/service.ts';

/** Of contract §14, as it stands there: what is taken out of it, a page could do. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; " +
  "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hark";

/** Of the page, and so no TypeScript. */
const PROSE = new URL('../../src/interfaces/rest/docs/prose.js', import.meta.url).href;

describe('pages', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start();
  });
  afterAll(() => service.stop());

  for (const path of ['/', '/index.html', '/docs', '/docs/', '/docs/index.html'])
    test(`${path} is a page that runs nothing but its own files`, async () => {
      const { status, headers } = await service.get(path);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('content-security-policy'), POLICY);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    });

  test('what a page names is there, and nothing is written into the page itself', async () => {
    for (const page of ['/', '/docs']) {
      const { text } = await service.get(page);
      // Else browsers ask for /favicon.ico, and their console shows a 404.
      assert.match(text, /<link rel="icon" href="(?:data:,|\/icon.svg)"/);
      assert.doesNotMatch(text, /<script(?![^>]*src)|\son\w+=|style="|https?:/);
      for (const [, path = ''] of text.matchAll(/<(?:script|link)[^>]+(?:src|href)="(\/[^"]+)"/g)) {
        const { status, headers, text: script } = await service.get(path);
        assert.equal(status, 200, path);
        if (!/\.(?:js|css)$/.test(path)) continue;
        for (const [, imported = ''] of script.matchAll(/from '\.\/([^']+)'/g))
          assert.equal((await service.get(join(dirname(path), imported))).status, 200, imported);
        assert.match(
          headers.get('content-type') ?? '',
          path.endsWith('.js') ? /^text\/javascript/ : /^text\/css/,
        );
      }
    }
  });

  test('what descriptions say in backticks is shown as code', async () => {
    const { prose }: { prose(text: string, make: (code: string) => unknown): unknown[] } = await import(
      PROSE
    );
    const shown = (text: string) => prose(text, (code: string) => ({ code }));
    assert.deepEqual(shown('with `ports`, or `null`'), [
      'with ',
      { code: 'ports' },
      ', or ',
      { code: 'null' },
    ]);
    assert.deepEqual(shown('`all`'), [{ code: 'all' }]);
    assert.deepEqual(shown('a lone ` stays'), ['a lone ` stays']);
    assert.deepEqual(shown(''), []);
  });

  test('what the dashboard is made of comes compressed as it was built, and is asked for once', async () => {
    ensureBuilt();
    const { text } = await service.get('/');
    const paths = Array.from(text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g), ([, path = '']) => path);
    assert.ok(paths.length > 2, text);
    for (const path of paths) {
      const whole = await service.get(path, { 'accept-encoding': 'identity' });
      const small = await service.get(path, { 'accept-encoding': 'br' });
      // What is as small as that is not worth a second file.
      if (whole.text.length < 400) continue;
      assert.equal(small.headers.get('content-encoding'), 'br', path);
      assert.equal(small.text, whole.text);
      assert.match(whole.headers.get('cache-control') ?? '', /max-age=31536000, immutable$/);
      const known = { 'accept-encoding': 'br', 'if-none-match': small.headers.get('etag') ?? '' };
      assert.equal((await service.get(path, known)).status, 304);
    }
    assert.equal((await service.get('/')).headers.get('cache-control'), 'no-cache');
  });

  test('the dashboard can be installed as an app', async () => {
    ensureBuilt();
    const { headers, text } = await service.get('/hark.webmanifest');
    assert.match(headers.get('content-type') ?? '', /^application\/manifest\+json/);
    const { start_url: start, display, icons } = JSON.parse(text);
    assert.deepEqual([start, display], ['/', 'standalone']);
    for (const { src, type } of icons)
      assert.ok((await service.get(src)).headers.get('content-type')?.startsWith(type), src);
  });

  test('a page that is known already is not sent again', async () => {
    const { headers } = await service.get('/docs/docs.js');
    const etag = headers.get('etag') ?? '';
    const again = await service.get('/docs/docs.js', { 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
  });

  for (const path of [
    '/../package.json',
    '/docs/../server.ts',
    '/docs/..%2fserver.ts',
    '/docs/%2e%2e/server.ts',
    '/..\\package.json',
    '//etc/passwd',
    '/docs%00',
    '/.env',
  ])
    test(`there is no way out: ${path}`, async () => {
      const received = await service.raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      assert.match(received, /^HTTP\/1.1 40[04] /);
    });

  test('pages are counted as one', async () => {
    const { text } = await service.get('/metrics');
    assert.match(text, /service_http_requests_total{method="GET",path="\/\*",status="200"} \d+\n/);
    assert.doesNotMatch(text, /docs\.js|passwd/);
  });
});

test('a notice stands on every page, as text', async () => {
  const notice = 'Staging & <b>not</b> real';
  const service = await InProcessService.start({ SERVICE_NOTICE: notice });
  for (const page of ['/', '/docs']) {
    const { text } = await service.get(page);
    assert.match(text, /<aside class="notice">Staging &#38; &#60;b&#62;not&#60;\/b&#62; real<\/aside>/);
  }
  assert.equal((await service.get('/health')).body.notice, notice);
  await service.stop();
});

test('a page says by what it varies, in whatever form it comes', async () => {
  const service = await InProcessService.start();
  for (const headers of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip;q=0, identity' }]) {
    const page = await service.get('/docs/docs.js', headers);
    assert.equal(page.headers.get('vary'), 'Origin, Accept, Accept-Encoding');
  }
  await service.stop();
});

test('files that could not be read are read when they are asked for again', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'hark-static-')), 'late');
  const files = new StaticFiles({ '': folder });
  await assert.rejects(files.find('/page.html'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'page.html'), 'text');
  assert.ok(await files.find('/page.html'));
  rmSync(dirname(folder), { recursive: true });
});

test('links and hidden files are not served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hark-static-'));
  mkdirSync(join(folder, 'public', '.git'), { recursive: true });
  mkdirSync(join(folder, 'secrets'));
  for (const file of ['secrets/key.txt', 'public/.env', 'public/.git/config', 'public/page.html'])
    writeFileSync(join(folder, file), 'text');
  symlinkSync(join(folder, 'secrets', 'key.txt'), join(folder, 'public', 'link.txt'));
  symlinkSync(join(folder, 'secrets'), join(folder, 'public', 'folder'));
  const files = new StaticFiles({ '': join(folder, 'public') });
  assert(await files.find('/page.html'));
  for (const path of ['/link.txt', '/folder/key.txt', '/.env', '/.git/config', '/../secrets/key.txt', ''])
    assert.equal(await files.find(path), undefined, path);
  rmSync(folder, { recursive: true });
});
