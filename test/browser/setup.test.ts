import assert from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { browserIsMissing } from '../support/browser.ts';
import { becomes, ensureBuilt, violationsOf } from '../support/dashboard.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const LIMITS = { API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000' };
/** A port that nobody listens on. */
const NOWHERE = 'http://127.0.0.1:9';

async function claimOf(service: InProcessService): Promise<string> {
  return (await service.ask<{ token: string }>('POST', '/api/setup-token')).body.token;
}

async function stepsOf(service: InProcessService): Promise<readonly string[]> {
  const { body } = await service.get<{ steps: { id: string; state: string }[] }>('/api/setup/status');
  return body.steps.map(({ id, state }) => `${id} ${state}`);
}

describe('the setup, in a browser', { ...skippedFor(browserIsMissing) }, () => {
  beforeAll(ensureBuilt);

  test('proves a model, saves it, and hides the claim', async (t) => {
    await using models = await ScriptedModels.start();
    const { ANTHROPIC_API_KEY: key = '', ANTHROPIC_BASE_URL = '' } = providersAt(models);
    const service = await InProcessService.start({ ...LIMITS, ANTHROPIC_BASE_URL, OLLAMA_HOST: NOWHERE });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/#setup=${await claimOf(service)}`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Setup', exact: true }).waitFor();
    await page.waitForURL(`${service.url}/setup`);
    await page.getByLabel('Provider').selectOption('Anthropic');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('hark has no key of Anthropic yet').waitFor();
    models.script(says('Hello, I am a script.'));
    await page.getByLabel('Its key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('Hello, I am a script.').waitFor();
    await page.getByText(/^Anthropic, .*claude-/).waitFor();
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('answers from now on').waitFor();
    assert.deepEqual(await stepsOf(service), ['model done', 'memory open', 'reach open']);
    await page.getByLabel('One thing about yourself').waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('offers the zone of the browser, once', async (t) => {
    const service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: NOWHERE });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/setup`, { timezoneId: 'Asia/Tokyo' });
    const { page } = opened;
    const zone = async () => {
      const { body } = await service.get<{ timezone: string }>('/api/users/default/preferences');
      return body.timezone;
    };
    await page.getByText('hark tells you times in the zone UTC.').waitFor();
    const use = page.getByRole('button', { name: 'Use Asia/Tokyo, as this browser' });
    await use.press('Enter');
    await use.waitFor({ state: 'detached' });
    assert.equal(await zone(), 'Asia/Tokyo');
    await page.getByRole('button', { name: /^Undo/ }).press('Enter');
    await use.waitFor();
    assert.equal(await zone(), 'UTC');
    await page.goto(`${service.url}/settings?tab=you`);
    await use.press('Enter');
    await becomes(
      page,
      "[...document.querySelectorAll('input')].some(({ value }) => value === 'Asia/Tokyo')",
    );
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('goes by the keyboard alone from step to step, and on where it was after a reload', async (t) => {
    const service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: NOWHERE });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/#setup=${await claimOf(service)}`);
    const { page } = opened;
    const press = async (name: string) => {
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Go on without a model');
    await page.getByLabel('One thing about yourself').fill('I live in Lisbon <b>now</b>');
    await page.keyboard.press('Enter');
    await page
      .getByText(/lives? in Lisbon/i)
      .last()
      .waitFor();
    await page.getByRole('link', { name: 'Why' }).last().waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await press('Erase it again');
    await page.getByText('Erased: nobody can read it any more.').waitFor();
    await press('Skip this step');
    await page.getByRole('button', { name: 'This machine is enough' }).waitFor();
    await page.reload();
    await press('This machine is enough');
    await page.getByText('No step is open.').waitFor();
    assert.deepEqual(await stepsOf(service), ['model skipped', 'memory skipped', 'reach done']);
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('says what to do where the claim is no good and none is to be had', async (t) => {
    const service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: NOWHERE });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/#setup=made-up`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Go on without a model' }).click();
    await page.getByText('Open the address that hark printed').waitFor();
    assert.deepEqual(await stepsOf(service), ['model open', 'memory open', 'reach open']);
    assert.deepEqual(opened.complaints, []);
  });
});
