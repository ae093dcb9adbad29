import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserIsMissing } from '../support/browser.ts';
import { ensureBuilt, frames, keptBack } from '../support/dashboard.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const WAITS = 'What is new waits until the pointer rests or leaves the list.';

describe('what lies under a hand', { ...skippedFor(browserIsMissing) }, () => {
  let service: InProcessService;
  beforeAll(async () => {
    ensureBuilt();
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterAll(() => service.stop());

  const state = (text: string) => service.ask('POST', '/api/memory/conclusions', { body: { text } });
  const notify = (text: string) => service.ask('POST', '/api/notifications', { body: { text } });
  const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
  const menuOf = (row: Locator) => row.getByRole('button', { name: 'What can be done' });

  /** A pointer that lies still for seconds is not about to click. */
  const keepsMoving = (page: Page) =>
    page.evaluate("window.hand = setInterval(() => dispatchEvent(new PointerEvent('pointermove')), 100)");
  const rests = (page: Page) => page.evaluate('clearInterval(window.hand)');

  test('an open menu stays, though the row that it belongs to is not found any more', async () => {
    for (const text of ['The user has a dog.', 'The user has a cat.']) await state(text);
    await using opened = await openPage(`${service.url}/memory`);
    const { page } = opened;
    await rowOf(page, 'cat').waitFor();
    const found = await keptBack(page, '**/api/memory/conclusions?*', '"total":1');
    await page.getByLabel('Find').fill('cat');
    await found.answered;
    await menuOf(rowOf(page, 'dog')).click();
    const item = page.getByRole('menuitem', { name: 'Correct' });
    await item.waitFor();
    found.goesOn();
    await page.getByText(WAITS).waitFor();
    await item.click();
    await page.getByRole('dialog').getByText('The user has a dog.').waitFor();
    await page.keyboard.press('Escape');
    await rowOf(page, 'dog').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('list', { name: 'Conclusions' }).getByRole('listitem').count(), 1);
  });

  test('rows stay under the pointer while news come, and go as soon as the person acts', async () => {
    await notify('The tea is ready');
    await using opened = await openPage(`${service.url}/notifications`);
    const { page } = opened;
    const row = rowOf(page, 'The tea is ready');
    await row.hover();
    await keepsMoving(page);
    const before = await row.boundingBox();
    await notify('The post is here');
    await page.getByText(WAITS).waitFor();
    assert.deepEqual(await row.boundingBox(), before);
    await page.getByRole('heading', { level: 1 }).hover();
    await rowOf(page, 'The post is here').waitFor();
    await page.getByText(WAITS).waitFor({ state: 'detached' });
    await row.hover();
    await notify('The bell rings');
    await page.getByText(WAITS).waitFor();
    await rests(page);
    await row.getByRole('button', { name: 'What to do with it' }).click();
    await page.getByRole('menuitem', { name: 'Mark as read' }).click();
    await rowOf(page, 'The bell rings').waitFor();
    await row.locator('.unread').waitFor({ state: 'detached' });
    await row.hover();
    await keepsMoving(page);
    await notify('The rain is over');
    await page.getByText(WAITS).waitFor();
    await rests(page);
    await rowOf(page, 'The rain is over').waitFor();
  });

  test('what is typed in a dialog stays, though the device that it belongs to is gone', async () => {
    const body = { type: 'esp32', name: 'Lamp', capabilities: { buttons: true } };
    const made = await service.ask<{ device: { id: string } }>('POST', '/api/devices/register', { body });
    await using opened = await openPage(`${service.url}/devices`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Actions for Lamp' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('Lantern');
    await service.ask('DELETE', `/api/devices/${made.body.device.id}`);
    await page.getByText(WAITS).waitFor();
    assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Lantern');
    await page.keyboard.press('Escape');
    await page.getByText('No devices yet').waitFor();
  });

  test('the log does not run away from who points at it', async () => {
    await using opened = await openPage(`${service.url}/events`);
    const { page } = opened;
    const first = page.getByRole('list', { name: 'Events' }).getByRole('listitem').first();
    await first.hover();
    await keepsMoving(page);
    const text = await first.textContent();
    await notify('Nobody is in a hurry');
    await page.getByText(WAITS).waitFor();
    assert.equal(await first.textContent(), text);
    await page.getByRole('heading', { level: 1 }).hover();
    await first.filter({ hasText: text ?? '' }).waitFor({ state: 'detached' });
  });

  test('the focus goes with its row, wherever that is put', async () => {
    await service.ask('DELETE', '/api/memory');
    for (const text of ['I like tea.', 'I like rum.', 'I like ale.']) await state(text);
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    // Not every browser has it: then what is put elsewhere leaves the page for a moment.
    await page.addInitScript('delete Element.prototype.moveBefore');
    await page.goto(`${service.url}/memory?order=newest`);
    const rows = page.getByRole('list', { name: 'Conclusions' }).getByRole('listitem');
    await rows.nth(2).waitFor();
    await rows.last().getByRole('link', { name: 'Why' }).focus();
    const text = await rows.last().textContent();
    const { body } = await service.get<{ conclusions: unknown[] }>('/api/memory/conclusions?order=newest');
    const turned = { ...body, conclusions: body.conclusions.toReversed() };
    await page.route('**/api/memory/conclusions?*', (route) => route.fulfill({ json: turned }));
    await state('I like gin.');
    await rows
      .last()
      .filter({ hasText: text ?? '' })
      .waitFor();
    await frames(page);
    const focused = 'document.activeElement';
    assert.equal(await page.evaluate(`${focused}.closest('li').textContent`), text);
    assert.equal(await page.evaluate(`${focused}.textContent`), 'Why');
  });
});
