import assert from 'node:assert/strict';
import { test } from 'vitest';
import { InProcessService } from '../support/service.ts';

/** What is left of its bucket to whom a proxy says that it asks for. */
async function remaining(service: InProcessService, forwarded?: string): Promise<number> {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return Number((await service.get('/api/settings', headers)).headers.get('x-ratelimit-remaining'));
}

test('a proxy that is trusted says whose request it is', async (t) => {
  const service = await InProcessService.start({ SERVICE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
  t.onTestFinished(() => service.stop());
  assert.equal(await remaining(service, '203.0.113.1'), 99);
  assert.equal(await remaining(service, '203.0.113.2'), 99);
  // What the client wrote before does not count, and neither do further proxies of ours.
  assert.equal(await remaining(service, '203.0.113.2, 203.0.113.1'), 98);
  assert.equal(await remaining(service, '198.51.100.7, 203.0.113.1:4711, 10.1.2.3'), 97);
  assert.equal(await remaining(service, '[2001:db8:1:2::3]:80'), 99);
  // All of an IPv6 host's addresses are one.
  assert.equal(await remaining(service, '2001:db8:1:2::4'), 98);
  assert.equal(await remaining(service, `${'10.0.0.1, '.repeat(100)}203.0.113.3`), 99);
  assert.equal(await remaining(service, `${'198.51.100.7, '.repeat(100)}203.0.113.3`), 98);
  // What is no address ends the search: then it is who said so.
  assert.equal(await remaining(service, 'unknown'), 99);
  assert.equal(await remaining(service, '203.0.113.1, , 10.9.9.9'), 99);
  assert.equal(await remaining(service), 98);
});

test('guesses count for who made them', async (t) => {
  const service = await InProcessService.start({
    SERVICE_TRUSTED_PROXIES: '127.0.0.1',
    SERVICE_API_KEY: 'a-very-secret-key',
  });
  t.onTestFinished(() => service.stop());
  const guess = (from: string) =>
    service.get('/api/settings', { 'x-forwarded-for': from, authorization: 'Bearer wrong-key' });
  for (let guesses = 0; guesses < 10; guesses++) assert.equal((await guess('203.0.113.1')).status, 401);
  assert.equal((await guess('203.0.113.1')).status, 429);
  assert.equal((await guess('203.0.113.2')).status, 401);
});

test('anybody else may say so in vain', async (t) => {
  const service = await InProcessService.start({ SERVICE_TRUSTED_PROXIES: '10.0.0.0/8' });
  t.onTestFinished(() => service.stop());
  assert.equal(await remaining(service, '203.0.113.1'), 99);
  assert.equal(await remaining(service, '203.0.113.2'), 98);
});

test('no header makes anybody local', async (t) => {
  const service = await InProcessService.start({ SERVICE_TRUSTED_PROXIES: '127.0.0.1' });
  t.onTestFinished(() => service.stop());
  for (const address of ['127.0.0.1', '::1', '203.0.113.1'])
    assert.equal((await service.get('/api/setup-token', { 'x-forwarded-for': address })).status, 403);
});
