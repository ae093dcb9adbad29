import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import shell from '../../dashboard/src/words/shell.en.ts';
import { says } from '../../src/demo/model/script.ts';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { bringBeliefs } from '../support/memories.ts';
import { modelledService } from '../support/modelledService.ts';
import { ROW } from '../support/places/place.ts';
import { places } from '../support/places.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const folder = temporaryFolder('browser-places');
const MOST_CLICKS = 3;

interface Walk {
  /** The link of what is gone through, where that is of one's own. */
  readonly row?: string;
  /** Typed into the field of this name before the last click. */
  readonly types?: readonly [field: string, text: string];
}

/** Of each page, what is farthest from its link: what it opens is a form or a question, else it is asked at once. */
const walks: Readonly<Record<'asks' | 'opens', Readonly<Record<string, Walk>>>> = {
  opens: {
    'DELETE /api/memory/conclusions/:id': {},
    'POST /api/memory/import': {},
    'DELETE /api/memory': {},
    'PUT /api/entities/:id': { row: 'Ann' },
    'DELETE /api/entities/:id': { row: 'Ann' },
    'DELETE /api/notifications/:id': {},
    'POST /api/notifications/channels': {},
    'PUT /api/notifications/channels/:id': {},
    'DELETE /api/notifications/channels/:id': {},
    'DELETE /api/scheduler/tasks/:taskId': {},
    'POST /api/workflows/:id/execute': { row: 'Tea' },
    'DELETE /api/webhooks/:id': {},
    'POST /api/credentials/clear-all': {},
    'POST /api/runner/pull': {},
    'PUT /api/slots': {},
    'POST /api/slots/auto-configure': {},
    'POST /api/slots/reset': {},
    'POST /api/devices/:id/rotate': {},
    'POST /api/devices/:id/link': {},
    'DELETE /api/devices/:id': {},
    'POST /api/system/reconnect-kvstore': {},
    'POST /api/system/reset-onboarding': {},
  },
  asks: {
    'GET /api/memory/export': {},
    'GET /api/memory/conclusions/:id/why': { row: 'The user drinks tea' },
    'POST /api/memory/ask': { types: ['Find a conclusion, or ask', 'What does the user drink?'] },
    'GET /api/memory/maintain/preview': {},
    'PUT /api/memory/contradictions/:id/:contradicts': {},
    'GET /api/entities/:id/neighbourhood': { row: 'Ann' },
    'PUT /api/notifications/:id': {},
    'POST /api/scheduler/tasks/:taskId/run': {},
    'PUT /api/scheduler/tasks/:taskId': {},
    'GET /api/webhooks/:id/deliveries': {},
    'POST /api/webhooks/:id/test': {},
    'GET /api/voice/stats': {},
    'PUT /api/devices/:id': {},
    'GET /api/users/:userId/preferences': {},
    'GET /api/system/capabilities': {},
    'DELETE /api/chat/sessions/:sessionId': {},
  },
};

