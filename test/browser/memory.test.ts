import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt, scrollsSideways, takeBack, violationsOf } from '../support/dashboard.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const HOSTILE = `<img src=x onerror=alert(1)> \u202egnihtemos\u202c \u200bhidden ${'long'.repeat(100)}`;

/** In this order: each goes on with what the one before has left in memory. */
describe('the page of memory', { ...skippedFor(browserIsMissing), shuffle: false }, () => {
  let service: InProcessService;
  let opened: OpenPage;
  beforeAll(async () => {
    ensureBuilt();
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
    opened = await openPage(`${service.url}/memory`);
  });
  afterAll(async () => {
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
    await opened[Symbol.asyncDispose]();
    await service.stop();
  });

  const state = (text: string) => service.ask('POST', '/api/memory/conclusions', { body: { text } });
  const told = async (id: string, ...said: readonly string[]) => {
    const messages = said.map((content) => ({ role: 'user', content }));
    const content = { sessions: [{ id, startedAt: 1_699_000_000_000, messages }] };
    const body = { source: 'conversation', content };
    assert.equal((await service.ask('POST', '/api/memory/import', { body })).status, 200);
  };

  test('says what to do while nothing is known', async () => {
    const { page } = opened;
    await page.getByText('Nothing is known yet').waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Sentence').fill('I live in Oslo.');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'I live in Oslo.' }).waitFor();
    await takeBack(page, 'Added');
    await page.getByText('Nothing is known yet').waitFor();
  });

  test('corrects, forgets and takes both back, with the keyboard alone', async () => {
    const { page } = opened;
    await state('The user has a dog called Rex.');
    await page.getByRole('button', { name: /Rex/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByLabel('Sentence').fill('The user has a dog called Max.');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Max/ }).waitFor();
    await page.getByRole('button', { name: /Rex/ }).waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'It replaced' }).waitFor();
    await page.getByText('The user has a dog called Rex.').waitFor();
    await page.keyboard.press('x');
    await page.getByText('Nothing is known yet').waitFor();
    await takeBack(page, 'Forgotten');
    await page.getByRole('button', { name: /Max/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('w');
    await page.waitForURL(/\/why\/[\w-]+$/);
    await page.goBack();
    await page.getByRole('button', { name: /Max/ }).waitFor();
  });

  test('finds as one types, keeps that in the address, and forgets many as one', async () => {
    const { page } = opened;
    for (const what of ['tea', 'coffee', 'cocoa']) await state(`The user likes ${what}.`);
    await page.getByText('4 conclusions').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('likes');
    await page.getByText('3 conclusions').waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'likes');
    assert.equal(await page.evaluate('document.activeElement.type'), 'search');
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Choose all that are shown' }).click();
    await page.getByRole('button', { name: 'Forget the chosen' }).dblclick();
    await page.getByText('Nothing matches').waitFor();
    await page.getByText(/Forgotten: 3 conclusions/).waitFor();
    assert.equal(await page.getByText('Unknown conclusion').count(), 0);
    await page.getByRole('button', { name: /^Undo/ }).last().click();
    await page.getByText('3 conclusions', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('4 conclusions').waitFor();
  });

  test('folds its filters on a phone, unless one of them is set', async () => {
    const { page } = opened;
    const status = page.getByLabel('Show', { exact: true });
    const fold = page.getByRole('button', { name: 'Filters' });
    assert.equal(await fold.count(), 0);
    await page.setViewportSize({ width: 360, height: 740 });
    await fold.waitFor();
    assert.equal(await status.isVisible(), false);
    await fold.press('Enter');
    await status.selectOption('Put aside');
    await page.waitForURL('**/memory?status=pruned');
    await page.reload();
    await status.waitFor();
    await fold.press('Enter');
    await status.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 720 });
    await status.selectOption('Believed');
    await page.getByText('4 conclusions').waitFor();
  });

  test('quotes the words, and erases them with a proof', async () => {
    const { page } = opened;
    await told('sister', 'My sister Mirjam lives in Zandvoort.');
    await page.getByLabel('Find').fill('Mirjam');
    const row = page.getByRole('listitem').filter({ hasText: 'Mirjam' });
    await row.getByRole('button', { name: /Mirjam/ }).click();
    await page.getByText('My sister Mirjam lives in Zandvoort.', { exact: true }).waitFor();
    // There may be others still: the search follows what is typed.
    await row.getByRole('button', { name: 'What can be done' }).click();
    await page.getByRole('menuitem', { name: 'Erase for good…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this conclusion' });
    await dialog.getByText('1 message').waitFor();
    await dialog.getByText('1 episode').waitFor();
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await receipt.getByText(/hark has searched again, and finds nothing of it/).waitFor();
    await receipt.getByText('memory.episodes.erased').waitFor();
    await receipt.getByRole('button', { name: 'Done' }).click();
    assert.doesNotMatch((await service.get('/api/memory/episodes')).text, /Mirjam/);
  });

  test('shows hostile text as text, and is accessible from 320 px', async () => {
    const { page } = opened;
    await page.goto(`${service.url}/memory`);
    await state(HOSTILE);
    await told('hostile', HOSTILE, 'I live in Bergen.');
    await page.getByText('⟨U+202E⟩').first().waitFor();
    for (const tab of ['Conclusions', 'Episodes', 'Profile']) {
      await page.getByRole('tab', { name: tab }).click();
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [320, 1440]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await violationsOf(page), [], `${tab}, ${colorScheme}, ${width} px`);
          assert.equal(await scrollsSideways(page), false, `${tab}, ${width} px`);
        }
    }
  });

  test('takes in what was given out, after showing what would come in', async () => {
    const { page } = opened;
    await page.goto(`${service.url}/memory`);
    await page.getByRole('button', { name: 'Export, import, erase' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const file = await (await saving).path();
    assert.match(readFileSync(file, 'utf8'), /^\{"kind":"memory".*\n.*Bergen/s);
    await service.ask('DELETE', '/api/memory');
    await page.getByText('Nothing is known yet').waitFor();
    await page.getByRole('button', { name: 'Export, import, erase' }).click();
    await page.getByRole('menuitem', { name: 'Import…' }).click();
    await page.getByLabel('A file').setInputFiles({
      name: 'memory.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: readFileSync(file),
    });
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByText('This would come in').waitFor();
    await dialog.getByRole('button', { name: 'Another file or source' }).click();
    for (const text of ['', 'no JSON']) {
      const buffer = Buffer.from(text);
      await page.getByLabel('A file').setInputFiles({ name: 'other.json', mimeType: 'text/plain', buffer });
      await dialog.getByText('There is nothing in it that hark can take in.').waitFor();
      await dialog.getByRole('button', { name: 'Another file or source' }).click();
    }
    await page.getByLabel('A file').setInputFiles(file);
    await dialog.getByText('This would come in').waitFor();
    assert.equal((await service.get<{ total: number }>('/api/memory/conclusions')).body.total, 0);
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: /Bergen/ }).waitFor();
  });

  test('shows how it was, and offers no change of that; and keeps a profile', async () => {
    const { page } = opened;
    await page.getByRole('tab', { name: 'Profile' }).click();
    await page.getByLabel('Name').fill('Ann');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile saved').waitFor();
    await service.advance(60_000);
    const { body } = await service.get<{ conclusions: { id: string }[] }>('/api/memory/conclusions');
    await service.ask('POST', '/api/memory/conclusions/dismiss', {
      body: { ids: body.conclusions.map(({ id }) => id) },
    });
    await page.goto(`${service.url}/memory`);
    await page.getByText('Nothing is known yet').waitFor();
    await page.goto(`${service.url}/memory?at=${TEST_NOW + 30_000}`);
    await page.getByRole('button', { name: /Bergen/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add' }).count(), 0);
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await page.getByRole('tab', { name: 'Profile' }).click();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ann');
    assert.equal(await page.getByLabel('Name').isDisabled(), true);
  });
});
