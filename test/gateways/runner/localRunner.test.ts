import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { sends } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { findCommand } from '../../../src/gateways/machine/commands.ts';
import { LocalRunner } from '../../../src/gateways/runner/localRunner.ts';

async function listening(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  assert(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}

async function drawn<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  return Array.fromAsync(parts);
}

test('a host that takes the connection and says nothing holds nobody up', async (t) => {
  const url = await listening(t, () => undefined);
  const runner = new LocalRunner({ url, longestAnswerMs: 30, find: () => '/usr/bin/ollama' });
  const status = await runner.status();
  assert.deepEqual(status, {
    installed: true,
    running: false,
    hint: 'Start it: POST /api/runner/start, or `ollama serve`',
  });
  await assert.rejects(runner.models(), { code: 'RUNNER_UNAVAILABLE' });
  await assert.rejects(runner.pull('m', t.signal), { code: 'RUNNER_UNAVAILABLE' });
});

test('what answers and is no Ollama is not taken for one', async (t) => {
  const url = await listening(t, (_, response) => response.end('<html>'));
  const runner = new LocalRunner({ url, find: () => undefined });
  assert.deepEqual(await runner.status(), {
    installed: false,
    running: false,
    hint: 'Install Ollama from https://ollama.com/download',
  });
  await assert.rejects(runner.models(), { code: 'RUNNER_UNAVAILABLE' });
});

test('what an older Ollama leaves out is empty', async (t) => {
  const url = await listening(t, (_, response) => response.end(JSON.stringify({ models: [{ name: 'm' }] })));
  const [model] = await new LocalRunner({ url }).models();
  const empty = { size: 0, digest: '', family: '', parameterSize: '', quantization: '' };
  assert.deepEqual(model, { name: 'm', model: 'm', ...empty });
  const none = await listening(t, (_, response) => response.end(JSON.stringify({ models: null })));
  assert.deepEqual(await new LocalRunner({ url: none }).models(), []);
});

test('a pull is asked for in JSON, and ended at the runner when its caller leaves', async (t) => {
  const asked: unknown[] = [];
  const closed = Promise.withResolvers<void>();
  const url = await listening(t, (request, response) => {
    asked.push([request.method, request.url, request.headers['content-type']]);
    request.once('close', closed.resolve);
    response.write(`${JSON.stringify({ status: 'pulling', total: 2, completed: 1 })}\n`);
  });
  const leaving = new AbortController();
  const parts = await new LocalRunner({ url }).pull('m', leaving.signal);
  for await (const { completed } of parts) {
    assert.equal(completed, 1);
    break;
  }
  await closed.promise;
  assert.deepEqual(asked, [['POST', '/api/pull', 'application/json']]);
});

test('lines that come in pieces are whole, and one without an end is refused', async (t) => {
  const url = await listening(t, (_, response) => {
    const [first, second] = [Buffer.from('{"status":"läd'), Buffer.from('t"}\n{"status":"success"}')];
    response.write(first.subarray(0, 12));
    response.write(first.subarray(12));
    response.end(second);
  });
  const lines = await drawn(await new LocalRunner({ url }).pull('m', t.signal));
  assert.deepEqual(lines, [{ status: 'lädt' }, { status: 'success' }]);
  const endless = await listening(t, (_, response) => response.end('x'.repeat(2_000_000)));
  await assert.rejects(
    async () => drawn(await new LocalRunner({ url: endless }).pull('m', t.signal)),
    TypeError,
  );
});

test('it is started once for all who ask, where it is installed', async (t) => {
  await using models = await ScriptedModels.start();
  const url = models.url('local-runner');
  models.script(sends(500, {}), { endpoint: 'version', times: 2 });
  let started = 0;
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  t.onTestFinished(async () => {
    await child.kill();
  });
  const runner = new LocalRunner({
    url,
    find: () => 'ollama',
    serve: (binary, host) => {
      started++;
      assert.deepEqual([binary, host], ['ollama', new URL(url).host]);
      return child;
    },
  });
  await Promise.all([runner.start(), runner.start()]);
  assert.equal(started, 1);
  await runner.start();
  assert.equal(started, 1);
});

test('why it was not started is said', async () => {
  const url = 'http://127.0.0.1:9';
  const missing = new LocalRunner({ url, find: () => undefined });
  await assert.rejects(missing.start(), { code: 'RUNNER_NOT_STARTED', message: /not installed/ });
  const elsewhere = new LocalRunner({ url: 'http://192.0.2.1:11434', longestAnswerMs: 10 });
  await assert.rejects(elsewhere.start(), { code: 'RUNNER_NOT_STARTED', message: /another machine/ });
  for (const binary of ['/does/not/exist', '/bin/false']) {
    const broken = new LocalRunner({ url, find: () => binary });
    await assert.rejects(broken.start(), { code: 'RUNNER_NOT_STARTED', message: /ended/ });
  }
});

test('it is found in the path, where it may be run', (t) => {
  const folder = mkdtempSync('/tmp/hark-path-');
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  assert.equal(findCommand('ollama', `/nowhere:${folder}`), undefined);
  writeFileSync(join(folder, 'ollama'), '');
  chmodSync(join(folder, 'ollama'), 0o755);
  assert.equal(findCommand('ollama', `/nowhere:${folder}`), join(folder, 'ollama'));
});
