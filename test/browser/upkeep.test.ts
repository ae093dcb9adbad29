import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { sends } from '../../src/demo/model/script.ts';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { assertLooks, ensureBuilt, takeBack } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { heldPort } from '../support/heldPort.ts';
import { modelledService } from '../support/modelledService.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** What is done seldom, and by the keyboard here: runner, keys, log, device, setup, and a question to memory. */
describe('the upkeep, in a browser', { ...skippedFor(browserIsMissing) }, () => {
  beforeAll(ensureBuilt);
  const folder = temporaryFolder('browser-runner');
  const set = modelledService();

  const press = (page: Page, name: string | RegExp, where: Pick<Page, 'getByRole'> = page) =>
    where.getByRole('button', { name }).first().press('Enter');
  const agree = async (page: Page, title: string, action: string) => {
    const question = page.getByRole('dialog', { name: title });
    await press(page, action, question);
    await question.waitFor({ state: 'detached' });
  };
  const isQuiet = (opened: OpenPage) => assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  const claim = async (service: InProcessService) => {
    const { body } = await service.get<{ token: string }>('/api/setup-token');
    return { 'x-setup-token': body.token };
  };

  test('a model comes to the local runner, and one that it does not know is told', async () => {
    await using opened = await openPage(`${set.service.url}/providers`);
    const { page } = opened;
    const ask = async (model: string) => {
      await press(page, 'Download a model');
      const form = page.getByRole('dialog', { name: 'Download a model' });
      await form.getByLabel('Model').fill(model);
      await page.keyboard.press('Enter');
      await form.waitFor({ state: 'detached' });
    };
    await ask('llama3.2');
    await page.getByText('llama3.2 is here').waitFor();
    assert.ok(set.models.requests.some(({ endpoint }) => endpoint === 'pull'));
    await assertLooks(page);
    set.models.script(
      sends(200, `${JSON.stringify({ error: 'pull model manifest: file does not exist' })}\n`),
      {
        endpoint: 'pull',
      },
    );
    await ask('nobody-knows-it');
    await page.getByText('nobody-knows-it was not downloaded: The runner knows no such model').waitFor();
    isQuiet(opened);
  });

  test('a runner that is installed is started', async (t) => {
    const pid = join(folder, 'pid');
    writeFileSync(join(folder, 'ollama'), OLLAMA(pid), { mode: 0o755 });
    const { PATH = '' } = process.env;
    process.env.PATH = `${folder}:${PATH}`;
    t.onTestFinished(() => {
      process.env.PATH = PATH;
      process.kill(Number(readFileSync(pid, 'utf8')));
    });
    const service = await InProcessService.start({ OLLAMA_HOST: `http://127.0.0.1:${await heldPort()}` });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/providers`);
    const { page } = opened;
    await press(page, 'Start Ollama');
    await page.getByText('Ollama runs').waitFor();
    await page.getByText('own:latest 2 GB').waitFor();
    await press(page, 'Download a model');
    await page.getByRole('dialog', { name: 'Download a model' }).waitFor();
    isQuiet(opened);
  });

  test('all keys that are stored go at once, and those of the environment stay', async () => {
    const headers = await claim(set.service);
    for (const providerId of ['provider-cloud-a', 'provider-gateway']) {
      const body = { providerId, apiKey: 'key-of-somebody' };
      assert.equal((await set.service.ask('POST', '/api/credentials', { body, headers })).status, 200);
    }
    await using opened = await openPage(`${set.service.url}/providers`);
    const { page } = opened;
    await press(page, 'Remove all stored keys');
    await agree(page, 'Remove all stored keys?', 'Remove all stored keys');
    await page.getByText('Removed: 2').waitFor();
    await page.getByText('from ANTHROPIC_API_KEY').waitFor();
    await page.getByRole('button', { name: 'Remove all stored keys' }).waitFor({ state: 'detached' });
    isQuiet(opened);
  });

  test('the log is connected anew, and the machine is told of', async () => {
    await using opened = await openPage(`${set.service.url}/status`);
    const { page } = opened;
    await press(page, 'Reconnect');
    await agree(page, 'Reconnect to the log?', 'Reconnect');
    await page.getByText('Connected again').waitFor();
    await page.getByText('This machine').click();
    await page.getByText(`Node.js ${process.version}`).waitFor();
    await assertLooks(page);
    isQuiet(opened);
  });

  test('health tells when something was, and where it is done, as people say it', async () => {
    assert.equal((await set.service.ask('POST', '/api/memory/maintain', { body: {} })).status, 200);
    await using opened = await openPage(`${set.service.url}/status`);
    const { page } = opened;
    await page.getByText(/^1 sweep, the last at Nov \d+, 2023/).waitFor();
    const embedder = page.getByRole('listitem').filter({ hasText: 'Set the embedding slot to find' });
    await embedder.getByRole('link', { name: 'Providers and slots' }).press('Enter');
    await page.waitForURL('**/providers');
    isQuiet(opened);
  });

  test('nobody follows the figures of a page that nobody sees', async () => {
    await using opened = await openPage(`${set.service.url}/docs`);
    const { page } = opened;
    await page.addInitScript("Object.defineProperty(document, 'hidden', { writable: true, value: false })");
    const see = (isSeen: boolean) =>
      page.evaluate(`document.hidden = ${!isSeen};
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    const isFigures = (request: Request) => request.url().includes('/api/health/figures');
    await page.goto(`${set.service.url}/status`);
    await page.getByText('Runs for').waitFor();
    const ended = page.waitForEvent('requestfailed', isFigures);
    await see(false);
    await ended;
    const begun = page.waitForRequest(isFigures);
    await see(true);
    await begun;
    await page.getByText('Runs for').waitFor();
    isQuiet(opened);
  });

  test('a service that takes the question and says nothing is told of', async () => {
    await using opened = await openPage(`${set.service.url}/docs`);
    const { page } = opened;
    await page.clock.install();
    await page.route('**/api/events/stream*', () => undefined);
    const asked = page.waitForRequest('**/api/events/stream*');
    await page.goto(`${set.service.url}/status`);
    await asked;
    await page.clock.fastForward(9_000);
    assert.equal(await page.getByText('The service is away.').count(), 0);
    await page.clock.fastForward(2_000);
    await page.getByText('The service is away.').waitFor();
  });

  test('what is refused is told in German to who reads German', async () => {
    await using opened = await openPage(`${set.service.url}/docs`);
    const { page } = opened;
    await page.addInitScript("localStorage.setItem('hark.language', 'de')");
    await set.service.put('/api/users/default/preferences', { persistMemory: false });
    await page.goto(`${set.service.url}/memory`);
    await press(page, 'Hinzufügen');
    await page.getByRole('dialog').getByRole('textbox').fill('Ich wohne in Oslo.');
    await page.keyboard.press('Enter');
    await page.getByText('Das ging nicht. Das Gedächtnis ist aus.').waitFor();
    await set.service.put('/api/users/default/preferences', { persistMemory: true });
    await page.goto(`${set.service.url}/entities/unknown`);
    await page
      .getByText('Es wurde gelöscht, oder es war zu dem gezeigten Zeitpunkt noch nicht da.')
      .waitFor();
  });

  test('what hears and speaks is told', async () => {
    await using opened = await openPage(`${set.service.url}/models?q=flite`);
    const { page } = opened;
    await page.getByText('What hears and speaks now').click();
    await page.getByText('Open conversations by voice: 0').waitFor();
    await assertLooks(page);
    isQuiet(opened);
  });

  test('a device comes to speak for somebody else, and for who it did again', async () => {
    const body = { type: 'esp32', name: 'Lamp', capabilities: { buttons: true } };
    const { body: made } = await set.service.ask<{ device: { id: string } }>(
      'POST',
      '/api/devices/register',
      {
        body,
      },
    );
    const address = `/api/devices/${made.device.id}`;
    const speaksFor = async () =>
      (await set.service.get<{ device: { userId: string } }>(address)).body.device.userId;
    await set.service.put(address, { status: 'active' });
    const before = await speaksFor();
    await using opened = await openPage(`${set.service.url}/devices`);
    const { page } = opened;
    await press(page, 'Actions for Lamp');
    await page.getByRole('menuitem', { name: 'Speak for another user' }).press('Enter');
    await page.getByRole('dialog').getByLabel('User').fill('ann');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('It speaks for ann').waitFor();
    assert.equal(await speaksFor(), 'ann');
    await takeBack(page, 'It speaks for ann');
    await page.getByText('Undone').waitFor();
    assert.equal(await speaksFor(), before);
    isQuiet(opened);
  });

  test('memory answers a question with what it rests on, and says where it knows nothing', async () => {
    const service = await InProcessService.start({ OLLAMA_HOST: NOWHERE });
    await using _ = { [Symbol.asyncDispose]: () => service.stop() };
    const messages = [{ role: 'user', content: 'I live in Lisbon and I drink green tea.' }];
    const content = { sessions: [{ id: 'brought', startedAt: Date.now() - 5_000, messages }] };
    await service.ask('POST', '/api/memory/import', { body: { source: 'conversation', content } });
    await using opened = await openPage(`${service.url}/why`);
    const { page } = opened;
    const field = page.getByLabel('Find a conclusion, or ask');
    await field.fill('Where do I live?');
    await page.keyboard.press('Enter');
    const answer = page.locator('blockquote', { hasText: 'Lisbon' });
    await answer.waitFor();
    await assertLooks(page);
    await page
      .getByRole('listitem')
      .getByRole('link', { name: /Lisbon/ })
      .last()
      .press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
    await page.goBack();
    await field.fill('Which car did grandmother sell?');
    await answer.waitFor({ state: 'detached' });
    await press(page, 'Answer from memory');
    await page.getByText('Nothing that is remembered answers this.').waitFor();
    isQuiet(opened);
  });

  test('steps of the setup that were skipped are opened again, and that is taken back', async () => {
    const service = await InProcessService.start({ OLLAMA_HOST: NOWHERE });
    await using _ = { [Symbol.asyncDispose]: () => service.stop() };
    const steps = async () =>
      (await service.get<{ steps: { state: string }[] }>('/api/setup/status')).body.steps.map(
        ({ state }) => state,
      );
    await using opened = await openPage(`${service.url}/`);
    const { page } = opened;
    await page.getByText('No model can answer yet.').waitFor();
    await assertLooks(page);
    await page.getByRole('link', { name: 'Set one up' }).press('Enter');
    await press(page, 'Go on without a model');
    await press(page, 'Skip this step');
    await press(page, 'This machine is enough');
    await page.getByText('No step is open.').waitFor();
    assert.deepEqual(await steps(), ['skipped', 'skipped', 'done']);
    await press(page, 'Open all steps again');
    await agree(page, 'Open all steps again?', 'Open all steps again');
    await page.getByRole('button', { name: 'Try it' }).waitFor();
    assert.deepEqual(await steps(), ['open', 'open', 'open']);
    await assertLooks(page);
    await takeBack(page, 'The steps are open again');
    await page.getByText('No step is open.').waitFor();
    assert.deepEqual(await steps(), ['skipped', 'skipped', 'done']);
    isQuiet(opened);
  });
});

/** As much of Ollama as has a version and one model. */
const OLLAMA = (pid: string) => `#!${process.execPath}
require('node:fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid));
const [host, port] = process.env.OLLAMA_HOST.split(':');
const models = [{ name: 'own:latest', model: 'own:latest', size: 2e9, digest: 'd', details: {} }];
require('node:http')
  .createServer(({ url }, answer) => answer.end(JSON.stringify(url === '/api/tags' ? { models } : { version: '1' })))
  .listen(Number(port), host);
`;

/** A port that nobody listens on. */
const NOWHERE = 'http://127.0.0.1:9';
