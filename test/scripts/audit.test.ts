import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';

const root = join(import.meta.dirname, '../..');

type Registry = (response: ServerResponse, url: string) => void;

/** What npm says where every signature is right. */
const SIGNED = '{"invalid":[],"missing":[]}';

/**
 * Runs the audit against a registry that answers in this way. Keys of signatures come from elsewhere, which no test may
 * ask: what npm says of them stands for that.
 */
async function auditWith(answer: Registry, signatures = SIGNED) {
  const registry = createServer((request, response) => {
    request.resume();
    answer(response, request.url ?? '');
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'hark-audit-'));
  const shim = `#!/bin/sh\n[ "$2" = signatures ] && { echo '${signatures}'; exit 0; }\nPATH="$REST" exec npm "$@"\n`;
  writeFileSync(join(folder, 'npm'), shim);
  chmodSync(join(folder, 'npm'), 0o755);
  const npm_config_registry = `http://127.0.0.1:${Object(registry.address()).port}/`;
  const { PATH: REST = '' } = process.env;
  const child = spawn(process.execPath, [join(root, 'scripts/audit.ts')], {
    env: { ...process.env, REST, PATH: `${folder}${delimiter}${REST}`, npm_config_registry },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code], told] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  registry.closeAllConnections();
  registry.close();
  rmSync(folder, { recursive: true });
  return { code, told };
}

const advisory = {
  id: 1,
  url: 'https://example.org/advisory',
  title: 'It can be broken into',
  severity: 'high',
  vulnerable_versions: '*',
  cwe: [],
  cvss: { score: 7, vectorString: null },
};

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

test('a known vulnerability of what is shipped is a failure', async () => {
  const { code, told } = await auditWith((response, url) => {
    if (url.endsWith('/advisories/bulk')) json(response, { fastify: [advisory], typescript: [advisory] });
    else response.writeHead(404).end();
  });
  assert.equal(code, 1);
  assert.match(told, /^fastify .*: high\n {2}It can be broken into https:\/\/example\.org\/advisory$/m);
  // What only development needs is not shipped.
  assert.doesNotMatch(told, /typescript/);
});

const nothing: Registry = (response) => json(response, {});
const KNOWN = 'Nothing is known of what is shipped\n';

test('with none it says so', async () => {
  const { code, told } = await auditWith(nothing);
  assert.deepEqual([code, told], [0, `${KNOWN}All that is shipped is signed by its registry\n`]);
});

test('a registry that cannot be asked is told of, and is no failure of ours', async () => {
  const { code, told } = await auditWith((response) => response.writeHead(405).end());
  assert.equal(code, 75);
  assert.match(told, /^The registry could not be asked: 405 Method Not Allowed$/m);
});

test('a package that is not as it was signed is a failure, and one that was never signed', async () => {
  const wrong = { name: 'zod', version: '4.6.7' };
  for (const [said, expected] of [
    [{ invalid: [wrong], missing: [] }, 'zod 4.6.7: not as it was signed'],
    [{ invalid: [], missing: [wrong] }, 'zod 4.6.7: not signed, by a registry that signs'],
  ] as const) {
    const { code, told } = await auditWith(nothing, JSON.stringify(said));
    assert.deepEqual([code, told], [1, `${KNOWN}${expected}\n`]);
  }
});

test('keys of signatures that cannot be had are told of, and are no failure of ours', async () => {
  const summary =
    'request to https://keys.example.org/root.json failed, reason: getaddrinfo ENOTFOUND keys.example.org';
  const { code, told } = await auditWith(nothing, JSON.stringify({ error: { code: 'ENOTFOUND', summary } }));
  assert.deepEqual(
    [code, told],
    [75, `${KNOWN}Signatures could not be looked at: getaddrinfo ENOTFOUND keys.example.org\n`],
  );
});
