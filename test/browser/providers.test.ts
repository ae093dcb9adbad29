import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt, scrollsSideways, violationsOf } from '../support/dashboard.ts';
import { modelledService } from '../support/modelledService.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

describe('the pages of who answers', { ...skippedFor(browserIsMissing) }, () => {
  const set = modelledService();
  let opened: OpenPage;
  let page: Page;

  beforeAll(async () => {
    ensureBuilt();
    const models = { provider: 'cloud-a', model: 'claude-haiku-4-5' };
    const fallbacks = [{ provider: 'cloud-b', model: 'gpt-4o-mini' }];
    const others = { reasoning: null, coding: null, tool_calling: null, creative: null };
    await set.service.put('/api/slots', { slots: { chat: { ...models, fallbacks }, ...others } });
    opened = await openPage(`${set.service.url}/providers`);
    page = opened.page;
  });
  beforeEach(() => {
    opened.complaints.length = 0;
  });
  afterAll(async () => opened?.[Symbol.asyncDispose]());
  const goTo = (path: string) => page.goto(set.service.url + path);

  test('keys are tried and stored without being shown, and removed', async () => {
    await goTo('/providers');
    const row = page.getByRole('listitem').filter({ hasText: 'Anthropic' });
    await row.getByText('from ANTHROPIC_API_KEY').waitFor();
    await page.getByRole('button', { name: 'Try Anthropic' }).click();
    await page.getByText('Anthropic takes the key').waitFor();
    set.models.acceptKeys('cloud-a', 'another-key');
    await set.service.advance(2_000);
    await page.getByRole('button', { name: 'Try Anthropic' }).click();
    await page.getByText('Anthropic does not answer: It refuses the key').waitFor();
    await row.getByText('does not answer: It refuses the key').waitFor();
    set.models.acceptKeys('cloud-a', 'key-of-cloud-a', 'a-key-of-this-test');
    await page.getByRole('button', { name: 'Set key Anthropic' }).click();
    await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill('a-key-of-this-test');
    await page.getByRole('button', { name: 'Store it' }).click();
    await row.getByText('stored').waitFor();
    assert.equal((await page.content()).includes('a-key-of-this-test'), false);
    await isWell();
    await page.getByRole('button', { name: 'Remove key Anthropic' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove key' }).click();
    await row.getByText('from ANTHROPIC_API_KEY').waitFor();
  });

  test('what was is shown as it was, and what no log knows is named', async () => {
    const at = Date.parse('2023-11-14T23:00:00Z');
    await goTo(`/providers?at=${at}`);
    await page.getByText('The log does not hold which keys there were').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Set key Anthropic' }).count(), 0);
    await goTo(`/providers?show=slots&at=${at}`);
    await page.getByText('claude-haiku-4-5').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Change Chat' }).count(), 0);
    await isWell();
    await goTo('/providers?show=slots&at=1');
    await page.getByText('falls back').first().waitFor();
    assert.equal(await page.getByText('claude-haiku-4-5').count(), 0);
    await goTo(`/spend?at=${at}`);
    await page.getByText('Nothing').first().waitFor();
    await goTo(`/capture?at=${at}`);
    await page.getByText('This page always shows the present').waitFor();
    await isWell();
  });

  test('a chain is put in order by the keyboard and by dragging, saved, and taken back', async () => {
    await goTo('/providers?show=slots');
    await page.getByRole('button', { name: 'Change Chat' }).click();
    await page.getByRole('button', { name: 'claude-haiku-4-5, 1 of 2' }).press('ArrowDown');
    await page.getByRole('button', { name: 'claude-haiku-4-5, 2 of 2' }).waitFor();
    await page.getByText('claude-haiku-4-5 is now 2 of 2').waitFor();
    await isWell();
    const items = page.getByRole('list', { name: 'Models in the order' }).getByRole('listitem');
    await items.nth(0).dragTo(items.nth(1));
    await page.getByRole('button', { name: 'gpt-4o-mini, 2 of 2' }).waitFor();
    await page.getByRole('button', { name: 'gpt-4o-mini, 2 of 2' }).press('ArrowUp');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed').waitFor();
    assert.deepEqual(await chainOf('chat'), ['gpt-4o-mini', 'claude-haiku-4-5']);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Undone').waitFor();
    assert.deepEqual(await chainOf('chat'), ['claude-haiku-4-5', 'gpt-4o-mini']);
    await isWell();
  });

  test('says who would answer a text, and configures by rule after asking', async () => {
    await goTo('/providers?show=slots');
    await page.getByText('Which model would answer this?').click();
    await page.getByLabel('A text').fill('Write a poem about the sea');
    await page.getByRole('button', { name: 'Ask' }).press('Enter');
    await page.getByText(/^understood as creative/).waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page
      .getByRole('dialog', { name: 'Reset all slots?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    assert.deepEqual(await chainOf('chat'), ['claude-haiku-4-5', 'gpt-4o-mini']);
  });

  test('the catalog is searched, and the search is in the address', async () => {
    await goTo('/providers?show=catalog');
    await page
      .getByRole('rowheader', { name: /claude-haiku-4-5/ })
      .first()
      .waitFor();
    await isWell();
    await page.keyboard.press('/');
    await page.keyboard.type('haiku');
    await page.getByRole('rowheader', { name: /gpt-4o-mini/ }).waitFor({ state: 'detached' });
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'haiku');
    await page.reload();
    await page
      .getByRole('rowheader', { name: /claude-haiku-4-5/ })
      .first()
      .waitFor();
    assert.equal(await page.getByRole('rowheader', { name: /gpt-4o-mini/ }).count(), 0);
  });

  test('what turns cost is shown by day, model and session, as it comes', async () => {
    await goTo('/spend');
    await page.getByText('No model was asked in this time').waitFor();
    const usage = { inputTokens: 1_200_000, outputTokens: 34_000 };
    set.models.script({ ...says('Yes'), usage });
    // The day of the service is not the day of the browser: all days that can be shown.
    await page.getByLabel('Span').selectOption('400');
    const body = { text: 'Is it raining in Ghent at the moment?', sessionId: 'weather' };
    assert.equal((await set.service.ask('POST', '/api/chat', { body })).status, 200);
    await page.getByRole('cell', { name: '1.2M' }).waitFor();
    await isWell();
    await page.getByRole('tab', { name: 'By session' }).click();
    await page.getByRole('link', { name: 'weather' }).waitFor();
    await page.getByRole('tab', { name: 'By session' }).press('ArrowLeft');
    await page.getByRole('rowheader', { name: /claude-haiku-4-5/ }).waitFor();
  });

  test('models say their licence and size, and are searched', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      // Anew for each: what is not drawn yet would keep the colours of the other.
      await page.emulateMedia({ colorScheme });
      await goTo('/models');
      await page.getByRole('heading', { name: 'Speech to text' }).waitFor();
      await page.getByText('comes with hark').first().waitFor();
      assert.deepEqual(await violationsOf(page), []);
    }
    await page.getByLabel('Search').fill('flite');
    await page.getByRole('heading', { name: 'Speech to text' }).waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /^Measure / })
      .first()
      .waitFor();
    await isWell();
  });

  test('tool servers say how to have one', async () => {
    await goTo('/tool-servers');
    await page.getByText('No tool server is configured').waitFor();
    await isWell();
  });

  test('the past offers nothing that changes', async () => {
    const changes = /^(Set key|Remove key|Change|Reset|Configure|Fetch|Download|Delete|Measure)/;
    for (const path of ['/providers?', '/providers?show=slots&', '/providers?show=catalog&', '/models?']) {
      await goTo(`${path}at=1700000000000`);
      await page.locator('main :is(.row, td)').first().waitFor();
      assert.equal(await page.locator('main').getByRole('button', { name: changes }).count(), 0, path);
    }
  });

  async function chainOf(slot: string): Promise<readonly string[]> {
    interface Chain {
      readonly model: string;
      readonly fallbacks: readonly { readonly model: string }[];
    }
    const { body } = await set.service.get<{ slots: Record<string, Chain> }>('/api/slots');
    const { model = '', fallbacks = [] } = body.slots[slot] ?? {};
    return [model, ...fallbacks.map((one) => one.model)];
  }

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
