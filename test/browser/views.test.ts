import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { calls, says, thinks } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { ariaOf, assertAria } from '../support/ariaSnapshots.ts';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt, scrollsSideways } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { bringBeliefs } from '../support/memories.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';
import { followRequests, settled } from '../support/settled.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const snapshots = join(import.meta.dirname, 'snapshots');
const folder = temporaryFolder('browser-views');
/** Markup, a change of direction, what has no width, and a line without end. */
const HOSTILE = `<img src=x onerror=alert(1)> \u202egnp.exe\u202c \u200b${'x'.repeat(200)}`;

/** Each page, and each of its views that an address opens. What differs from run to run is in no name here. */
const views = {
  chat: '/',
  conversation: '/chat/seen',
  memory: '/memory',
  'memory-found': '/memory?q=tea',
  'memory-replaced': '/memory?status=merged&order=newest',
  episodes: '/memory?tab=episodes',
  profile: '/memory?tab=profile',
  why: '/why',
  'why-found': '/why?q=tea',
  'why-one': '/why/tea',
  'last-night': '/last-night',
  'last-night-otherwise': '/last-night?show=otherwise&prune=0.9',
  contradictions: '/contradictions',
  'contradictions-settled': '/contradictions?show=settled',
  entities: '/entities',
  'entities-places': '/entities?type=place',
  notifications: '/notifications',
  'notifications-unread': '/notifications?unread=true',
  channels: '/notifications?show=channels',
  schedules: '/schedules',
  'schedules-paused': '/schedules?status=paused',
  schedule: '/schedules/TASK',
  workflows: '/workflows',
  workflow: '/workflows/tea',
  webhooks: '/webhooks',
  'tool-servers': '/tool-servers',
  providers: '/providers',
  slots: '/providers?show=slots',
  catalog: '/providers?show=catalog&q=haiku',
  spend: '/spend',
  'spend-by-session': '/spend?days=400&by=session',
  models: '/models?q=flite',
  devices: '/devices',
  capture: '/capture',
  events: '/events?topics=notification.*',
  'events-one': '/events?topics=notification.*&event=EVENT',
  settings: '/settings',
  preferences: '/settings?tab=you',
  browser: '/settings?tab=browser',
  health: '/status',
  setup: '/setup',
  nowhere: '/nowhere',
} as const;

/** Pages go by the date of answers: these by the clock that stands still here, an hour after what was done. */
const OWN_CLOCK = `{
  const { get } = Headers.prototype;
  Headers.prototype.get = function (name) { return name === 'date' ? null : get.call(this, name); };
}`;

