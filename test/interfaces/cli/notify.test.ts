import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { json, Messengers } from '../../support/messengers.ts';
import { InProcessService } from '../../support/service.ts';
import { hark } from './hark.ts';

describe('hark notify', () => {
  let service: InProcessService;
  let messengers: Messengers;
  beforeAll(async () => {
    messengers = await Messengers.start();
    service = await InProcessService.start({ SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true', API_RATE_LIMIT: '1000' });
  });
  afterAll(async () => {
    await service.stop();
    await messengers.stop();
  });
  const notify = (...args: readonly string[]) =>
    hark(['notify', ...args, '--user', 'ann'], { HARK_URL: service.url, HARK_CHANNEL_SECRET: 'tk_cli' });

  test('adds a channel, tries it out, sends by it and removes it', async () => {
    assert.equal((await notify('channels')).stdout, 'nothing\n');
    const settings = JSON.stringify({ url: messengers.url, topic: 'cli' });
    const added = await notify('add', 'ntfy', 'My', 'phone', '--settings', settings, '--json');
    assert.equal(added.code, 0, added.stderr);
    const { id } = JSON.parse(added.stdout).channel;
    assert.match((await notify('channels')).stdout, /^on {2}ntfy {2}\S+ {2}well {2}0 waiting {2}My phone\n$/);
    assert.equal((await notify('test', id)).stdout, 'delivered\n');
    assert.equal(messengers.asked.items.at(-1)?.authorization, 'Bearer tk_cli');
    messengers.answer(json(401, {}));
    const failed = await notify('test', id);
    assert.deepEqual([failed.code, failed.stdout], [1, 'not delivered: HTTP_401\n']);
    const sent = await notify('send', 'Tea', 'is ready', '--title', 'Tea', '--channel', id);
    assert.match(sent.stdout, /^\S+: to 1 channel\n$/);
    const [notification] = sent.stdout.split(':');
    assert.match(
      (await notify('list', '--unread')).stdout,
      /^new {2}2023-\S+ {2}\S+ {2}Tea: Tea is ready\n$/,
    );
    assert.equal((await notify('read', notification ?? '')).code, 0);
    assert.equal((await notify('list', '--unread')).stdout, 'nothing\n');
    assert.equal((await notify('remove', id)).stdout, `removed: ${id}\n`);
    const gone = await notify('test', id);
    assert.deepEqual([gone.code, gone.stderr.includes('Unknown notification channel')], [1, true]);
  });

  test('says what is wrong, and never the secret', async () => {
    const wrong = await notify('add', 'ntfy', 'Phone', '--settings', '{}');
    assert.equal(wrong.code, 1);
    assert.doesNotMatch(wrong.stdout + wrong.stderr, /tk_cli/);
    const usage = await notify('add', 'ntfy', 'Phone', '--settings', '{}', '--quiet', 'night');
    assert.equal(usage.code, 64);
  });
});
