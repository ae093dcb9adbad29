import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { beforeAll, describe, type TestContext, test } from 'vitest';
import { says, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { browserIsMissing } from '../support/browser.ts';
import { CuttableProxy } from '../support/cuttableProxy.ts';
import { ensureBuilt, takeBack } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { heldPort } from '../support/heldPort.ts';
import { providersAt } from '../support/models/environment.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService, ServiceProcess, type ServiceUnderTest } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const NEVER = new Promise(() => {});
const AWAY = 'The service is away.';
const folder = temporaryFolder('browser-faults');

/** Each fault says what happened, the page goes on by itself, and nothing that was typed is lost. */
describe('faults under the page', { ...skippedFor(browserIsMissing) }, () => {
  beforeAll(ensureBuilt);

  test('a service that is killed in mid-reply, and again while a form is half filled', async (t) => {
    await using models = await ScriptedModels.start();
    const killable = new Killable({ ...providersAt(models), SERVICE_DATA_DIR: `${folder}/killed` });
    t.onTestFinished(() => killable.stop());
    const { url } = await killable.start();
    await using opened = await openPage(`${url}/chat/killed`);
    const { page } = opened;
    models.script([says('The first half', waits(NEVER)), says('Whole.')]);
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me something');
    await page.keyboard.press('Enter');
    await page.locator('.turn').getByText('The first half').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('half a sen');
    await killable.kill();
    await page.getByText(AWAY).waitFor();
    await killable.start();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    await page.locator('.turn').getByText('It was interrupted before its end.').waitFor();
    await page.locator('.turn').getByText('The first half').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'half a sen');
    await page.keyboard.press('Enter');
    await page.locator('.turn').getByText('Whole.').waitFor();

    await page.goto(`${url}/schedules`);
    await page.getByRole('button', { name: 'Schedule something' }).click();
    await page.getByLabel('Name').fill('Mum');
    await page.getByLabel('Words').fill('Call mum');
    await page.getByLabel('Every', { exact: true }).fill('weekdays at 7:30');
    await killable.kill();
    await page.getByText(AWAY).waitFor();
    await page.getByLabel('Name').press('Enter');
    await page.getByText('The service does not answer').first().waitFor();
    assert.equal(await page.getByLabel('Words').inputValue(), 'Call mum');
    await killable.start();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    await page.getByLabel('Name').press('Enter');
    await page.getByRole('link', { name: 'Mum' }).waitFor();
  });

  test('a Redis that is gone, and is back', { ...skippedFor(redisIsMissing) }, async (t) => {
    const redis = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' });
    t.onTestFinished(() => redis.stop());
    const service = await started(t, { SERVICE_KVSTORE_URL: redis.url });
    await using opened = await openPage(`${service.url}/memory`);
    const { page } = opened;
    await page.getByText('Nothing is known yet').waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Sentence').fill('I live in Oslo.');
    await redis.kill();
    await page.keyboard.press('Enter');
    await page.getByText(/Key-value store not available/).waitFor();
    assert.equal(await page.getByLabel('Sentence').inputValue(), 'I live in Oslo.');
    const other = await page.context().newPage();
    await other.goto(`${service.url}/schedules`);
    await other.getByText('The page tries again by itself.').waitFor();
    await redis.start();
    await other.getByText('Nothing is scheduled').waitFor();
    await page.getByLabel('Sentence').press('Enter');
    await page.getByRole('button', { name: 'I live in Oslo.' }).waitFor();
  });

  test('a key that is taken away while the page is open', async (t) => {
    const environment = { SERVICE_DATA_DIR: `${folder}/keys`, SERVICE_KVSTORE_URL: 'embedded' };
    const at = { ...environment, HEALTH_PORT: String(await heldPort()) };
    const before = await InProcessService.start({ ...at, SERVICE_API_KEY: 'the-key-before' });
    t.onTestFinished(() => before.stop());
    await using opened = await openPage(`${before.url}/memory`);
    const { page } = opened;
    await page.getByLabel('API key').fill('the-key-before');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Sentence').fill('I live in Oslo.');
    await before.stop();
    await started(t, { ...at, SERVICE_API_KEY: 'the-key-now' });
    await page.getByText('That is not the key.').waitFor();
    assert.equal(await page.getByText(AWAY).count(), 0);
    await page.getByLabel('API key').fill('the-key-now');
    await page.keyboard.press('Enter');
    await page.getByLabel('API key').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Sentence').inputValue(), 'I live in Oslo.');
    await page.getByLabel('Sentence').press('Enter');
    await page.getByRole('button', { name: 'I live in Oslo.' }).waitFor();
  });

  test('too many requests: it says so, and asks again when it may', async (t) => {
    const service = await started(t, { API_RATE_LIMIT: '30', SERVICE_TEST_NOW: '' });
    await using proxy = await CuttableProxy.before(service.port);
    await using opened = await openPage(`http://${proxy.address}/schedules`);
    const { page } = opened;
    await page.getByText('Nothing is scheduled').waitFor();
    // Right before the page asks: another request may be made every two seconds.
    const useUp = async (route: Route) => {
      while ((await service.get('/api/settings')).status === 200);
      await route.continue();
    };
    await page.route('**/api/entities?*', useUp, { times: 1 });
    await page.getByRole('link', { name: 'Entities' }).click();
    await page.getByText('Too many requests').waitFor();
    await page.getByText('The page tries again by itself.').waitFor();
    await page.getByText('No entities yet').waitFor();
    assert.equal(await page.getByText('Too many requests').count(), 0);
    // The stream of events, too, is asked for when it may be, and not before.
    const streams: number[] = [];
    page.on('response', (answer) => {
      if (answer.url().includes('/api/events/stream')) streams.push(answer.status());
    });
    await page.route('**/api/events/stream*', useUp, { times: 1 });
    proxy.cut();
    await page.getByText('Too many requests. The page goes on in a moment.').waitFor();
    await page.locator('.banner').waitFor({ state: 'detached' });
    assert.deepEqual(streams, [429, 200]);
  });

  test('a slow network: what is typed last is what is found, and what is said arrives', async (t) => {
    await using models = await ScriptedModels.start();
    const service = await started(t, { API_RATE_LIMIT: '10000', ...providersAt(models) });
    for (const what of ['tea', 'coffee']) {
      const body = { text: `The user likes ${what}.` };
      await service.ask('POST', '/api/memory/conclusions', { body });
    }
    await using opened = await openPage(service.url);
    const { page } = opened;
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 400, downloadThroughput: 60_000, uploadThroughput: 20_000 };
    await session.send('Network.emulateNetworkConditions', slow);
    models.script(says('Slowly, ', 'but surely.'));
    await page.getByRole('textbox', { name: 'Message' }).fill('Are you there?');
    await page.keyboard.press('Enter');
    await page.getByText('Slowly, but surely.').first().waitFor();
    await page.getByRole('link', { name: 'Memory', exact: true }).click();
    // Not in the search of the page before, which stays until this one is loaded.
    await page.getByLabel('Find').pressSequentially('coff', { delay: 150 });
    await page.getByLabel('Find').fill('tea');
    await page.getByText('1 conclusion', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'The user likes tea.' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'The user likes coffee.' }).count(), 0);
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('a stream of events that is lost: what happened meanwhile is there', async (t) => {
    const service = await started(t);
    await using proxy = await CuttableProxy.before(service.port);
    await using opened = await openPage(`http://${proxy.address}/notifications`);
    const { page } = opened;
    await page.getByText('No notifications yet').waitFor();
    const said = page.getByText(AWAY).waitFor();
    proxy.cut();
    await said;
    await service.ask('POST', '/api/notifications', { body: { text: 'The tea is ready' } });
    await page.getByText('The tea is ready').waitFor();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('The service answers again.').waitFor();
    await service.ask('POST', '/api/notifications', { body: { text: 'And cold by now' } });
    await page.getByText('And cold by now').waitFor();
  });

  test('the dashboard was replaced since the page was opened: it begins anew where one goes', async (t) => {
    const service = await started(t);
    await using opened = await openPage(`${service.url}/chat/upgraded`);
    const { page } = opened;
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('half a sen');
    await page.evaluate('window.isOld = true');
    // The old page asks for a file that there is no more; the new one for its own.
    await page.route('**/assets/later-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByText('Nothing is scheduled').waitFor();
    assert.equal(await page.evaluate('window.isOld'), undefined);
    assert.equal(new URL(page.url()).pathname, '/schedules');
    await page.goBack();
    await field.waitFor();
    assert.equal(await field.inputValue(), 'half a sen');
    // Where a new one does not help, the page says so, and does not go on beginning anew.
    await page.route('**/assets/later-*.js', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByText('This page has stopped').waitFor();
  });

  test('a network that is lost between two pages: the next one opens when it is back', async (t) => {
    const service = await started(t);
    await using opened = await openPage(service.url);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate('window.isOld = true');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByText('This device is offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Nothing is scheduled').waitFor();
  });

  for (const [what, script] of [
    [
      'is forbidden',
      'Object.defineProperty(window, NAME, { get() { throw new DOMException("No", "SecurityError"); } });',
    ],
    [
      'is full',
      'Storage.prototype.setItem = () => { throw new DOMException("Full", "QuotaExceededError"); };',
    ],
  ] as const)
    test(`a storage of the browser that ${what}: all works as long as the page is open`, async (t) => {
      await using models = await ScriptedModels.start();
      models.script(says('Here.'));
      const service = await started(t, { SERVICE_API_KEY: 'the-key-of-all', ...providersAt(models) });
      await using opened = await openPage(service.url);
      const { page } = opened;
      for (const name of ['localStorage', 'sessionStorage'])
        await page.addInitScript(script.replace('NAME', `"${name}"`));
      await page.goto(service.url);
      await page.getByLabel('API key').fill('the-key-of-all');
      await page.keyboard.press('Enter');
      const field = page.getByRole('textbox', { name: 'Message' });
      await field.fill('Are you there?');
      await page.keyboard.press('Enter');
      await page.locator('.turn').getByText('Here.').waitFor();
      await field.fill('half a sen');
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('tab', { name: 'This browser' }).click();
      await page.getByLabel('Light or dark').selectOption('dark');
      assert.equal(await page.evaluate('document.documentElement.dataset.look'), 'dark');
      await page.goBack();
      await page.goBack();
      await field.waitFor();
      assert.equal(await field.inputValue(), 'half a sen');
      assert.deepEqual(opened.complaints, []);
    });

  test('two tabs: a key, a change and its undo count in both', async (t) => {
    const service = await started(t, { SERVICE_API_KEY: 'the-key-of-both' });
    await using opened = await openPage(`${service.url}/memory`);
    const { page } = opened;
    const other = await page.context().newPage();
    await other.goto(`${service.url}/memory`);
    await other.getByLabel('API key').waitFor();
    await page.getByLabel('API key').fill('the-key-of-both');
    await page.getByLabel('Keep it on this device').check();
    await page.keyboard.press('Enter');
    await other.getByText('Nothing is known yet').waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Sentence').fill('I live in Oslo.');
    await page.keyboard.press('Enter');
    await other.getByRole('button', { name: 'I live in Oslo.' }).waitFor();
    await takeBack(page, 'Added');
    await other.getByText('Nothing is known yet').waitFor();
  });
});

async function started(t: TestContext, environment: Record<string, string> = {}): Promise<InProcessService> {
  const service = await InProcessService.start(environment);
  t.onTestFinished(() => service.stop());
  return service;
}

/** A process on one port and one folder, however often it is killed. */
class Killable {
  readonly #environment: Readonly<Record<string, string>>;
  #port: number | undefined;
  #process: ServiceProcess | undefined;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = { SERVICE_KVSTORE_URL: 'embedded', ...environment };
  }

  async start(): Promise<ServiceUnderTest> {
    this.#port ??= await heldPort();
    this.#process = new ServiceProcess({ ...this.#environment, HEALTH_PORT: String(this.#port) });
    return await this.#process.ready();
  }

  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.kill();
  }
}
