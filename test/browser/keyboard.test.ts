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
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});

/** On to what has this name or these words. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses++) {
    await page.keyboard.press(key);
    const focused: string = await page.evaluate(`(() => {
      const { ariaLabel, labels, textContent } = document.activeElement;
      return (ariaLabel || labels?.[0]?.textContent || textContent).trim();
    })()`);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  assert.fail(`No ${key} leads to ${name}`);
}
