import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt, scrollsSideways, takeBack, violationsOf } from '../support/dashboard.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** Markup, a change of direction, what has no width, and a line without end. */
const HOSTILE = `<img src=x onerror=alert(1)> \u202egnp.exe\u200b ${'x'.repeat(3_000)}`;

/** In this order: what is scheduled comes after nothing was. */
describe('the pages of what is done', { ...skippedFor(browserIsMissing), shuffle: false }, () => {
  let service: InProcessService;
  let opened: OpenPage;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'hark-doing-'));
  const receiver = createServer((_request, response) => response.writeHead(204).end());

  beforeAll(async () => {
    ensureBuilt();
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    mkdirSync(join(folder, 'workflows'));
    writeFileSync(join(folder, 'workflows/tea.yaml'), TEA, { mode: 0o600 });
    const program = join(import.meta.dirname, '../support/stdioToolServer.ts');
    const spec = { name: 'program', prefix: 'program', command: process.execPath, args: [program] };
    writeFileSync(join(folder, 'tool-servers.json'), JSON.stringify({ servers: [spec] }), { mode: 0o600 });
    service = await InProcessService.start({
      API_RATE_LIMIT: '100000',
      SERVICE_DATA_DIR: folder,
      SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    opened = await openPage(`${service.url}/notifications`);
    page = opened.page;
  });
  beforeEach(() => {
    opened.complaints.length = 0;
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await service?.stop();
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const goTo = (path: string) => page.goto(service.url + path);

  test('notifications come live, are read and unread, and take the words of others as they are', async () => {
    await goTo('/notifications');
    await page.getByText('No notifications yet').waitFor();
    await service.ask('POST', '/api/notifications', { body: { text: 'The tea is ready' } });
    await page.getByText('The tea is ready').waitFor();
    await page.getByText('1 unread').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByText('0 unread').waitFor();
    await takeBack(page, 'Marked as read');
    await page.getByText('1 unread').waitFor();
    await service.ask('POST', '/api/notifications', { body: { text: HOSTILE, title: '<b>Bold</b>' } });
    await page.getByText('<b>Bold</b>').waitFor();
    await page.getByText('⟨U+202E⟩').waitFor();
    await isWell();
  });

  test('how long ago something was goes on while somebody looks at it', async () => {
    await using looked = await openPage(`${service.url}/nowhere`);
    await looked.page.clock.install();
    await looked.page.goto(`${service.url}/notifications`);
    const when = looked.page.getByRole('list', { name: 'Notifications' }).locator('time').first();
    await when.getByText('now', { exact: true }).waitFor();
    await looked.page.clock.fastForward(5 * 60_000);
    await when.getByText('5 minutes ago').waitFor();
    assert.deepEqual([looked.complaints, looked.elsewhere], [[], []]);
  });

  test('a channel is added, tested, turned off and removed', async () => {
    await goTo('/notifications?show=channels');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    assert.equal(await page.getByLabel('Address').inputValue(), 'https://ntfy.sh');
    await page.getByLabel('Kind').selectOption('webhook');
    assert.equal(await page.getByLabel('Address').inputValue(), '');
    await page.getByLabel('Name').fill('Kitchen');
    await page.getByLabel('Address').fill(receiverUrl());
    await page.getByLabel('Quiet from').fill('22:00');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('quietHours.to').waitFor();
    await page.getByLabel('Quiet from').fill('');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('quietHours.to').waitFor({ state: 'detached' });
    await page
      .getByRole('dialog', { name: 'The secret of this channel' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('Kitchen: it arrived').waitFor();
    assert.equal(await page.getByText(/whsec_/).count(), 0);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Turned off').waitFor();
    await page.keyboard.press('j');
    await isWell();
    await page.keyboard.press('x');
    await page
      .getByRole('dialog', { name: 'Remove the channel Kitchen?' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByText('No channel yet').waitFor();
  });

  test('something is scheduled in words by the keyboard alone, runs now, pauses and is cancelled', async () => {
    await goTo('/schedules');
    await page.getByText('Nothing is scheduled').waitFor();
    await page.getByRole('button', { name: 'Schedule something' }).press('Enter');
    await page.getByLabel('Name').fill('Mum');
    await page.getByLabel('Words').fill('Call mum');
    await page.getByLabel('Every', { exact: true }).fill('weekdays at 7:30');
    await page.getByRole('status', { name: 'This means' }).getByText('30 7 * * 1-5').waitFor();
    await isWell();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Mum' }).waitFor();
    await page.getByText(/^Scheduled: /).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Next runs' }).waitFor();
    await page.getByRole('region', { name: 'Next runs' }).getByRole('row').nth(5).waitFor();
    await page.getByText('It has not run yet.').waitFor();
    await page.getByRole('button', { name: 'Run now' }).press('Enter');
    await page.getByRole('cell', { name: 'by hand' }).waitFor();
    await page.getByRole('cell', { name: 'succeeded' }).waitFor();
    await isWell();
    await page.getByRole('button', { name: 'What to do with it' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).press('Enter');
    await page.getByText('It is not due again.').waitFor();
    await page.goBack();
    await page.getByText('Nothing is scheduled').waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption('paused');
    await page.getByRole('link', { name: 'Mum' }).waitFor();
    await service.advance(1_000);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page
      .getByRole('dialog', { name: 'Cancel Mum?' })
      .getByRole('button', { name: 'Cancel it' })
      .click();
    await page.getByText('None of these').waitFor();
    await goTo(`/schedules?status=paused&at=${TEST_NOW + 500}`);
    await page.getByRole('link', { name: 'Mum' }).click();
    await page.getByRole('cell', { name: 'by hand' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Run now' }).count(), 0);
    await isWell();
    await goTo(`/schedules?status=all&at=${TEST_NOW - 1}`);
    await page.getByText('None of these').waitFor();
  });

  test('what is scheduled follows the clock of whoever schedules it, and says so', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await goTo('/schedules');
    await page.getByRole('button', { name: 'Schedule something' }).click();
    await page.getByLabel('Name').fill('Stretch');
    await page.getByLabel('Words').fill('Stretch');
    await page.getByLabel('Every', { exact: true }).fill('day at 16:45');
    const means = page.getByRole('status', { name: 'This means' });
    await means.getByText('(Asia/Tokyo)').first().waitFor();
    await means.getByRole('cell', { name: 'Wed, Nov 15, 2023, 4:45 PM' }).waitFor();
    assert.equal(await means.getByText('UTC').count(), 0);
    await page.getByLabel('Time zone').fill('America/New_York');
    const abroad = means.getByRole('row', { name: /^Thu, Nov 16, 2023, 6:45 AM Wed, Nov 15, 2023, 4:45 PM/ });
    await abroad.waitFor();
    await isWell();
    await page.getByLabel('Time zone').fill('');
    await page.keyboard.press('Enter');
    await page.getByText('every day, 4:45 PM (Asia/Tokyo)').waitFor();
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' });
    await session.detach();
  });

  test('a workflow is drawn, told as text, run, and cancelled', async () => {
    await goTo('/workflows/about-me');
    await page.getByRole('img', { name: 'Steps as a drawing' }).waitFor();
    // It ends with three branches: a line leads to each, and none on from there.
    assert.equal(await page.locator('.drawing path').count(), 3);
    await goTo('/workflows');
    await page.getByRole('link', { name: 'Tea' }).click();
    await page.getByRole('img', { name: 'Steps as a drawing' }).waitFor();
    // What does not fit fades where it goes on, until one is there.
    const fades = (is: boolean, scrolled = 0) =>
      page.evaluate(`(async () => {
        const region = document.querySelector('.scroll:has(.drawing)');
        region.scrollLeft = ${scrolled};
        while (getComputedStyle(region).maskImage.startsWith('linear') !== ${is})
          await new Promise(requestAnimationFrame);
      })()`);
    await fades(false);
    const usual = page.viewportSize() ?? { width: 1_280, height: 720 };
    await page.setViewportSize({ width: 100, height: 720 });
    await fades(true);
    await fades(false, 10_000);
    await page.setViewportSize(usual);
    await page.getByText('Steps as text').click();
    await page.getByRole('listitem').filter({ hasText: 'steep' }).first().waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    const input = page.getByRole('dialog').getByLabel('Input (JSON)');
    await input.fill('{"cups": 2}');
    // Nobody takes it at first: what was typed is there when it is opened again.
    await page.route('**/execute', (route) => route.abort(), { times: 1 });
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
    await page.getByText('The service does not answer').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    assert.equal(await input.inputValue(), '{"cups": 2}');
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
    const execution = page.getByRole('region', { name: 'Execution', exact: true });
    await execution.getByText('waits').waitFor();
    await isWell();
    await execution.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await execution.getByText('cancelled').waitFor();
  });

  test('a webhook shows its secret once, what was not delivered, and pauses', async () => {
    await goTo('/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await page.getByLabel('Topics').fill('notification.*');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'The secret of this webhook' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    // A pointer that rests on a list would hold back what others do.
    await page.getByRole('button', { name: 'Deliveries' }).press('Enter');
    await page.getByText('Nothing to be told yet').waitFor();
    await service.ask('POST', '/api/notifications', { body: { text: 'Ping' } });
    await page.getByRole('cell', { name: /^failed \(nobody answers there\)/ }).waitFor();
    await isWell();
    await page.getByRole('button', { name: /^Send again \d+$/ }).click();
    await page.getByText('It did not arrive: nobody answers there').waitFor();
    // Anew: what was told before would be told still.
    await goTo('/webhooks');
    await page.getByRole('button', { name: 'What to do with it' }).click();
    await page.getByRole('menuitem', { name: 'Test' }).click();
    await page.getByText('It did not arrive: nobody answers there').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused by hand').waitFor();
  });

  test('tool servers say how they are, and when probed what they have', async () => {
    await goTo('/tool-servers');
    await page.getByRole('button', { name: 'Probe program' }).click();
    await page.getByText('program.greet').waitFor();
    await page.getByText(/^program answered in .*: 2 tools$/).waitFor();
    await isWell();
    // As it was: there from the moment in which it connected, and nothing before.
    await goTo('/tool-servers?at=1600000000000');
    await page.getByText('No tool server is configured').waitFor();
    await goTo(`/tool-servers?at=${(await service.advance(0)).body.now}`);
    await page.getByRole('rowheader', { name: 'program' }).waitFor();
    await page.getByText('connected', { exact: true }).waitFor();
    assert.equal(await page.getByText('This page always shows the present').count(), 0);
    await isWell();
  });

  test('the past offers nothing that changes', async () => {
    for (const path of ['/notifications', '/schedules', '/workflows/tea', '/webhooks', '/tool-servers']) {
      await goTo(`${path}?at=1700000000000`);
      await page.locator('main h1').waitFor();
      for (const name of [
        'Schedule something',
        'Add a webhook',
        'Run',
        'Tell yourself something',
        'Probe program',
      ])
        assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, `${path}: ${name}`);
    }
  });

  async function isWell() {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await violationsOf(page), [], `${page.url()}, ${colorScheme}, ${width} px`);
        assert.equal(await scrollsSideways(page), false, `${page.url()}, ${width} px`);
      }
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  }
});

const TEA = `
name: Tea
description: Has tea made, and says when it is ready
input:
  type: object
  properties: { cups: { type: integer, default: 1 } }
steps:
  - id: enough
    type: CONDITION
    condition: input.cups > 1
    do:
      - { id: more_water, type: EVENT, topic: tea.more }
    else:
      - { id: one_cup, type: EVENT, topic: tea.one }
  - id: beside
    type: PARALLEL
    branches:
      - - { id: steep, type: WAIT, duration: 1h }
      - - { id: biscuits, type: EVENT, topic: tea.biscuits }
        - { id: plate, name: 'A plate with a name that is much too long for its box', type: EVENT, topic: tea.plate }
  - { id: ready, type: EVENT, topic: tea.ready }
`;
