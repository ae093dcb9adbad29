import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { browserIsMissing } from '../support/browser.ts';
import {
  assertLooks,
  becomes,
  ensureBuilt,
  frames,
  scrollsSideways,
  violationsOf,
} from '../support/dashboard.ts';
import { InProcessService } from '../support/service.ts';
import { followRequests, settled } from '../support/settled.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

describe('the shell of the dashboard', { ...skippedFor(browserIsMissing) }, () => {
  beforeAll(ensureBuilt);

  test('asks for the key, says when it is wrong, and goes on with what was asked', async (t) => {
    const service = await InProcessService.start({ SERVICE_API_KEY: 'the-key-of-this-test' });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/status`);
    const { page } = opened;
    await page.getByLabel('API key').fill('another');
    await page.keyboard.press('Enter');
    await page.getByText('That is not the key.').waitFor();
    await page.getByLabel('API key').fill('the-key-of-this-test');
    await page.keyboard.press('Enter');
    await page.getByText('The service is healthy.').waitFor();
    await page.reload();
    await page.getByText('The service is healthy.').waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('is accessible, in light and dark, from 320 px, and quiet', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/status`);
    const { page } = opened;
    await page.getByText('The service is healthy.').waitFor();
    await assertLooks(page);
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('goes anywhere by the palette, and says what the keys do', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'What single keys do here' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 320, height: 600 });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'A page or an action' }).press('ArrowUp');
    // The last of them all, which is scrolled to.
    await page.getByRole('option', { name: 'Forget the key of this browser', selected: true }).waitFor();
    await becomes(
      page,
      `(() => {
        const [list, chosen] = ['.choices', '.choices [aria-selected=true]'].map((one) =>
          document.querySelector(one).getBoundingClientRect());
        return chosen.bottom <= list.bottom + 1;
      })()`,
    );
    const choice = page.getByRole('combobox', { name: 'A page or an action' });
    await choice.fill('nobody');
    // Of what is not there, whoever does not see it is told.
    await page.getByRole('status').getByText('Nothing has that name').waitFor();
    await choice.fill('heal');
    assert.equal(await scrollsSideways(page), false);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await page.waitForURL('**/status');
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('opens while the service is away, says so, and goes on by itself when that is back', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/status`, { isKept: true });
    const { page } = opened;
    await page.getByText('The service is healthy.').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    // The worker keeps what it has seen: from the second visit on.
    await page.reload();
    await page.getByText('The service is healthy.').waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('This device is offline. What you typed stays here.').waitFor();
    await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('The service is healthy.').waitFor();
  });

  test('opens in more tabs than a browser keeps connections: what nobody sees leaves its own to the others', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/docs`);
    const context = opened.page.context();
    // A browser without a window shows all tabs, so they are told that they are hidden as one with a window tells it.
    await context.addInitScript(
      "Object.defineProperty(document, 'hidden', { writable: true, value: false })",
    );
    const see = (tab: Page, isSeen: boolean) =>
      tab.evaluate(`document.hidden = ${!isSeen}; document.dispatchEvent(
        new Event('visibilitychange', { bubbles: true }))`);
    const tell = (text: string) => service.ask('POST', '/api/notifications', { body: { text } });
    const tabs: Page[] = [];
    for (let open = 1; open <= 8; open++) {
      const tab = await context.newPage();
      await tab.goto(`${service.url}/notifications`);
      await tab.getByText('No notifications yet').waitFor();
      tabs.push(tab);
      if (open < 8) await see(tab, false);
    }
    await tell('Heard at once');
    await tabs.at(-1)?.getByText('Heard at once').waitFor();
    const first = tabs[0] ?? assert.fail();
    assert.equal(await first.getByText('Heard at once').count(), 0);
    await see(first, true);
    await first.getByText('Heard at once').waitFor();
    assert.equal(await first.getByText('The service is away.').count(), 0);
    await tell('Heard again');
    await first.getByText('Heard again').waitFor();
    await see(first, false);
    await tell('Heard later');
    const asked: string[] = [];
    first.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await see(first, true);
    await first.getByText('Heard later').waitFor();
    assert.deepEqual(new Set(asked), new Set(['/api/events/stream', '/api/notifications']));
  });

  test('asks for nothing while nothing happens', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    await page.clock.install();
    followRequests(page);
    for (const [path, name] of [
      ['/', 'Chat'],
      ['/notifications', 'Notifications'],
      ['/providers', 'Providers and slots'],
      ['/status', 'Health'],
    ] as const) {
      const heard = page.waitForResponse('**/api/events/stream*');
      await page.goto(service.url + path);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await heard;
      await page.clock.runFor(5_000);
      await settled(page);
      const asked: string[] = [];
      const hear = (request: Request) => asked.push(request.url());
      page.on('request', hear);
      await page.clock.fastForward(60_000);
      await page.clock.runFor(60_000);
      await frames(page);
      page.off('request', hear);
      assert.deepEqual(asked, [], path);
    }
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('has the page of the API beside it, which works under the same policy', async (t) => {
    const service = await InProcessService.start({ SERVICE_NOTICE: 'A house of glass.' });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/docs`);
    const { page } = opened;
    await page.getByText('/api/settings').first().waitFor();
    assert.equal(await page.getByText('A house of glass.').count(), 1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violationsOf(page), [], colorScheme);
    }
    await page.getByRole('link', { name: 'hark', exact: true }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});
