import assert from 'node:assert/strict';
import { test } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { createLogger } from '../../src/logger.ts';
import { InProcessService } from '../support/service.ts';
import { tool } from '../support/tools.ts';
import { McpByHand } from './mcpClient.ts';

test('nothing that a request carries is logged', async () => {
  const service = await InProcessService.start({ SERVICE_API_KEY: 'the-api-key' });
  const headers = { authorization: 'Bearer the-api-key', 'x-user-id': 'private-user' };
  await service.put('/api/settings', { 'private-field': 'private-value' }, headers);
  await service.put('/api/settings', '{"private-json', headers);
  await service.get('/api/events?type=private-query', headers);
  await service.get('/private-path', headers);
  await service.get('/api/settings', { authorization: 'Bearer private-guess' });
  await service.stop();
  assert.doesNotMatch(service.logged, /private|the-api-key/);
});

test('what fails in a request is found in the log by the id that the answer names', async () => {
  const breaks = tool('oven.bake', { run: () => Promise.reject(new TypeError('private-recipe')) });
  const service = await InProcessService.start({}, { onTools: (tools) => tools.register('test', breaks) });
  const params = { name: 'oven.bake', arguments: {} };
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const mcp = new McpByHand(service.mcpUrl);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { headers } = await mcp.post(call, { traceparent });
  await service.stop();
  assert.equal(headers.get('x-correlation-id'), traceparent);
  const lines = service.logged.split('\n').filter((line) => line.includes('oven.bake'));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).correlationId),
    [traceparent],
  );
  assert.doesNotMatch(service.logged, /private-recipe/);
});

test('each line is JSON and says its level', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  log.info({ ports: 1 }, 'ready');
  log.debug('not this');
  assert.equal(lines.length, 1);
  const { level, msg, time, ports } = JSON.parse(lines[0] ?? '');
  assert.deepEqual({ level, msg, ports }, { level: 'info', msg: 'ready', ports: 1 });
  assert.equal(typeof time, 'number');
});

test('a line steers no terminal, and says the same', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const file = 'a\u009b2Jb\u202ec\u007f\u001b[2J.yaml';
  log.warn({ file }, 'a workflow file cannot be used');
  assert.match(lines[0] ?? '', /^[^\p{Cc}\p{Bidi_Control}]+\n$/u);
  assert.equal(JSON.parse(lines[0] ?? '').file, file);
});

test('an error is logged by kind, code and place, not by what it quotes', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const cause = Object.assign(new Error("cannot read 'my diary'"), { code: 'ENOENT' });
  log.error({ err: new HarkError('STORAGE_FULL', { message: 'my diary', cause }) }, 'failed');
  const { err } = JSON.parse(lines[0] ?? '');
  assert.doesNotMatch(lines[0] ?? '', /diary/);
  assert.equal(err.code, 'STORAGE_FULL');
  assert.equal(err.cause.code, 'ENOENT');
  assert.match(err.cause.at[0], /logs\.test\.ts/);
});
