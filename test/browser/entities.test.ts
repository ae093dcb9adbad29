import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt, scrollsSideways, takeBack, violationsOf } from '../support/dashboard.ts';
import { EventReader, InProcessService, TEST_NOW } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** In this order: each goes on where the one before has ended. */
describe('the pages of entities', { ...skippedFor(browserIsMissing), shuffle: false }, () => {
  let service: InProcessService;
  let opened: OpenPage;
  beforeAll(async () => {
    ensureBuilt();
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
    opened = await openPage(`${service.url}/entities`);
  });
  afterAll(async () => {
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
    await opened[Symbol.asyncDispose]();
    await service.stop();
  });

  const tell = async (id: string, ...said: readonly string[]) => {
    const topics = `${service.url}/api/events/stream?topics=entities.entity.mentioned`;
    const reader = await EventReader.open(topics);
    const messages = said.map((content) => ({ role: 'user', content }));
    const content = { sessions: [{ id, startedAt: TEST_NOW, messages }] };
    const body = { source: 'conversation', content };
    assert.equal((await service.ask('POST', '/api/memory/import', { body })).status, 200);
    await reader.next();
    reader.close();
  };

  test('list who and what is known, and find it as one types', async () => {
    const { page } = opened;
    await page.getByText('No entities yet').waitFor();
    await tell('home', 'My sister Mirjam lives in Zandvoort and works at Philips.');
    await page.getByRole('link', { name: 'Mirjam' }).waitFor();
    await page.getByRole('list', { name: 'How many are known' }).getByText('1 person').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('mirj');
    await page.getByText('1 entity', { exact: true }).waitFor();
    await page.locator('main h1').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Mirjam' }).waitFor();
  });

  test('show what it is related to as a picture and as a table, from link to link', async () => {
    const { page } = opened;
    const picture = page.getByRole('group', { name: 'Relationships as a picture' });
    await picture.getByRole('link', { name: /^Zandvoort, Place/ }).waitFor();
    await page.getByText('The same as a table').click();
    await page.getByRole('cell', { name: 'sister of' }).waitFor();
    await picture.getByRole('link', { name: /^Philips, Organization/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Philips' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Mirjam' }).waitFor();
  });

  test('rename, merge and take apart, and take each back', async () => {
    const { page } = opened;
    await tell('friend', 'My friend Bobby plays the cello.');
    await page.keyboard.press('e');
    await page.getByLabel('Name', { exact: true }).fill('Mirjam Bakker');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Mirjam Bakker' }).waitFor();
    await takeBack(page, 'Renamed');
    await page.getByRole('heading', { level: 1, name: 'Mirjam', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Merge…' }).click();
    await page.getByRole('dialog').getByLabel('Find').fill('bob');
    await page.getByRole('button', { name: /Merge Bobby into this/ }).click();
    await page.getByRole('button', { name: 'Take Bobby out again' }).click();
    await page.getByRole('button', { name: 'Take Bobby out again' }).waitFor({ state: 'detached' });
    await takeBack(page, 'Bobby is separate again');
    await page.getByRole('button', { name: 'Take Bobby out again' }).waitFor();
  });

  test('are accessible from 320 px, in light and dark', async () => {
    const { page } = opened;
    await tell('hostile', 'My friend Ann<script>alert(1)</script> lives in Leeds.');
    for (const open of [() => Promise.resolve(), () => page.goto(`${service.url}/entities`)]) {
      await open();
      await page.getByText('Mirjam').first().waitFor();
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [320, 1440]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await violationsOf(page), [], `${page.url()}, ${colorScheme}, ${width} px`);
          assert.equal(await scrollsSideways(page), false, `${width} px`);
        }
    }
  });

  test('show how it was, and offer no change of that', async () => {
    const { page } = opened;
    await service.advance(60_000);
    const { body } = await service.get<{ entities: { id: string; name: string }[] }>('/api/entities?q=bobby');
    const id = body.entities[0]?.id;
    await page.goto(`${service.url}/entities/${id}?at=${TEST_NOW + 30_000}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'What is believed' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Erase…' }).count(), 0);
    assert.match(
      (await page.getByRole('link', { name: 'All entities' }).getAttribute('href')) ?? '',
      /at=\d+/,
    );
    await page.goto(`${service.url}/entities/${id}`);
    await page.getByRole('button', { name: 'Erase…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 entity').waitFor();
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('entities.erased').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Entities' }).waitFor();
    assert.equal((await service.get(`/api/entities/${id}`)).status, 404);
  });
});
