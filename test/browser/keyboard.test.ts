import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { browserIsMissing } from '../support/browser.ts';
import { becomes, ensureBuilt } from '../support/dashboard.ts';
import { modelledService } from '../support/modelledService.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const MOST_TABS = 80;

/** Nothing is clicked and nothing is focused but by the keys that a person has. */
describe('the keyboard alone', { ...skippedFor(browserIsMissing) }, () => {
  const set = modelledService();
  beforeAll(ensureBuilt);

  test('says something, corrects what was recalled, asks why, takes it back, and finds another page', async () => {
    const body = { text: 'The user lives in Lisbon.' };
    await set.service.ask('POST', '/api/memory/conclusions', { body });
    set.models.script(says('In Lisbon, I think.'));
    await using opened = await openPage(set.service.url);
    const { page } = opened;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tabTo(page, 'Message');
    await page.keyboard.type('Where in Lisbon do I live?');
    await page.keyboard.press('Enter');
    await page.locator('.receipt').waitFor();
    await tabTo(page, /^Receipt of this reply/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'This is wrong' }).waitFor();
    await tabTo(page, 'This is wrong');
    await page.keyboard.press('Enter');
    await tabTo(page, 'What is right instead');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('The user lives in Porto.');
    await tabTo(page, 'Correct it');
    await page.keyboard.press('Enter');
    await page.getByText('Corrected: this is believed from now on.').waitFor();
    await tabTo(page, /^Undo/);
    await page.keyboard.press('Enter');
    await page.getByText('Undone').waitFor();

    await page.keyboard.press('Control+k');
    await becomes(page, "document.activeElement.getAttribute('role') === 'combobox'");
    await page.keyboard.type('memory');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
    await page.getByRole('button', { name: 'The user lives in Lisbon.' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('w');
    await page.waitForURL(/\/why\//);
    await page.getByRole('heading', { name: 'What it rests on' }).waitFor();
    await becomes(
      page,
      "document.activeElement.tagName === 'H1' && document.activeElement.textContent === 'Why'",
    );
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('goes on where it was when a dialog has done what it is for', async () => {
    for (const text of ['I own a kite.', 'I own a boat.'])
      await set.service.ask('POST', '/api/memory/conclusions', { body: { text } });
    await using opened = await openPage(`${set.service.url}/memory?q=own`);
    const { page } = opened;
    const rows = page.getByRole('list', { name: 'Conclusions' }).getByRole('listitem');
    const closes = () => page.getByRole('dialog').waitFor({ state: 'detached' });
    await rows.nth(1).waitFor();
    await tabTo(page, 'Add');
    await page.keyboard.press('Enter');
    await page.keyboard.type('I own a sledge.');
    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    await closes();
    assert.equal(await focused(page), 'Add');
    await rows.nth(2).waitFor();
    // The row goes while the dialog is open: the focus is on the one in its place.
    await page.keyboard.press('j');
    await tabTo(page, 'What can be done');
    await page.keyboard.press('Enter');
    await becomes(page, "document.activeElement.role === 'menuitem'");
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Erase for good', exact: true, disabled: false }).waitFor();
    await tabTo(page, 'Erase for good');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Receipt' }).waitFor();
    await rows.nth(2).waitFor({ state: 'detached' });
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await closes();
    await becomes(page, "document.activeElement.matches('.rows > li')");
    await page.goto(`${set.service.url}/events?topics=memory.*`);
    await page.getByRole('list', { name: 'Events' }).getByRole('listitem').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const row = await focused(page);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await closes();
    assert.equal(await focused(page), row);
    await page.goForward();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await closes();
    assert.equal(await focused(page), row);
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('reaches what is told while a dialog is open, and no question outlives its page', async () => {
    await set.service.ask('POST', '/api/notifications', { body: { text: 'The tea is ready' } });
    await using opened = await openPage(`${set.service.url}/webhooks`);
    const { page } = opened;
    await tabTo(page, 'Add a webhook');
    await page.keyboard.press('Enter');
    await page.keyboard.type('http://127.0.0.1:9/hook');
    await tabTo(page, 'Topics');
    await page.keyboard.type('tea.*');
    await tabTo(page, 'Add');
    await page.keyboard.press('Enter');
    const told = page.getByRole('dialog').getByRole('status').getByText('That did not work');
    await told.waitFor();
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    await told.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const [key, name] of [
      ['?', 'What single keys do here'],
      ['Control+k', 'Go to or do'],
      ['x', 'Erase this notification'],
    ] as const) {
      await page.getByRole('link', { name: 'Notifications' }).press('Enter');
      await page.getByText('The tea is ready').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.goForward();
    await page.getByText('The tea is ready').waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});

/** The name or the words of what has the focus. */
const FOCUSED = `(() => {
  const { ariaLabel, labels, textContent } = document.activeElement;
  return (ariaLabel || labels?.[0]?.textContent || textContent).trim();
})()`;
const focused = (page: Page) => page.evaluate<string>(FOCUSED);

/** On to what has this name or these words. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses++) {
    await page.keyboard.press(key);
    const found = await focused(page);
    if (typeof name === 'string' ? found === name : name.test(found)) return;
  }
  assert.fail(`No ${key} leads to ${name}`);
}
