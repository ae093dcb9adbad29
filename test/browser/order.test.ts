import assert from 'node:assert/strict';
import type { Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { says, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { browserIsMissing } from '../support/browser.ts';
import { ensureBuilt, frames, keptBack } from '../support/dashboard.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

describe('what a page shows, in whatever order it is told', { ...skippedFor(browserIsMissing) }, () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    ensureBuilt();
    models = await ScriptedModels.start();
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', ...providersAt(models) });
    await unsetBackgroundSlots(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const notify = (text: string) => service.ask('POST', '/api/notifications', { body: { text } });

  test('what happens after it was read and before anything is heard', async () => {
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    const goesOn = Promise.withResolvers<void>();
    await page.route('**/api/events/stream*', (route) => goesOn.promise.then(() => route.continue()));
    await page.goto(`${service.url}/notifications`);
    await page.getByText('No notifications yet').waitFor();
    await notify('The tea is ready');
    goesOn.resolve();
    await page.getByText('The tea is ready').waitFor();
  });

  test('what is heard while the log is read', async () => {
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const read = await keptBack(page, '**/api/events?*', '"events"');
    await page.goto(`${service.url}/events`);
    await read.answered;
    const heard = new Promise((resolve) => session.once('Network.dataReceived', resolve));
    await notify('And cold by now');
    await heard;
    read.goesOn();
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await rows.first().filter({ hasText: 'notification.created' }).waitFor();
    const { body } = await service.get<{ events: readonly unknown[] }>('/api/events?limit=1000');
    await rows.nth(body.events.length - 1).waitFor();
    assert.equal(await rows.count(), body.events.length);
  });

  test('an older answer that comes last', async () => {
    const consent = { deviceId: 'kitchen', enabled: true, consentLevel: 'passive' };
    assert.equal((await service.put('/api/capture/consent', consent)).status, 200);
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    await page.getByRole('heading', { level: 1 }).waitFor();
    const read = await keptBack(page, '**/api/capture/streams', '"active"');
    const body = { deviceId: 'kitchen', modalities: ['audio'] };
    const started = await service.ask<{ streamId: string }>('POST', '/api/capture/start', { body });
    const old = await read.answered;
    const isOld = (request: Request) => request === old;
    const over = Promise.race([
      page.waitForEvent('requestfinished', isOld),
      page.waitForEvent('requestfailed', isOld),
    ]);
    const again = page.waitForResponse('**/api/capture/streams');
    await service.ask('POST', '/api/capture/stop', { body: { streamId: started.body.streamId } });
    await again;
    read.goesOn();
    await over;
    await frames(page);
    await page.getByText('A device is recording.').waitFor({ state: 'detached' });
  });

  test('that a reply is running, where its end was told meanwhile', async () => {
    models.script(says('Tea.'));
    await service.ask('POST', '/api/chat', { body: { text: 'Tea or coffee?', sessionId: 'drinks' } });
    const gate = Promise.withResolvers<void>();
    models.script(says('Coffee, ', waits(gate.promise), 'today.'));
    await using opened = await openPage(`${service.url}/chat/drinks`);
    const { page } = opened;
    const thread = page.getByRole('list', { name: 'Conversation', exact: true });
    await thread.getByText('Tea.', { exact: true }).waitFor();
    const read = await keptBack(page, '**/api/chat/sessions/drinks/turns?*', '"running"');
    await page.getByRole('button', { name: 'Ask again', exact: true }).click();
    await read.answered;
    gate.resolve();
    await thread.getByText('Coffee, today.').waitFor();
    await page.locator('.turn [aria-busy=true]').waitFor({ state: 'detached' });
    const shown = page.waitForEvent('requestfinished', (request) => request.url().includes('/turns?'));
    read.goesOn();
    await shown;
    await frames(page);
    await page.locator('.turn [aria-busy=true]').waitFor({ state: 'detached' });
  });

  test('words that are marked, while a reply grows', async () => {
    const gate = Promise.withResolvers<void>();
    const lines = 'One line.\n\n'.repeat(60);
    models.script(says('The first half.\n\n', lines, waits(gate.promise), lines, 'The end.'));
    await using opened = await openPage(`${service.url}/chat/grows`);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me much');
    await page.keyboard.press('Enter');
    await page.getByText('One line.').nth(59).waitFor();
    await frames(page);
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('.reply p'))`);
    const before = await page.evaluate('scrollY');
    gate.resolve();
    await page.getByText('The end.').waitFor();
    await frames(page);
    assert.equal(await page.evaluate('scrollY'), before);
    assert.equal(await page.evaluate('String(getSelection())'), 'The first half.');
  });

  test('keys and dialogs work as soon as they are seen', async () => {
    await using opened = await openPage(`${service.url}/memory`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Add' }).waitFor();
    // An observer is told before anything else happens in the page.
    const pressed = page.evaluate(`new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        const dialog = document.querySelector('dialog');
        if (!dialog) return;
        observer.disconnect();
        resolve([dialog.open, document.activeElement.localName]);
      }).observe(document.body, { childList: true, subtree: true });
    })`);
    await page.getByRole('button', { name: 'Add' }).click();
    assert.deepEqual(await pressed, [true, 'textarea']);
    await page.keyboard.press('Escape');
    const found = page.evaluate(`new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('h1')?.textContent !== 'Entities') return;
        observer.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
        resolve(document.activeElement.type);
      }).observe(document.body, { childList: true, subtree: true });
    })`);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Entities' }).click();
    assert.equal(await found, 'search');
  });
});
