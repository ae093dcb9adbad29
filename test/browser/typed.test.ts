import assert from 'node:assert/strict';
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { bringBeliefs } from '../support/memories.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** What is typed or chosen stands, whatever is answered, heard or refused meanwhile. */
describe('what is typed', { ...skippedFor(browserIsMissing) }, () => {
  let service: InProcessService;
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    ensureBuilt();
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
    opened = await openPage(`${service.url}/status`);
    page = opened.page;
  });
  afterEach(async () => {
    await page.unrouteAll();
    assert.deepEqual([opened.complaints.splice(0), opened.elsewhere], [[], []]);
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await service?.stop();
  });

  const visit = (path: string) => page.goto(service.url + path);
  const becomes = async (field: Locator, value: string) => {
    const element = await field.elementHandle();
    await page.waitForFunction(([one, wanted]) => one?.value === wanted, [element, value] as const);
  };
  const put = (path: string, body: object) => service.ask('PUT', path, { body });

  test('in a setting stays a number while it is typed, and what is changed during a save', async () => {
    const save = await held(page, 'PUT', '/api/settings');
    await visit('/settings');
    const number = page.getByRole('spinbutton', { name: 'pruneConfidenceThreshold' });
    await number.fill('');
    await number.pressSequentially('0.05');
    assert.equal(await number.inputValue(), '0.05');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const asked = await save.asked;
    await page.getByRole('switch', { name: 'voiceHalfDuplex' }).check();
    await asked.continue();
    await page.getByText(/^Saved/).waitFor();
    assert.equal(await page.getByRole('switch', { name: 'voiceHalfDuplex' }).isChecked(), true);
    assert.equal(await page.getByRole('button', { name: 'Save' }).isEnabled(), true);
  });

  test('of a preference stays when another is read, and when none can be', async () => {
    await visit('/settings?tab=you');
    const zone = page.getByLabel('Time zone');
    await zone.fill('Europe/Os');
    await put('/api/users/default/preferences', { timezone: 'Europe/Paris', locale: 'nb' });
    await becomes(page.getByLabel('Locale'), 'nb');
    assert.equal(await zone.inputValue(), 'Europe/Os');
    await page.route('**/api/users/me/preferences*', refused);
    await put('/api/users/default/preferences', { locale: 'fi' });
    await page.getByText('That did not work').first().waitFor();
    assert.equal(await zone.inputValue(), 'Europe/Os');
  });

  test('is not shown as if it counted when it was refused', async () => {
    await visit('/settings?tab=you');
    const kept = page.getByRole('switch', { name: 'Remember what I say' });
    const before = await kept.isChecked();
    await page.route('**/api/users/me/preferences*', refused);
    await kept.click();
    await page.getByText('That did not work').first().waitFor();
    assert.equal(await kept.isChecked(), before);
    await visit('/providers?show=slots');
    const strategy = page.getByLabel('When credit is used up');
    const was = await strategy.inputValue();
    await strategy.selectOption('none');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await becomes(strategy, was);
  });

  test('in the profile while it is saved is there when it is', async () => {
    const save = await held(page, 'PUT', '/api/memory/profile');
    await visit('/memory?tab=profile');
    const name = page.getByLabel('Name');
    await name.fill('Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    const asked = await save.asked;
    await name.fill('Ada Lovelace');
    await asked.continue();
    await page.getByText('Profile saved').waitFor();
    await put('/api/memory/profile', { communicationStyle: 'short' });
    await becomes(page.getByLabel('How hark should talk to you'), 'short');
    assert.equal(await name.inputValue(), 'Ada Lovelace');
  });

  test('of how long to forget is what is forgotten, and of whom consent is asked stays', async () => {
    const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
    // They are asked for again when the page hears events: none of that is answered yet.
    await page.route('**/api/devices*', async (route) => {
      await free;
      await route.continue();
    });
    await visit('/capture');
    const minutes = page.getByLabel('Minutes');
    await minutes.fill('');
    await minutes.pressSequentially('45');
    assert.equal(await minutes.inputValue(), '45');
    assert.equal(await page.getByLabel('Device').count(), 0);
    letGo();
    await page.getByLabel('Id of the device').fill('kitchen');
    assert.equal((await service.ask('POST', '/api/devices/register', { body: PORCH })).status, 201);
    await page.getByRole('option', { name: 'porch' }).waitFor({ state: 'attached' });
    assert.equal(await page.getByLabel('Id of the device').inputValue(), 'kitchen');
  });

  test('at a step of the setup stays when another becomes the next', async () => {
    await visit('/setup');
    await page.getByLabel('Its key').fill('half a key');
    const { body } = await service.ask<{ token: string }>('POST', '/api/setup-token');
    const skip = { headers: { 'x-setup-token': body.token }, body: { state: 'skipped' } };
    assert.equal((await service.ask('PUT', '/api/setup/steps/model', skip)).status, 200);
    await page.getByText('skipped', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Its key').inputValue(), 'half a key');
  });

  test('is added once, however often it is sent', async () => {
    const add = await held(page, 'POST', '/api/memory/conclusions');
    await visit('/memory');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Sentence').fill('I play chess.');
    await page.keyboard.press('Enter');
    const asked = await add.asked;
    await page.keyboard.press('Enter');
    await asked.continue();
    await page.getByRole('button', { name: 'I play chess.' }).waitFor();
    assert.equal(add.count(), 1);
  });

  test('and chosen stays chosen while others are let go; the focus goes to the next', async () => {
    for (const what of ['tea', 'milk', 'wine', 'soup'])
      await service.ask('POST', '/api/memory/conclusions', { body: { text: `The user likes ${what}` } });
    const gone = await held(page, 'POST', '/api/memory/conclusions/dismiss');
    await visit('/memory?q=likes');
    const row = (what: string) => page.getByRole('listitem').filter({ hasText: what });
    await row('tea').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Forget the chosen' }).click();
    const asked = await gone.asked;
    await row('milk').getByRole('checkbox').check();
    await asked.continue();
    await row('tea').waitFor({ state: 'detached' });
    assert.equal(await row('milk').getByRole('checkbox').isChecked(), true);
    const rows = page.getByRole('list', { name: 'Conclusions' }).getByRole('listitem');
    const next = await rows.nth(2).textContent();
    await rows.nth(1).focus();
    await page.keyboard.press('x');
    await rows.nth(2).waitFor({ state: 'detached' });
    await page.waitForFunction('document.activeElement.classList.contains("row")');
    assert.equal(await page.locator('.row:focus').textContent(), next);
  });

  test('of an entity stays while it cannot be read', async () => {
    const messages = [{ role: 'user', content: 'My friend Bobby plays the cello.' }];
    const content = { sessions: [{ id: 'bobby', startedAt: 1_699_000_000_000, messages }] };
    await service.ask('POST', '/api/memory/import', { body: { source: 'conversation', content } });
    await visit('/entities');
    await page.getByRole('link', { name: 'Bobby' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bobby' }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Name', { exact: true }).fill('Robert');
    const read = page.waitForRequest(/\/api\/entities\/[^/]+$/);
    await page.route(/\/api\/entities\/[^/]+$/, refused);
    const more = { sessions: [{ id: 'again', startedAt: 1_699_000_001_000, messages }] };
    await service.ask('POST', '/api/memory/import', { body: { source: 'conversation', content: more } });
    await read;
    await page.getByText('That did not work').first().waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Robert');
  });

  test('is decided of the pair that is looked at, whichever is found meanwhile', async () => {
    await bringBeliefs(service, [
      { id: 'tea', text: 'The user drinks tea', at: 1_000 },
      { id: 'no-tea', text: 'The user drinks no tea', contradicts: ['tea'], at: 2_000 },
    ]);
    await visit('/contradictions');
    await page.getByText('The user drinks tea').waitFor();
    await bringBeliefs(service, [
      { id: 'meat', text: 'The user eats meat', at: 3_000 },
      { id: 'no-meat', text: 'The user eats no meat', contradicts: ['meat'], at: 4_000 },
    ]);
    await page.getByText(/of 2/).waitFor();
    await page.getByText('The user drinks tea').waitFor();
  });
});

const refused = (route: Route) => route.fulfill({ status: 503, json: { error: 'Not now', retryAfter: 60 } });

const PORCH = { name: 'porch', type: 'custom', capabilities: {} };

/** Holds the first request of this kind until it is continued; those after it are counted. */
async function held(page: Page, method: string, path: string) {
  let all = 0;
  const { promise: asked, resolve } = Promise.withResolvers<Route>();
  await page.route(`**${path}`, (route) => {
    if (route.request().method() !== method) return route.fallback();
    all++;
    if (all > 1) return route.continue();
    resolve(route);
  });
  return { asked, count: () => all };
}