describe('each view of the dashboard', { ...skippedFor(browserIsMissing) }, () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let opened: OpenPage;
  let page: Page;
  const known = { TASK: '', EVENT: '' };
  const visit = async (path: string, where = page) => {
    await where.goto(service.url + path.replace(/TASK|EVENT/, (name) => known[name as keyof typeof known]));
    await settled(where);
  };

  beforeAll(async () => {
    ensureBuilt();
    mkdirSync(join(folder, 'workflows'));
    writeFileSync(join(folder, 'workflows/tea.yaml'), TEA, { mode: 0o600 });
    models = await ScriptedModels.start();
    service = await InProcessService.start({
      ...{ SERVICE_DATA_DIR: folder, API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' },
      ...providersAt(models),
    });
    await unsetBackgroundSlots(service);
    Object.assign(known, await fill(service, models));
    // The zone of the browser is offered where it is another than that of the service.
    opened = await openPage(`${service.url}/nowhere`, { timezoneId: 'UTC' });
    page = opened.page;
    followRequests(page);
    await page.clock.setFixedTime(TEST_NOW + 3_600_000);
    await page.addInitScript(OWN_CLOCK);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await service?.stop();
    await models?.stop();
  });

  test('is told to a screen reader as it was looked at, opens by its address, and back leads to it', async () => {
    for (const [name, path] of Object.entries(views)) {
      await visit(path);
      await assertAria(page.locator('main'), join(snapshots, `${name}.yaml`));
      assert.deepEqual(await page.evaluate(UNNAMED), [], path);
      // What others wrote says what it hides, and nothing of it is run or loaded.
      assert.deepEqual(await page.evaluate(HIDDEN), [], path);
      assert.equal(await page.locator('main :is(script, img:not([src^="data:"]))').count(), 0, path);
      const before = await ariaOf(page.locator('main'));
      // Behind a dialog nothing is gone to.
      if (path.includes('event=')) continue;
      await page.getByRole('link', { name: 'hark', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Chat' }).waitFor();
      await page.goBack();
      await settled(page);
      assert.equal(await ariaOf(page.locator('main')), before, `back to ${path}`);
    }
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('is all German where German is wished, and fits from 320 px', async () => {
    const context = await page.context().browser()?.newContext({ locale: 'de-DE' });
    const german = (await context?.newPage()) ?? assert.fail('no browser');
    followRequests(german);
    const english: string[] = [];
    for (const path of Object.values(views)) {
      for (const width of [1440, 320]) {
        await german.setViewportSize({ width, height: 900 });
        if (width === 1440) await visit(path, german);
        assert.equal(await scrollsSideways(german), false, `${path}, ${width} px`);
        assert.deepEqual(await german.evaluate(CUT_OFF), [], `${path}, ${width} px`);
      }
      const found: readonly string[] = await german.evaluate(ENGLISH);
      english.push(...found.map((text) => `${path}: ${text}`));
    }
    assert.deepEqual(english, []);
    await visit('/why/tea', german);
    assert.match(await german.locator('main').innerText(), /14\.11\.2023/);
    await context?.close();
  });
});

/** Texts, names and titles of the page that have something in them that is not seen. */
const HIDDEN = `(() => {
  const unseen = /[\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069]/;
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    else for (const { name, value } of node.attributes) if (name !== 'value') texts.push(name + '=' + value);
  }
  return texts.filter((text) => unseen.test(text));
})()`;

/**
 * What is not told apart by whoever hears names alone: what two rows both offer, unless it leads to one place; tables
 * without a name; and a heading before that of the page.
 */
const UNNAMED = `(() => {
  const nameOf = (one) =>
    (one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent) + ' ' + one.ariaDescription;
  const seen = new Map();
  const found = [];
  for (const one of document.querySelectorAll('main li :is(a, button, input)')) {
    if (one.closest('[popover], .markdown, .row-title')) continue;
    const name = one.tagName + ' ' + nameOf(one);
    const to = one.href ?? one.closest('li');
    if ((seen.get(name) ?? to) !== to) found.push(name);
    seen.set(name, to);
  }
  for (const table of document.querySelectorAll('main table'))
    if (!table.closest('.markdown') && !table.ariaLabel && !table.caption) found.push(table.innerText);
  if (document.querySelector('h1, h2, h3')?.tagName !== 'H1') found.push('the first heading');
  return found;
})()`;

/** Buttons, tabs and headings whose words do not fit into them. */
const CUT_OFF = `[...document.querySelectorAll(':is(button, select, h1, h2, h3, th, label, a):not(.hidden-text)')]
  .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).overflow !== 'visible' || one.scrollWidth > innerWidth)
  .map((one) => one.outerHTML.slice(0, 200))`;

/** Words of the page itself in which an English one is left; what others wrote, and what is code, is theirs. */
const ENGLISH = `(() => {
  const english = /\\b(the|and|of|is|are|not|your|you|with|without|what|which|from|this|that|yet|has|have|its|it)\\b/i;
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest('bdi, code, pre, kbd, [lang=en], .markdown, script, style, noscript')) continue;
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(element.getAttribute(name) ?? '');
  }
  // Names of buttons and links may name what somebody said.
  return found.filter((text) => english.test(text) && !/The user|<img|My friend/.test(text));
})()`;

async function fill(service: InProcessService, models: ScriptedModels) {
  await bringBeliefs(service, [
    { id: 'tea', text: 'The user drinks tea', at: TEST_NOW - 9_000 },
    { id: 'no-tea', text: `The user drinks no tea ${HOSTILE}`, contradicts: ['tea'], at: TEST_NOW - 8_000 },
    {
      id: 'was',
      text: 'The user lives in Bergen',
      status: 'merged',
      supersededBy: 'is',
      at: TEST_NOW - 7_000,
    },
    { id: 'is', text: 'The user lives in Oslo', at: TEST_NOW - 6_000 },
  ]);
  const messages = [
    { role: 'user', content: `My friend Ann<script>alert(1)</script> lives in Leeds. ${HOSTILE}` },
  ];
  const content = { sessions: [{ id: 'brought', startedAt: TEST_NOW - 5_000, messages }] };
  await post(service, '/api/memory/import', { source: 'conversation', content });
  await service.put('/api/memory/profile', { name: HOSTILE, patterns: [HOSTILE] });
  for (const title of ['Tea', HOSTILE.slice(0, 60)])
    await post(service, '/api/notifications', { title, text: `It is ready ${HOSTILE}` });
  const task = { name: `Mum ${HOSTILE}`.slice(0, 150), text: HOSTILE, every: 'weekdays at 7:30' };
  const { task: made } = await post<{ task: { id: string } }>(service, '/api/scheduler/tasks', task);
  await post(service, '/api/webhooks', { url: 'https://example.com/hook', topics: ['tea.*'] });
  const device = { type: 'esp32', name: `Lamp ${HOSTILE}`.slice(0, 100), capabilities: { buttons: true } };
  await post(service, '/api/devices/register', device);
  models.script([
    says(thinks(`I look. ${HOSTILE}`), calls('system_health', {}, 'call-1')),
    says(`All is well. ${HOSTILE}`),
  ]);
  await post(service, '/api/chat', { text: `How are you? ${HOSTILE}`, sessionId: 'seen' });
  const log = await service.get<{ events: { position: number }[] }>('/api/events?type=notification.created');
  return { TASK: made.id, EVENT: String(log.body.events[0]?.position) };
}

async function post<Body = unknown>(service: InProcessService, path: string, sent: unknown): Promise<Body> {
  const { status, text, body } = await service.ask<Body>('POST', path, { body: sent });
  assert.ok(status < 300, `${path}: ${status} ${text}`);
  return body;
}

const TEA = `
name: Tea
description: Has tea made
steps:
  - { id: steep, type: WAIT, duration: 1h }
  - { id: ready, type: EVENT, topic: tea.ready }
`;
