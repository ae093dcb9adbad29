import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { assertLooks, ensureBuilt, takeBack } from '../support/dashboard.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** Markup, a mark that turns the direction, and characters of no width. */
const HOSTILE = '<img src=x onerror=alert(1)> \u202egnp.exe\u202c \u200bx';

describe('running it, in a browser', { ...skippedFor(browserIsMissing) }, () => {
  const data = mkdtempSync(join(tmpdir(), 'hark-running-'));
  let service: InProcessService;
  let opened: OpenPage;
  beforeAll(async () => {
    ensureBuilt();
    const embedded = { SERVICE_DATA_DIR: data, SERVICE_KVSTORE_URL: 'embedded' };
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', ...embedded });
    opened = await openPage(`${service.url}/status`);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await service.stop();
    rmSync(data, { recursive: true });
  });

  const goTo = async (path: string, heading: string) => {
    await opened.page.goto(service.url + path);
    await opened.page.getByRole('heading', { name: heading, exact: true }).waitFor();
    return opened.page;
  };
  const quiet = () => assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);

  test('backups are made, listed and removed', async () => {
    const page = await goTo('/status', 'Backups');
    await page.getByRole('button', { name: 'Back up now' }).click();
    const question = page.getByRole('dialog', { name: 'Back up now?' });
    await question.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/events are in hark-.*\.db/).waitFor();
    const backups = page.getByRole('list', { name: 'Backups' });
    await backups.getByText(/^hark-.*\.db$/).waitFor();
    await assertLooks(page);
    await backups.getByRole('button', { name: /^Remove the backup of/ }).click();
    const last = page.getByRole('dialog', { name: /^Remove the backup of/ });
    await last.getByRole('button', { name: 'Remove' }).click();
    await backups.getByText(/^hark-.*\.db$/).waitFor({ state: 'detached' });
    quiet();
  });

  test('figures come by themselves, as lines and as a table', async () => {
    const page = await goTo('/status', 'Backups');
    const line = page.getByRole('img', { name: /^Memory: [\d.]+ .B – [\d.]+ .B$/ });
    await page.getByText('Requests a minute').first().waitFor();
    await service.advance(10_000);
    await line.waitFor();
    await page.getByText('The last hour').click();
    const rows = page.getByRole('region', { name: 'The last hour' }).getByRole('row');
    const before = await rows.count();
    for (let sampled = 0; sampled < 6; sampled++) await service.advance(10_000);
    await rows.nth(before).waitFor();
    await assertLooks(page);
    quiet();
  });

  test('settings are saved with what they were and become, and taken back by a key', async () => {
    const page = await goTo('/settings', 'Settings');
    await page.getByLabel('Find a setting').fill('halfduplex');
    await page.getByRole('switch', { name: 'voiceHalfDuplex' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('dialog', { name: 'Save these settings?' });
    await question.getByText('voiceHalfDuplex: off → on').waitFor();
    await question.getByRole('button', { name: 'Save' }).click();
    await page.getByText('changed here').waitFor();
    await page.locator('h1').focus();
    await takeBack(page, 'Saved');
    await page.getByText('by default').waitFor();
    assert.equal(await page.getByRole('switch', { name: 'voiceHalfDuplex' }).isChecked(), false);
    await assertLooks(page);
    await page.goto(`${service.url}/settings?at=1`);
    await page.getByText('You see the past').waitFor();
    assert.equal(await page.getByRole('switch', { name: 'voiceHalfDuplex' }).isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    await goTo('/settings', 'Settings');
    await page.getByRole('tab', { name: 'You' }).click();
    await page.getByRole('switch', { name: 'Remember what I say' }).waitFor();
    await service.put('/api/users/default/preferences', { storeAudio: true });
    await page
      .locator('input[role=switch][aria-checked=true] + label', { hasText: 'encrypted audio' })
      .waitFor();
    await assertLooks(page);
    await page.getByRole('tab', { name: 'This browser' }).click();
    await page.getByRole('button', { name: 'Forget the key of this browser' }).waitFor();
    await assertLooks(page);
    await page.goBack();
    await page.getByRole('switch', { name: 'Remember what I say' }).waitFor();
    quiet();
  });

  test('the log is followed, paged back, filtered, and each event tells what it set off', async () => {
    const page = await goTo('/events', 'Events');
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await rows.first().waitFor();
    for (let days = 1; days <= 205; days++) await service.put('/api/settings', { memoryRetentionDays: days });
    const { body } = await service.get<{ events: { position: number }[] }>(
      '/api/events?before=999999999&limit=1',
    );
    await rows
      .first()
      .filter({ hasText: String(body.events[0]?.position) })
      .waitFor();
    // More than are shown came while one looked: no gap is left between them.
    const positions = (await rows.locator('.number').allTextContents()).map(Number);
    assert.equal(positions.length, 200);
    assert.ok(
      positions.every((position, index) => index === 0 || position === (positions[index - 1] ?? 0) - 1),
    );
    await service.put('/api/users/default/preferences', { language: 'de' });
    await rows.first().filter({ hasText: 'preferences' }).waitFor();
    await assertLooks(page);
    // Behind hundreds of others.
    await page.getByLabel('Area').selectOption('system.*');
    await rows.first().filter({ hasText: 'system.' }).waitFor();
    await page.goto(`${service.url}/events?at=1`);
    await page.getByText('No events of this kind').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Newest' }).count(), 0);
    await page.goto(`${service.url}/events`);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('button', { name: 'Newest' }).waitFor();
    await page.goBack();
    await page.getByText('New events appear').waitFor();
    // Until then the older ones stay.
    await rows.first().filter({ hasText: 'preferences' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'What this set off' }).waitFor();
    await dialog.locator('tr[aria-current]').waitFor();
    await assertLooks(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    quiet();
  });

  test('of a cause that set off hundreds, those around an event are told, and more when asked for', async () => {
    const headers = { 'x-correlation-id': 'a-long-night' };
    for (let days = 301; days <= 550; days++)
      await service.ask('PUT', '/api/settings', { headers, body: { memoryRetentionDays: days } });
    const path = '/api/events?correlationId=a-long-night&limit=1000';
    const { body } = await service.ask<{ events: { position: number }[] }>('GET', path);
    const page = await goTo(`/events?event=${body.events[120]?.position}`, 'Events');
    const dialog = page.getByRole('dialog');
    const rows = dialog.locator('tbody tr');
    await dialog.locator('tr[aria-current]').waitFor();
    assert.equal(await rows.count(), 201);
    await dialog.getByRole('button', { name: 'Search earlier' }).click();
    await rows.nth(220).waitFor();
    await dialog.getByRole('button', { name: 'Search further' }).click();
    await rows.nth(body.events.length - 1).waitFor();
    assert.equal(await rows.count(), body.events.length);
    quiet();
  });

  test('a device is paired by its code, another approved by its letters, by the keyboard alone', async () => {
    const page = await goTo('/devices', 'Devices');
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await page.getByText('No devices yet').waitFor();
    await assertLooks(page);
    await press('Pair a device');
    await page.getByLabel('What it is').selectOption('ESP32 board');
    await press('Make a code');
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await assertLooks(page);
    const pairingCode = await page.locator('dd code').first().innerText();
    const type = 'esp32';
    const capabilities = { buttons: true };
    const body = { type, name: HOSTILE, capabilities, pairingCode };
    assert.equal((await service.ask('POST', '/api/devices/register', { body })).status, 201);
    await page.getByText('is here.').waitFor();
    await page.keyboard.press('Escape');

    const keys = {
      publicKey: Buffer.alloc(32, 1).toString('base64url'),
      nonce: Buffer.alloc(16, 2).toString('base64url'),
    };
    const asking = {
      type: 'browser',
      name: 'Kitchen',
      capabilities: { audio: true, display: true },
      ...keys,
    };
    const { body: registered } = await service.ask<{ device: { id: string } }>(
      'POST',
      '/api/devices/register',
      {
        body: asking,
      },
    );
    await press('Approve');
    const dialog = page.getByRole('dialog', { name: 'Approve “Kitchen”?' });
    assert.equal(await dialog.getByRole('button', { name: 'Approve' }).isDisabled(), true);
    await dialog.getByLabel('The device shows these letters').press('Space');
    await dialog.getByLabel('display').press('Space');
    await assertLooks(page);
    await dialog.getByRole('button', { name: 'Approve' }).press('Enter');
    await page.getByText('Approved').waitFor();
    await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
    const { body: known } = await service.get<{ device: { status: string; capabilities: object } }>(
      `/api/devices/${registered.device.id}`,
    );
    assert.equal(known.device.status, 'active');
    const allowed = Object.entries(known.device.capabilities).filter(([, is]) => is);
    assert.deepEqual(allowed, [['audio', true]]);

    await page.getByRole('button', { name: 'Actions for Kitchen' }).press('Enter');
    await page.locator('[role=menuitem]:focus').waitFor();
    // Past *Speak for another user*.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('suspended').waitFor();
    await page.locator('h1').focus();
    await takeBack(page, 'Changed');
    await page.getByText('suspended').waitFor({ state: 'detached' });
    await assertLooks(page);
    quiet();
  });

  test('what records cannot be overlooked on any page, and is paused there', async () => {
    const page = await goTo('/capture', 'Capture');
    await page.getByText('Nothing is being recorded').waitFor();
    await page.getByLabel('Device', { exact: true }).selectOption({ label: 'Another device' });
    await page.getByLabel('Id of the device').fill('kitchen');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Consent given' }).check();
    await page.getByRole('button', { name: 'Save consent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save consent' }).click();
    await page.getByText('Consent saved', { exact: true }).waitFor();
    const body = { deviceId: 'kitchen', modalities: ['audio'] };
    assert.equal((await service.ask('POST', '/api/capture/start', { body })).status, 201);
    await page.getByText('Recording: kitchen').waitFor();
    await assertLooks(page);
    await goTo('/settings', 'Settings');
    const sign = page.getByText('A device is recording.');
    await sign.waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const { y = -1 } = (await sign.boundingBox()) ?? {};
    assert.ok(y >= 0, `it is out of sight, at ${y} px`);
    await page.getByRole('button', { name: 'Pause for an hour' }).click();
    await page.getByText('A device is recording.').waitFor({ state: 'detached' });
    await goTo('/capture', 'Capture');
    await page.getByText('Paused until').waitFor();
    await page.getByRole('button', { name: 'End the pause' }).click();
    await page.getByText('Paused until').waitFor({ state: 'detached' });
    await assertLooks(page);
    quiet();
  });
});
