import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { fails, says } from '../../src/demo/model/script.ts';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { becomes, ensureBuilt } from '../support/dashboard.ts';
import { bringBeliefs } from '../support/memories.ts';
import { modelledService } from '../support/modelledService.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** Those that no other test of the pages presses, each by the keyboard, and what they did as the service tells it. */
describe('buttons that are seldom pressed', { ...skippedFor(browserIsMissing) }, () => {
  let opened: OpenPage;
  let page: Page;
  // Before the service ends: a page that has lost it complains.
  afterAll(async () => {
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
    await opened[Symbol.asyncDispose]();
  });
  const set = modelledService();
  beforeAll(async () => {
    ensureBuilt();
    const chat = { provider: 'cloud-a', model: 'claude-haiku-4-5', fallbacks: [] };
    await set.service.put('/api/slots', { slots: { chat } });
    opened = await openPage(`${set.service.url}/nowhere`);
    page = opened.page;
  });

  const goTo = (path: string) => page.goto(set.service.url + path);
  const press = (name: string | RegExp, where: Pick<Page, 'getByRole'> = page) =>
    where.getByRole('button', { name }).first().press('Enter');
  const choose = async (menu: string, item: string) => {
    await press(menu);
    await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
  };
  const agree = (title: string, action: string) => press(action, page.getByRole('dialog', { name: title }));
  /** What is behind it opens no menu until then. */
  const dialogIsGone = () => page.getByRole('dialog').waitFor({ state: 'hidden' });
  const tells = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const chainOf = async () => {
    const { body } = await set.service.get<{ slots: { chat: { model: string } | null } }>('/api/slots');
    return body.slots.chat?.model;
  };

  test('used-up credit is asked for again', async () => {
    set.models
      .script(fails('billing'), { provider: 'cloud-a' })
      .script(says('Yes.'), { provider: 'cloud-b' });
    await set.service.ask('POST', '/api/chat', { body: { text: 'Is there any credit?' } });
    await goTo('/providers');
    await tells('used up');
    set.models.reset();
    await press('Ask again Anthropic');
    await tells('Anthropic is asked again');
    await page.getByText(/^Credit: used up/).waitFor({ state: 'detached' });
  });

  test('slots are configured by rule, reset and unset, and each is taken back', async () => {
    await goTo('/providers?show=slots');
    const before = await chainOf();
    await press('Configure by rule');
    await agree('Configure all slots by rule?', 'Configure by rule');
    await tells(/^Configured/);
    await press(/^Undo/);
    await tells('Undone');
    assert.equal(await chainOf(), before);
    // Anew: what was told before would be told still.
    await goTo('/providers?show=slots');
    await press('Reset');
    await agree('Reset all slots?', 'Reset');
    await page.getByRole('status').getByText('Reset', { exact: true }).waitFor();
    await press(/^Undo/);
    await tells('Undone');
    assert.equal(await chainOf(), before);
    await press('Change Coding');
    await press('Unset', page.getByRole('dialog'));
    await press('Save', page.getByRole('dialog'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await goTo('/providers?show=catalog');
    await press('Fetch again');
    await tells('Fetched');
  });

  test('a model of speech is measured', async () => {
    await goTo('/models?q=flite');
    await press(/^Measure /);
    await page
      .getByRole('status', { name: 'Measured' })
      .getByText(/times as fast/)
      .waitFor({ timeout: 60_000 });
  });

  test('a channel is changed, and notifications are read all together and one by one', async () => {
    const settings = { url: 'https://ntfy.example.org', topic: 'nobody-guesses' };
    const body = { type: 'ntfy', name: 'Phone', settings };
    assert.equal((await set.service.ask('POST', '/api/notifications/channels', { body })).status, 201);
    await goTo('/notifications?show=channels');
    await press(/^Change$/);
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Tablet');
    await page.keyboard.press('Enter');
    await tells('Changed');
    await tells('Tablet');
    await page.getByRole('tab', { name: 'Received' }).click();
    await press('Tell yourself something');
    await page.getByRole('dialog').getByLabel('Text').fill('The tea is ready');
    await press('Send', page.getByRole('dialog'));
    await dialogIsGone();
    await tells('1 unread');
    await press('Mark all as read');
    await tells('0 unread');
    await choose('What to do with it', 'Mark as unread');
    await tells('1 unread');
  });

  test('beliefs are chosen and let go, filters cleared, a contradiction opened again', async () => {
    await bringBeliefs(set.service, [
      { id: 'tea', text: 'The user drinks tea' },
      { id: 'no-tea', text: 'The user drinks no tea', contradicts: ['tea'] },
      { id: 'old', text: 'The user may like jazz', status: 'pruned' },
    ]);
    await goTo('/contradictions');
    await press('Next contradiction');
    await press('Previous contradiction');
    await press(/Keep right/);
    await tells('No contradictions');
    await page.getByRole('tab', { name: 'Settled' }).click();
    await press(/^Undo/);
    await tells('Undone');
    await goTo('/contradictions');
    await press(/Not a contradiction/);
    await page.getByRole('tab', { name: 'Settled' }).click();
    await press('Open again');
    await tells('It is open again.');
    await goTo('/memory?status=pruned');
    await page.getByRole('checkbox').first().check();
    await press('Choose none');
    await page.getByRole('checkbox').first().check();
    await press('Restore the chosen');
    await tells('Nothing matches');
    await press('Clear the filters');
    await page.getByRole('button', { name: 'The user may like jazz' }).waitFor();
    await choose('Export, import, erase', 'Erase all memory…');
    await press('Close', page.getByRole('dialog'));
    await goTo('/last-night?show=otherwise&prune=0.9');
    await press('Back to the settings');
    await page.waitForURL((url) => !url.search.includes('prune'));
  });

  test('a device is renamed, gets a new secret, is let in again, and revoked', async () => {
    const body = { type: 'esp32', name: 'Lamp', capabilities: { buttons: true } };
    assert.equal((await set.service.ask('POST', '/api/devices/register', { body })).status, 201);
    await goTo('/devices');
    await press('Approve');
    await page.getByRole('dialog').waitFor();
    for (const box of await page.getByRole('dialog').getByRole('checkbox').all()) await box.check();
    await press('Approve', page.getByRole('dialog'));
    await dialogIsGone();
    await choose('Actions for Lamp', 'Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('Light');
    await page.keyboard.press('Enter');
    await dialogIsGone();
    await choose('Actions for Light', 'New secret');
    await agree('A new secret for “Light”?', 'New secret');
    await page.getByRole('dialog').locator('pre').waitFor();
    await page.keyboard.press('Escape');
    await dialogIsGone();
    // A menu that is open offers what it offered.
    await choose('Actions for Light', 'Suspend');
    await page.locator('.state.suspended').waitFor();
    await choose('Actions for Light', 'Let in again');
    await page.locator('.state.active').waitFor();
    await choose('Actions for Light', 'Revoke');
    await agree('Revoke “Light”?', 'Revoke');
    await tells('revoked');
  });

  test('a setting goes back to its default, another user is shown, a key is forgotten', async () => {
    await set.service.put('/api/settings', { voiceHalfDuplex: true });
    await goTo('/settings');
    await page.getByLabel('Find a setting').fill('halfduplex');
    await press('Back to the default');
    await press('Save');
    await agree('Save these settings?', 'Save');
    await tells('by default');
    await goTo('/settings?tab=browser');
    await page.getByLabel('User', { exact: true }).fill('ann');
    const shownAnew = page.waitForEvent('load');
    await press('Show this user');
    await shownAnew;
    assert.equal(await page.evaluate("localStorage.getItem('hark.user')"), 'ann');
    await page.evaluate("localStorage.clear(); localStorage.setItem('hark.key', 'old')");
    const openedAnew = page.waitForEvent('load');
    await press('Forget the key of this browser');
    await openedAnew;
    assert.equal(await page.evaluate("localStorage.getItem('hark.key')"), null);
  });

  test('a conversation is ended, and a message that was refused is sent again or taken back', async () => {
    set.models.script(() => says('Yes.'));
    await set.service.ask('POST', '/api/chat', { body: { text: 'Is it late?', sessionId: 'late' } });
    await goTo('/chat/late');
    await choose('Actions of this conversation', 'End it');
    await tells('The conversation has ended');
    let isRefused = true;
    await page.route('**/api/chat/stream', (route) =>
      isRefused
        ? route.fulfill({ status: 400, contentType: 'application/json', body: '{"error":"Not this"}' })
        : route.continue(),
    );
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('Say it again');
    await press('Send');
    await press('Back to the message field');
    await becomes(page, "document.querySelector('textarea').value === 'Say it again'");
    await press('Send');
    await page.getByRole('button', { name: 'Send it again' }).waitFor();
    isRefused = false;
    await press('Send it again');
    await page.getByRole('list', { name: 'Conversation', exact: true }).getByText('Yes.').nth(1).waitFor();
    await page.unroute('**/api/chat/stream');
  });

  test('the bar of time goes by its buttons, figures are read again', async () => {
    await goTo('/status');
    await press('One change back');
    await tells('You see the past');
    await press('One change forward');
    await page.getByText('You see the past').waitFor({ state: 'detached' });
    await press('Read again');
    await tells('Every part of the service');
  });
});
