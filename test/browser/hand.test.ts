import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserIsMissing } from '../support/browser.ts';
import { becomes, ensureBuilt, frames, keptBack } from '../support/dashboard.ts';
import { bringBeliefs } from '../support/memories.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const WAITS = 'What is new waits until your hand rests or leaves the list.';

/** The sentences of the rows, as they stand. */
const ORDER = '[...document.querySelectorAll(".rows > li .statement")].map((one) => one.textContent).join()';

describe('what lies under a hand', { ...skippedFor(browserIsMissing) }, () => {
  let service: InProcessService;
  beforeAll(async () => {
    ensureBuilt();
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterAll(() => service.stop());

  const state = (text: string) => service.ask('POST', '/api/memory/conclusions', { body: { text } });
  const notify = (text: string) => service.ask('POST', '/api/notifications', { body: { text } });
  /** Something is heard of memory, and the list is read anew. */
  const notifyOfMemory = () => state(`I like number ${++count}.`);
  let count = 0;
  const rowOf = (page: Page, text: string) => page.locator('.rows > li').filter({ hasText: text });
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
    await page.clock.install();
    await page.reload();
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
    await page.getByText(WAITS).waitFor({ state: 'detached' });
    // What comes now does not come of that any more.
    await page.clock.fastForward(2_500);
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

  test('what is typed in the place of what was forgotten meanwhile is kept, and added', async () => {
    await service.ask('DELETE', '/api/memory');
    await state('The user has a dog.');
    await using opened = await openPage(`${service.url}/memory`);
    const { page } = opened;
    await menuOf(rowOf(page, 'dog')).press('Enter');
    await page.getByRole('menuitem', { name: 'Correct' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'What is right' });
    await dialog.getByLabel('Sentence').fill('The user has a cat.');
    const { body } = await service.get<{ conclusions: { id: string }[] }>('/api/memory/conclusions');
    const ids = body.conclusions.map(({ id }) => id);
    await service.ask('POST', '/api/memory/conclusions/dismiss', { body: { ids } });
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('This was forgotten meanwhile.').waitFor();
    assert.equal(await dialog.getByLabel('Sentence').inputValue(), 'The user has a cat.');
    await page.keyboard.press('Enter');
    await rowOf(page, 'The user has a cat.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await rowOf(page, 'dog').count(), 0);
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

  test('rows stay under a finger that lies or scrolls, and a moment longer', async () => {
    await notify('The soup is hot');
    await using opened = await openPage(`${service.url}/notifications`);
    const { page } = opened;
    await page.clock.install();
    await page.reload();
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const row = rowOf(page, 'The soup is hot');
    const before = (await row.boundingBox()) ?? assert.fail('not drawn');
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    const [x, y] = [before.x + 20, before.y + 10];
    await touch('touchStart', x, y);
    await notify('The snow falls');
    await page.getByText(WAITS).waitFor();
    await touch('touchMove', x, y - 3);
    assert.deepEqual(await row.boundingBox(), before);
    await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 5_000'));
    assert.deepEqual(await row.boundingBox(), before);
    // It may come back to where it was.
    await touch('touchEnd');
    await page.clock.runFor(1_000);
    assert.deepEqual(await row.boundingBox(), before);
    await page.clock.runFor(3_000);
    await page.clock.resume();
    await rowOf(page, 'The snow falls').waitFor();
  });

  const pairs = async () => {
    await service.ask('DELETE', '/api/memory');
    await bringBeliefs(service, [
      { id: 'tea', text: 'I drink tea.' },
      { id: 'no-tea', text: 'I drink no tea.', contradicts: ['tea'] },
      { id: 'dog', text: 'I have a dog.' },
      { id: 'no-dog', text: 'I have no dog.', contradicts: ['dog'] },
    ]);
  };
  const openPairs = async () => {
    const { body } = await service.get<{ contradictions: { conclusions: { id: string; text: string }[] }[] }>(
      '/api/memory/contradictions?status=open',
    );
    return body.contradictions.map(({ conclusions: [one, other] }) => [one?.id, other?.id] as const);
  };

  test('a pair that is settled elsewhere stays, and an arrow decides no other in its place', async () => {
    await pairs();
    await using opened = await openPage(`${service.url}/contradictions`);
    const { page } = opened;
    await page.getByText('1 of 2').waitFor();
    const [[id, contradicts] = [], next] = await openPairs();
    const left = page.getByRole('region', { name: 'Left', exact: true });
    const shown = await left.locator('blockquote').textContent();
    // The moment in which it is seen that something has changed.
    await page.evaluate(`new MutationObserver((changes, self) => {
      self.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    }).observe(document.querySelector('.opposed-head [role=status]'), { characterData: true, childList: true, subtree: true })`);
    const settled = { decision: 'no-contradiction' };
    await service.ask('PUT', `/api/memory/contradictions/${id}/${contradicts}`, { body: settled });
    await page.getByText('It was settled elsewhere.').waitFor();
    assert.equal(await left.locator('blockquote').textContent(), shown);
    assert.equal(await page.getByRole('button', { name: /Keep left/ }).count(), 0);
    await page.keyboard.press('j');
    await page.getByText('1 of 1').waitFor();
    assert.deepEqual(await openPairs(), [next]);
  });

  test('a key that is held down, and a second click, decide one pair', async () => {
    await pairs();
    await using opened = await openPage(`${service.url}/contradictions`);
    const { page } = opened;
    await page.getByText('1 of 2').waitFor();
    await page.keyboard.down('ArrowUp');
    await page.getByText('1 of 1').waitFor();
    await page.keyboard.down('ArrowUp');
    const keep = page.getByRole('button', { name: /Keep left/ });
    await keep.focus();
    await page.keyboard.down('ArrowUp');
    await page.keyboard.up('ArrowUp');
    await keep.dispatchEvent('click', { detail: 2 });
    await frames(page);
    assert.equal((await openPairs()).length, 1);
    await page.keyboard.press('ArrowUp');
    await page.getByText('No contradictions').waitFor();
  });

  test('a decision that is taken back shows its pair again', async () => {
    await pairs();
    await using opened = await openPage(`${service.url}/contradictions`);
    const { page } = opened;
    await page.getByText('1 of 2').waitFor();
    const left = page.getByRole('region', { name: 'Left', exact: true }).locator('blockquote');
    const decided = await left.textContent();
    await page.keyboard.press('ArrowUp');
    await page.getByText('1 of 1').waitFor();
    assert.notEqual(await left.textContent(), decided);
    await page.getByRole('button', { name: /^Undo/ }).waitFor();
    await page.keyboard.press('u');
    await left.getByText(decided ?? '', { exact: true }).waitFor();
    await page.getByText(/^\d of 2/).waitFor();
    // It can be decided anew.
    await page.keyboard.press('ArrowUp');
    await page.getByText('1 of 1').waitFor();
    assert.notEqual(await left.textContent(), decided);
  });

  test('`u` means what was done last, also while that is under way', async () => {
    await service.ask('DELETE', '/api/memory');
    for (const text of ['I like tea.', 'I like rum.']) await state(text);
    await using opened = await openPage(`${service.url}/memory?order=newest`);
    const { page } = opened;
    const rows = page.getByRole('list', { name: 'Conclusions' }).getByRole('listitem');
    await rows.nth(1).waitFor();
    await rows.first().focus();
    await page.keyboard.press('x');
    await rows.nth(1).waitFor({ state: 'detached' });
    const undo = page.getByRole('button', { name: /^Undo/ });
    await undo.waitFor();
    const last = await rows.locator('.statement').textContent();
    const slow = await keptBack(page, '**/api/memory/conclusions/dismiss', '');
    await rows.first().focus();
    await page.keyboard.press('x');
    await slow.answered;
    await page.keyboard.press('u');
    slow.goesOn();
    await page.getByText('Undone').waitFor();
    await rows.first().waitFor();
    assert.deepEqual(await rows.locator('.statement').allTextContents(), [last]);
    assert.equal(await undo.count(), 1);
  });

  test('a key that forgets does not mean the row that came in the place of another', async () => {
    await service.ask('DELETE', '/api/memory');
    for (const text of ['I like tea.', 'I like rum.', 'I like ale.', 'I like gin.']) await state(text);
    await using opened = await openPage(`${service.url}/memory?order=newest`);
    const { page } = opened;
    const rows = page.getByRole('list', { name: 'Conclusions' }).getByRole('listitem');
    await rows.nth(3).waitFor();
    await rows.nth(1).focus();
    const { body } = await service.get<{ conclusions: { id: string; text: string }[] }>(
      '/api/memory/conclusions?order=newest',
    );
    const [, gone, next, last] = body.conclusions;
    await service.ask('POST', '/api/memory/conclusions/dismiss', { body: { ids: [gone?.id] } });
    await becomes(page, `document.activeElement.textContent.includes(${JSON.stringify(next?.text)})`);
    await page.keyboard.press('x');
    await page.getByText('The row that you were at is gone.').waitFor();
    assert.equal(await rows.count(), 3);
    await page.keyboard.press('x');
    await rows.nth(2).waitFor({ state: 'detached' });
    // Of those that one has forgotten oneself, the next is meant.
    await becomes(page, `document.activeElement.textContent.includes(${JSON.stringify(last?.text)})`);
    await page.keyboard.press('x');
    await rows.nth(1).waitFor({ state: 'detached' });
    assert.deepEqual(await rows.allTextContents().then((all) => all.length), 1);
  });

  test('what is told stays as long as a hand is on it, and where it is', async () => {
    await service.ask('DELETE', '/api/memory');
    for (const what of ['tea', 'rum', 'ale', 'gin', 'rye', 'sake']) await state(`I like ${what}.`);
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    await page.clock.install();
    await page.goto(`${service.url}/memory`);
    const rows = page.getByRole('list', { name: 'Conclusions' }).getByRole('listitem');
    await rows.nth(5).waitFor();
    await rows.first().focus();
    await page.keyboard.press('x');
    await rows.nth(5).waitFor({ state: 'detached' });
    const undo = page.getByRole('button', { name: /^Undo/ });
    await undo.hover();
    const before = await undo.boundingBox();
    await page.clock.fastForward(60_000);
    assert.deepEqual(await undo.boundingBox(), before);
    await rows.first().focus();
    await page.keyboard.press('x');
    await undo.nth(1).waitFor();
    assert.deepEqual(await undo.first().boundingBox(), before);
    for (let toasts = 2; toasts < 6; toasts++) {
      await rows.nth(6 - toasts).waitFor({ state: 'detached' });
      await rows.first().focus();
      await page.keyboard.press('x');
      await undo.nth(toasts).waitFor();
    }
    assert.deepEqual(await undo.first().boundingBox(), before);
    await page.getByRole('heading', { level: 1 }).hover();
    await page.clock.fastForward(60_000);
    await undo.first().waitFor({ state: 'detached' });
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
    const { body } = await service.get<{ conclusions: { text: string }[] }>(
      '/api/memory/conclusions?order=newest',
    );
    let shown = body.conclusions;
    await page.route('**/api/memory/conclusions?*', (route) =>
      route.fulfill({ json: { ...body, conclusions: shown } }),
    );
    await page.evaluate('window.left = 0; addEventListener("focusout", () => window.left++)');
    let focused = 0;
    for (const turn of [
      ([a, b, c]: typeof shown) => [c, b, a],
      ([a, b, c]: typeof shown) => [b, c, a],
      ([a, b, c]: typeof shown) => [c, a, b],
    ])
      for (const { text } of body.conclusions) {
        await rows.filter({ hasText: text }).getByRole('link', { name: 'Why' }).focus();
        focused++;
        shown = turn(shown).filter((one) => one !== undefined);
        await notifyOfMemory();
        await becomes(page, `${ORDER} === ${JSON.stringify(shown.map(({ text }) => text).join())}`);
        assert.equal(await page.evaluate('document.activeElement.textContent'), 'Why');
        const row: string = await page.evaluate('document.activeElement.closest("li").textContent');
        assert.ok(row.includes(text), `${text} ${row}`);
      }
    // Else nothing is shown by it: some of them left the page on their way, and the focus with them.
    assert.ok((await page.evaluate<number>('window.left')) > focused);
  });
});