/** In this order: what is asked for changes what can be opened. */
describe('whatever is farthest away', { ...skippedFor(browserIsMissing), shuffle: false }, () => {
  const set = modelledService({ SERVICE_DATA_DIR: folder });
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    ensureBuilt();
    opened = await openPage(`${set.service.url}/nowhere`);
    page = opened.page;
    await page.context().addInitScript(`
      window.clicks = 0;
      addEventListener('click', ({ isTrusted }) => { if (isTrusted) window.clicks += 1; }, true);
    `);
    await fill();
  });
  afterAll(async () => {
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
    await opened[Symbol.asyncDispose]();
  });

  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const { status, text, body: said } = await set.service.ask<never>('POST', path, { body, headers });
    assert.ok(status < 300, `${path}: ${status} ${text}`);
    return said;
  };

  async function fill(): Promise<void> {
    mkdirSync(join(folder, 'workflows'), { recursive: true });
    writeFileSync(join(folder, 'workflows/tea.yaml'), TEA, { mode: 0o600 });
    const token = await set.service.get<{ token: string }>('/api/setup-token');
    const claim = { 'x-setup-token': token.body.token };
    await post('/api/credentials', { providerId: 'provider-cloud-a', apiKey: 'key-of-cloud-a' }, claim);
    const skipped = { body: { state: 'skipped' }, headers: claim };
    assert.equal((await set.service.ask('PUT', '/api/setup/steps/reach', skipped)).status, 200);
    await bringBeliefs(set.service, [
      { id: 'tea', text: 'The user drinks tea' },
      { id: 'no-tea', text: 'The user drinks no tea', contradicts: ['tea'] },
    ]);
    const messages = [{ role: 'user', content: 'My friend Ann lives in Leeds.' }];
    const sessions = [{ id: 'brought', startedAt: Date.now() - 5_000, messages }];
    await post('/api/memory/import', { source: 'conversation', content: { sessions } });
    const settings = { url: 'http://127.0.0.1:9', topic: 'nobody-guesses' };
    await post('/api/notifications', { text: 'The tea is ready' });
    await post('/api/notifications/channels', {
      type: 'ntfy',
      name: 'Phone',
      settings: { ...settings, url: 'https://ntfy.example.org' },
    });
    await post('/api/scheduler/tasks', { name: 'Mum', text: 'Call mum', every: 'weekdays at 7:30' });
    await post('/api/webhooks', { url: 'https://hook.example.org', topics: ['tea.*'] });
    const device = { type: 'esp32', name: 'Lamp', capabilities: { buttons: true } };
    const { device: made } = (await post('/api/devices/register', device)) as { device: { id: string } };
    await set.service.put(`/api/devices/${made.id}`, { status: 'active' });
    set.models.script(says('Yes.'));
    await post('/api/chat', { text: 'Is it late?', sessionId: 'late' });
  }

  for (const [kind, all] of Object.entries(walks))
    for (const [name, walk] of Object.entries(all))
      test(`${kind} within three clicks: ${name}`, async () => {
        const [found] = Object.entries(places).flatMap(([at, its]) =>
          its.filter(({ asks }) => asks.includes(name)).map((place) => ({ at, by: place.by })),
        );
        assert.ok(found, 'it has a place');
        const [method = '', path = ''] = name.split(' ');
        const address = new RegExp(`${path.replaceAll(/:\w+/g, '[^/?]+')}(?:\\?|$)`);
        await page.goto(set.service.url);
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        const asked =
          kind === 'opens'
            ? undefined
            : page.waitForRequest((request) => request.method() === method && address.test(request.url()));
        // Where it never comes to be waited for, something else has failed.
        asked?.catch(() => undefined);
        const link = shell.names[found.at as keyof typeof places];
        await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: link, exact: true }).waitFor();
        for (const [index, step] of found.by.entries()) {
          if (walk.types && index === found.by.length - 1)
            await page.getByLabel(walk.types[0]).fill(walk.types[1]);
          await control(page, step === ROW ? (walk.row ?? '') : step).click();
        }
        await (asked ?? page.getByRole('dialog').waitFor());
        const clicks: number = await page.evaluate('clicks');
        assert.equal(clicks, 1 + found.by.length);
        assert.ok(clicks <= MOST_CLICKS);
      });
});

/** Whatever can be clicked whose name begins with this: a link, a button, a tab, an item of a menu, what unfolds. */
function control(page: Page, name: string) {
  const main = page.locator('main');
  const begins = new RegExp(`^\\W*${name.trim().replaceAll(/[.*+?()[\]\\]/g, '\\$&')}(?: |$)`);
  const [button, tab, item, link] = (['button', 'tab', 'menuitem', 'link'] as const).map((role) =>
    main.getByRole(role, { name: begins }),
  );
  assert.ok(button && tab && item && link);
  const unfolds = main.locator('summary').filter({ hasText: begins });
  return button.or(tab).or(item).or(link).or(unfolds).first();
}

const TEA = `
name: Tea
description: Has tea made
steps:
  - { id: steep, type: WAIT, duration: 1h }
`;
