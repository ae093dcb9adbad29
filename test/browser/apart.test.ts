import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { beforeAll, describe, type TestContext, test } from 'vitest';
import { says, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { browserIsMissing } from '../support/browser.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { heldPort } from '../support/heldPort.ts';
import { providersAt } from '../support/models/environment.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** What the page and the service do not share. */
/** It is done, and nobody hears of it. */
const lose = async (route: Route) => {
  await route.fetch();
  await route.abort();
};

describe('a page far from its service', { ...skippedFor(browserIsMissing) }, () => {
  beforeAll(ensureBuilt);

  for (const [where, ms] of [
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ] as const)
    test(`whose clock is an hour ${where} says how long ago and how soon as the service would`, async (t) => {
      await using models = await ScriptedModels.start();
      models.script(({ lastText }) => says(`To ${lastText}`));
      const service = await started(t, { SERVICE_TEST_NOW: '', ...providersAt(models) });
      const say = (text: string, more = {}) =>
        service.ask('POST', '/api/chat', { body: { text, sessionId: 'far', ...more } });
      for (const text of ['Which tea?', 'How long?']) await say(text);
      const path = '/api/chat/sessions/far/turns';
      const { turns } = (await service.get<{ turns: readonly { turnId: string }[] }>(path)).body;
      const task = { name: 'Soon', text: 'Drink it', at: 'in 20 minutes' };
      await service.ask('POST', '/api/scheduler/tasks', { body: task });
      await using opened = await openPage(service.url);
      const { page } = opened;
      await page.addInitScript(`Date = class extends Date {
        constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
        static now() { return super.now() + ${ms}; }
      }`);
      await page.goto(`${service.url}/schedules`);
      await page.getByText(/^due in (?:1\d|20) minutes$/).waitFor();
      await page.goto(`${service.url}/chat/far`);
      const conversation = page.getByRole('list', { name: 'Conversation', exact: true });
      const shown = (text: string) => conversation.getByText(text, { exact: true });
      await shown('To How long?').waitFor();
      assert.match(await page.locator('.turn time').first().innerText(), /^now$|(?:second|minute)s? ago$/);
      // What is said in place of another takes what followed it from the page.
      await say('Which coffee?', { replaces: turns[0]?.turnId });
      await shown('To Which coffee?').waitFor();
      await shown('How long?').waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('button', { name: 'Back to now' }).count(), 0);
      assert.deepEqual(opened.complaints, []);
    });

  test('adds once what was asked for twice, as the first answer was lost', async (t) => {
    const service = await started(t);
    await using opened = await openPage(`${service.url}/schedules`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Schedule something' }).click();
    await page.getByLabel('Name').fill('Mum');
    await page.getByLabel('Words').fill('Call mum');
    await page.getByLabel('Every', { exact: true }).fill('weekdays at 7:30');
    await page.route('**/api/scheduler/tasks', lose, { times: 1 });
    await page.getByLabel('Name').press('Enter');
    await page.getByText('The service does not answer').waitFor();
    await page.getByLabel('Name').press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { tasks } = (await service.get<{ tasks: readonly unknown[] }>('/api/scheduler/tasks')).body;
    assert.equal(tasks.length, 1);
  });

  test('shows the secret of a webhook also where the first answer was lost', async (t) => {
    const service = await started(t);
    await using opened = await openPage(`${service.url}/webhooks`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Address').fill('https://example.com/hook');
    await page.getByLabel('Topics').fill('memory.*');
    await page.route('**/api/webhooks', lose, { times: 1 });
    await page.getByLabel('Address').press('Enter');
    await page.getByText('The service does not answer').waitFor();
    await page.getByLabel('Address').press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/^whsec_[\w+/]{43}=$/)
      .waitFor();
    assert.equal((await service.get<{ count: number }>('/api/webhooks')).body.count, 1);
  });

  test('has another claim where its own is too old, and says it where nobody is there', async (t) => {
    const service = await started(t);
    await using opened = await openPage(`${service.url}/providers`);
    const { page } = opened;
    const field = page.getByRole('dialog').getByLabel('Key', { exact: true });
    const store = async (provider: string) => {
      await page.getByRole('button', { name: `Set key ${provider}` }).click();
      await field.fill('a-key-of-this-test');
      await field.press('Enter');
    };
    await store('Anthropic');
    await field.waitFor({ state: 'detached' });
    await service.advance(3_600_000);
    await store('OpenAI');
    await field.waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: 'OpenAI' }).getByText('stored').waitFor();
    await page.evaluate('sessionStorage.clear()');
    await service.stop();
    await store('OpenRouter');
    await page.getByText('The service does not answer').waitFor();
    assert.equal(await field.inputValue(), 'a-key-of-this-test');
  });

  test('sees what happens in another process on the same Redis', {
    ...skippedFor(redisIsMissing),
  }, async (t) => {
    await using models = await ScriptedModels.start();
    const { promise: goes, resolve: goesOn } = Promise.withResolvers<void>();
    models.script(says('It ', waits(goes), 'went on.'));
    const redis = await RedisServer.start();
    t.onTestFinished(() => redis.stop());
    const environment = { SERVICE_KVSTORE_URL: redis.url, ...providersAt(models) };
    const own = { ...environment, HEALTH_PORT: String(await heldPort()) };
    const [one, other] = await Promise.all([started(t, own), started(t, environment)]);
    await using opened = await openPage(`${one.url}/chat/shared`);
    const { page } = opened;
    const conversation = page.getByRole('list', { name: 'Conversation', exact: true });
    const said = other.ask('POST', '/api/chat', { body: { text: 'Go on', sessionId: 'shared' } });
    await conversation.getByText('Go on', { exact: true }).waitFor();
    goesOn();
    await conversation.getByText('It went on.', { exact: true }).waitFor();
    await said;
    const believe = (text: string) => other.ask('POST', '/api/memory/conclusions', { body: { text } });
    await page.getByRole('link', { name: 'Memory', exact: true }).click();
    await page.getByText('Nothing is known yet').waitFor();
    await believe('The user likes tea.');
    await page.getByRole('button', { name: 'The user likes tea.' }).waitFor();
    await one.stop();
    await page.getByText('The service is away.').waitFor();
    await believe('The user likes coffee.');
    await started(t, own);
    await page.getByRole('button', { name: 'The user likes coffee.' }).waitFor();
    assert.deepEqual(opened.elsewhere, []);
  });
});

async function started(t: TestContext, environment: Record<string, string> = {}): Promise<InProcessService> {
  const service = await InProcessService.start(environment);
  t.onTestFinished(() => service.stop());
  return service;
}
