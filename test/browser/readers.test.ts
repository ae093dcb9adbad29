import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt, scrollsSideways, violationsOf } from '../support/dashboard.ts';
import { modelledService } from '../support/modelledService.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const NOTICE = 'Demo: a scripted model answers, no real one, and this sentence is long enough for two lines.';

/** What readers choose in their system, and what whoever runs the service wants them to see. */
describe('the wishes of readers', { ...skippedFor(browserIsMissing) }, () => {
  let opened: OpenPage;
  let page: Page;
  // Before the service ends: a page that has lost it complains.
  afterAll(async () => {
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
    await opened[Symbol.asyncDispose]();
  });
  const set = modelledService({ SERVICE_NOTICE: NOTICE });
  beforeAll(async () => {
    ensureBuilt();
    const ask = (path: string, body: object) => set.service.ask('POST', path, { body });
    for (const what of ['tea', 'coffee'])
      await ask('/api/memory/conclusions', { text: `The user likes ${what}.` });
    set.models.script(({ lastText }) => says(`Answer to ${lastText.slice(-20)}`));
    for (let n = 0; n < 12; n++) await ask('/api/chat', { text: `Question ${n}`, sessionId: 'long' });
    opened = await openPage(`${set.service.url}/nowhere`);
    page = opened.page;
  });

  /** Whether what is done to it changes what is drawn of it. */
  const shows = async (where: Locator, act: () => Promise<unknown>) => {
    const before = await where.screenshot();
    await act();
    return !before.equals(await where.screenshot());
  };

  test('forced colours: focus, choice, bars and state are still seen', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    await page.goto(`${set.service.url}/memory`);
    const row = page.getByRole('listitem').filter({ hasText: 'tea' });
    assert.ok(await shows(row, () => row.focus()), 'the row with the focus');
    assert.ok(await shows(row, () => row.getByRole('checkbox').check()), 'a row that is chosen');
    // Only whoever uses the keyboard is shown where the focus is.
    await page.keyboard.press('j');
    await page.locator('h1').focus();
    assert.ok(
      await shows(row, () => row.getByRole('link', { name: 'Why' }).focus()),
      'a link with the focus',
    );
    const tab = page.getByRole('tab', { name: 'Profile' });
    assert.ok(await shows(tab, () => tab.click().then(() => page.locator('h1').focus())), 'a tab');
    const place = page.getByRole('navigation').getByRole('link', { name: 'Events' });
    assert.ok(await shows(place, () => place.click().then(() => page.locator('h1').focus())), 'where one is');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'A page or an action' }).waitFor();
    const options = page.getByRole('dialog').getByRole('option');
    assert.ok(await shows(options.nth(1), () => page.keyboard.press('ArrowDown')), 'an option');
    await page.keyboard.press('Escape');
    assert.deepEqual(await violationsOf(page), []);

    await page.goto(`${set.service.url}/status`);
    await page.locator('.metric > summary').first().click();
    const drawn = await page.evaluate(
      `[...document.querySelectorAll('.bar')].map((bar) => getComputedStyle(bar).backgroundColor)`,
    );
    const paper = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    assert.ok(Array.isArray(drawn) && !drawn.includes(paper), `bars of ${drawn} on ${paper}`);
    const thumb = await page.getByRole('slider').screenshot();
    await page.getByRole('slider').press('Home');
    await page.getByText('You see the past').waitFor();
    assert.ok(!thumb.equals(await page.getByRole('slider').screenshot()), 'where the slider stands');
    assert.deepEqual(await violationsOf(page), []);
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  });

  test('reduced motion: nothing moves', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${set.service.url}/memory`);
    await page.getByRole('listitem').first().waitFor();
    const moving = await page.evaluate(`[...document.querySelectorAll('*')].filter((one) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
      return parseFloat(transitionDuration) > 0 || animationName !== 'none' || scrollBehavior === 'smooth';
    }).length`);
    assert.equal(moving, 0);
    await page.emulateMedia({ reducedMotion: null });
  });

  test('a notice stays in sight in a long chat, and covers nothing', async () => {
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(`${set.service.url}/chat/long`);
      await page.getByText('Question 11', { exact: true }).last().waitFor();
      await page.mouse.move(width - 50, 300);
      await page.mouse.wheel(0, -100_000);
      await page.mouse.wheel(0, 500);
      const notice = await boxOf(page.getByText(NOTICE));
      const mark = await boxOf(page.getByRole('link', { name: 'hark', exact: true }));
      assert.equal(notice.y, 0, `${width} px`);
      assert.ok(mark.y >= notice.height, `${width} px: ${mark.y} below ${notice.height}`);
      assert.equal(await scrollsSideways(page), false, `${width} px`);
    }
  });
});

async function boxOf(where: Locator) {
  return (await where.boundingBox()) ?? assert.fail('It is not shown');
}
