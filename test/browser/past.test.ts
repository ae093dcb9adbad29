import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { becomes, ensureBuilt, scrollsSideways, takeBack, violationsOf } from '../support/dashboard.ts';
import { bringBeliefs } from '../support/memories.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

interface Settings {
  readonly settings: Readonly<Record<string, { readonly source: string }>>;
}

const HOSTILE = '<img src=x onerror=alert(1)> \u202egnihton\u200b';

/** In this order: there is no past before something was. */
describe('the pages of the past', { ...skippedFor(browserIsMissing), shuffle: false }, () => {
  let service: InProcessService;
  let opened: OpenPage;
  const state = async (text: string, supersedes?: string) => {
    const body = { text, type: 'explicit', ...(supersedes === undefined ? {} : { supersedes }) };
    const answer = await service.ask<{ conclusion: { id: string; createdAt: number } }>(
      'POST',
      '/api/memory/conclusions',
      { body },
    );
    assert.equal(answer.status, 201, answer.text);
    await service.advance(3_600_000);
    return answer.body.conclusion;
  };
  const visit = (path: string) => opened.page.goto(`${service.url}${path}`);
  /** Nobody is left out, in any look, on any screen; and nothing complained. */
  const isFit = async () => {
    const { page } = opened;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await violationsOf(page), [], `${colorScheme}, ${width} px`);
        assert.equal(await scrollsSideways(page), false, `${width} px`);
      }
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  };

  beforeAll(async () => {
    ensureBuilt();
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
    opened = await openPage(`${service.url}/contradictions`);
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await service?.stop();
  });

  test('say what to do while there is nothing', async () => {
    const { page } = opened;
    await page.getByText('No contradictions').waitFor();
    await visit('/why');
    await page.getByText('Nothing is believed about you yet').waitFor();
    await visit('/last-night');
    await page.getByText('No sweep yet').waitFor();
    assert.equal(await page.getByRole('slider').count(), 0);
    await isFit();
  });

  test('show why, from the belief to the words, and both of what was replaced', async () => {
    const { page } = opened;
    const { id } = await state('The user lives in Bergen');
    const { id: later } = await state('The user lives in Oslo', id);
    await state(HOSTILE);
    await visit('/why');
    await page.getByRole('searchbox', { name: 'Find a conclusion' }).fill('oslo');
    await page.getByText('1 of 1').waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'oslo');
    await page.getByRole('link', { name: /Oslo/ }).click();
    await page.getByText('It replaced').waitFor();
    await page.getByRole('link', { name: 'The user lives in Bergen' }).click();
    await page.getByText('Replaced by').waitFor();
    await page.waitForURL(`**/why/${id}`);
    await isFit();
    await page.goBack();
    await page.getByText('It replaced').waitFor();
    await page.waitForURL(`**/why/${later}`);
    await visit('/why/unknown');
    await page.getByRole('alert').waitFor();
  });

  test('step through time, compare with now, and bring back what was put aside', async () => {
    const { page } = opened;
    await visit('/why');
    await service.put('/api/settings', { memoryTokenBudget: 1_234 });
    await page.getByRole('slider', { name: 'The moment that is shown' }).waitFor();
    await page.keyboard.press('[');
    await page.getByText('You see the past').waitFor();
    await page.keyboard.press('[');
    await page.getByText('The user lives in Bergen').waitFor();
    assert.equal(await page.getByText('The user lives in Oslo').count(), 0);
    await isFit();
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.getByRole('button', { name: 'Compare with now' }).click();
    const compared = page.getByRole('dialog');
    await compared.getByText('Believed since').waitFor();
    await compared.getByText('replaced by another').waitFor();
    await compared.getByText('memoryTokenBudget: 1234').waitFor();
    await page.reload();
    await compared.getByText('replaced by another').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Restore from here' }).click();
    const setting = page.getByRole('checkbox', { name: /memoryTokenBudget/ });
    assert.equal(await setting.isChecked(), false);
    await setting.check();
    await page.getByRole('button', { name: 'Restore these 2' }).click();
    await page.getByRole('heading', { name: '2 are restored' }).waitFor();
    const { body } = await service.get<Settings>('/api/settings');
    assert.equal(body.settings.memoryTokenBudget?.source, 'default');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press(']');
    await page.getByText('The user lives in Oslo').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('The user lives in Bergen').waitFor();
    await page.waitForURL(({ searchParams }) => !searchParams.has('at'));
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await page.getByText('Nothing is believed about you yet').waitFor();
    await page.goBack();
    await page.getByText('The user lives in Bergen').waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('decide a contradiction by an arrow, and take that back', async () => {
    const { page } = opened;
    await bringBeliefs(service, [
      { id: 'tea', text: 'The user drinks tea', at: 1_000 },
      { id: 'no-tea', text: `The user drinks no tea ${HOSTILE}`, contradicts: ['tea'], at: 2_000 },
    ]);
    await visit('/contradictions');
    await page.getByRole('button', { name: 'Keep left' }).waitFor();
    await isFit();
    const [left = ''] = await page
      .getByRole('region', { name: 'Left' })
      .locator('blockquote')
      .allTextContents();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('No contradictions').waitFor();
    const believed = async () => {
      const { body } = await service.get<{ conclusions: { text: string }[] }>('/api/memory/conclusions');
      return body.conclusions.filter(({ text }) => text.includes('tea')).length;
    };
    assert.equal(await believed(), 1);
    assert.match(left, /tea/);
    await takeBack(page, 'One is kept');
    await page.getByRole('button', { name: 'Both true in their time' }).waitFor();
    assert.equal(await believed(), 2);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('tab', { name: 'Settled' }).click();
    await page.getByText('no contradiction').first().waitFor();
    await isFit();
  });

  test('show a sweep as a diff, take it back, and try other thresholds', async () => {
    const { page } = opened;
    await bringBeliefs(service, [
      { id: 'faint', text: `The user may like jazz ${HOSTILE}`, confidence: 0.01 },
      { id: 'half', text: 'The user owns a boat', confidence: 0.5 },
    ]);
    await visit('/last-night');
    await page.getByRole('button', { name: 'Sweep now' }).click();
    await page.getByRole('heading', { name: 'Put aside, too uncertain' }).waitFor();
    await page.getByText('The user may like jazz').waitFor();
    await isFit();
    await page.getByRole('button', { name: 'Take back', exact: true }).first().dblclick();
    const done = page.getByRole('listitem').filter({ hasText: 'Taken back, or changed since' });
    await done.waitFor();
    // What takes it back went with the focus on it, and was asked once.
    await becomes(page, "document.activeElement.textContent === 'Taken back, or changed since'");
    assert.equal(await page.getByText('It was changed since').count(), 0);
    await page.setViewportSize({ width: 320, height: 900 });
    const widthOf = (element: { readonly clientWidth: number }) => element.clientWidth;
    assert.ok(
      (await done.locator('.sweep-said').first().evaluate(widthOf)) > 200,
      'the sentence is squeezed',
    );
    await page.getByRole('tab', { name: 'With other thresholds' }).click();
    await page.getByRole('slider', { name: /Put aside below/ }).fill('0.99');
    await page.getByText('The user owns a boat').first().waitFor();
    await isFit();
    await page.waitForURL(({ searchParams }) => searchParams.get('prune') === '0.99');
    await page.getByRole('tab', { name: 'Sweeps' }).click();
    await page.getByRole('button', { name: 'Take all of it back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take all of it back' }).click();
    await page
      .getByText(/taken back/)
      .first()
      .waitFor();
    const { body } = await service.get<{ conclusions: { id: string }[] }>('/api/memory/conclusions');
    assert.equal(body.conclusions.filter(({ id }) => id === 'half').length, 1);
  });

  test('lead to words that were said, and to each event in the log', async () => {
    const { page } = opened;
    const content = {
      sessions: [
        { id: 'then', startedAt: 0, messages: [{ role: 'user', content: 'I am allergic to peanuts.' }] },
      ],
    };
    const { status, text } = await service.ask('POST', '/api/memory/import', {
      body: { source: 'conversation', content },
    });
    assert.equal(status, 200, text);
    await service.advance(3_600_000);
    await visit('/why?q=peanuts');
    await page.getByRole('link', { name: /peanuts/ }).click();
    await page.getByText('Said elsewhere').waitFor();
    await page.locator('blockquote', { hasText: /^I am allergic to peanuts/ }).waitFor();
    await isFit();
    await page
      .getByRole('link', { name: /^event / })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/why/*');
    await page.getByText('Said elsewhere').waitFor();
    await service.ask(
      'DELETE',
      `/api/memory/conclusions/${new URL(page.url()).pathname.split('/').at(-1)}`,
      {},
    );
    await page.getByRole('alert').waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('draw how certain a belief was, which is found again', async () => {
    const { page } = opened;
    for (const id of ['first', 'second']) {
      const messages = [{ role: 'user', content: 'I live in Oslo.' }];
      const content = { sessions: [{ id, startedAt: 0, messages }] };
      const { status, text } = await service.ask('POST', '/api/memory/import', {
        body: { source: 'conversation', content },
      });
      assert.equal(status, 200, text);
      await service.advance(3_600_000);
    }
    await visit('/why?q=Oslo');
    await page.getByRole('link', { name: /Oslo/ }).first().click();
    await page.getByRole('img', { name: /^How certain, over time: \d+% on .+, \d+% on / }).waitFor();
    await isFit();
  });

  test('compare all conversations with those of now, also those that are not among the newest', async () => {
    const { page } = opened;
    const bring = async (from: number, to: number) => {
      const sessions = Array.from({ length: to - from }, (_, index) => ({
        id: `talk-${from + index}`,
        startedAt: 1_000 * (from + index),
        messages: [{ role: 'user', content: `I have read book number ${from + index}.` }],
      }));
      const body = { source: 'conversation', content: { sessions } };
      const { status, text } = await service.ask('POST', '/api/memory/import', { body });
      assert.equal(status, 200, text);
    };
    await bring(1, 121);
    const { now } = (await service.advance(3_600_000)).body;
    await bring(121, 122);
    await visit(`/memory?at=${Number(now) - 1}&then=compare`);
    const episodes = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Episode:' });
    await episodes.filter({ hasText: 'book number 121' }).waitFor();
    assert.equal(await episodes.count(), 1);
    await page.keyboard.press('Escape');
  });

  test('bring back a profile, and undo that', async () => {
    const { page } = opened;
    for (const name of ['Ann', 'Bea']) {
      await service.put('/api/memory/profile', { name });
      await service.advance(3_600_000);
    }
    const name = async () =>
      (await service.get<{ profile: { name?: string } }>('/api/memory/profile')).body.profile.name;
    await visit('/why');
    await page.getByRole('slider').waitFor();
    await page.keyboard.press('[');
    await page.getByRole('button', { name: 'Restore from here' }).click();
    await page.getByRole('dialog').getByText('Ann').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Restore this one' }).click();
    await page.getByRole('heading', { name: 'One is restored' }).waitFor();
    assert.equal(await name(), 'Ann');
    await page.getByRole('button', { name: 'Done' }).click();
    await takeBack(page, 'One is restored');
    await page.getByText('Undone').waitFor();
    assert.equal(await name(), 'Bea');
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});
