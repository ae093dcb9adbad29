import assert from 'node:assert/strict';
import { test } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { createLogger } from '../../src/logger.ts';
import { InProcessService } from '../support/service.ts';

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
