import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Runs the audit against a registry that answers in this way. */
async function auditWith(answer: (response: ServerResponse, url: string) => void) {
  const registry = createServer((request, response) => {
    request.resume();
    answer(response, request.url ?? '');
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const npm_config_registry = `http://127.0.0.1:${Object(registry.address()).port}/`;
  const child = spawn(process.execPath, [join(root, 'scripts/audit.ts')], {
    env: { ...process.env, npm_config_registry },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code], told] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  registry.closeAllConnections();
  registry.close();
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

test('with none it says so', async () => {
  const { code, told } = await auditWith((response) => json(response, {}));
  assert.deepEqual([code, told], [0, 'Nothing is known of what is shipped\n']);
});

test('a registry that cannot be asked is told of, and is no failure of ours', async () => {
  const { code, told } = await auditWith((response) => response.writeHead(405).end());
  assert.deepEqual([code, told], [75, 'The registry could not be asked: 405 Method Not Allowed\n']);
});
