import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { browserIsMissing, OpenPage } from '../support/browser.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';
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

describe('the page behind the printed address, in a browser', { ...skippedFor(browserIsMissing) }, () => {
  test('proves a model, saves it, and hides the claim', async (t) => {
    await using models = await ScriptedModels.start();
    const { ANTHROPIC_API_KEY: key = '', ANTHROPIC_BASE_URL = '' } = providersAt(models);
    const service = await InProcessService.start({ ...LIMITS, ANTHROPIC_BASE_URL, OLLAMA_HOST: NOWHERE });
    t.onTestFinished(() => service.stop());
    await using opened = await OpenPage.at(`${service.url}/#setup=${await claimOf(service)}`);
    const { page } = opened;
    const outcome = page.locator('#setup-outcome');
    assert.equal(page.url(), `${service.url}/`);
    await page.getByRole('heading', { name: 'Setup: a model that answers' }).waitFor();
    await page.getByLabel('Provider').selectOption('Anthropic');
    await page.getByRole('button', { name: 'Try it' }).click();
    await outcome.filter({ hasText: 'Anthropic has no key yet' }).waitFor();
    models.script(says('Hello, I am a script.'));
    await page.getByLabel('Its key').fill(key);
    await page.keyboard.press('Enter');
    await outcome.filter({ hasText: /^Anthropic, claude-\S+: “Hello, I am a script\.”/ }).waitFor();
    await page.getByRole('button', { name: 'Use it' }).click();
    await outcome.filter({ hasText: 'answers from now on' }).waitFor();
    assert.deepEqual(await stepsOf(service), ['model done', 'memory open', 'reach open']);
    assert.equal(await page.getByLabel('Its key').inputValue(), '');
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('goes on without a model, and shows nothing of setup without the claim', async (t) => {
    const service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: NOWHERE });
    t.onTestFinished(() => service.stop());
    {
      await using plain = await OpenPage.at(service.url);
      await plain.page.getByRole('heading', { name: 'Health' }).waitFor();
      assert.equal(
        await plain.page.getByRole('button', { name: 'Go on without a model' }).isVisible(),
        false,
      );
      assert.deepEqual(plain.complaints, []);
    }
    await using opened = await OpenPage.at(`${service.url}/#setup=${await claimOf(service)}`);
    await opened.page.getByRole('button', { name: 'Go on without a model' }).click();
    await opened.page.locator('#setup-outcome').filter({ hasText: 'goes on without a model' }).waitFor();
    assert.deepEqual(await stepsOf(service), ['model skipped', 'memory open', 'reach open']);
    assert.deepEqual(opened.complaints, []);
  });
});
