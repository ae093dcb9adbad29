import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { browserIsMissing } from '../support/browser.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { modelledService } from '../support/modelledService.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

describe('forgetting with a proof', { ...skippedFor(browserIsMissing) }, () => {
  beforeAll(ensureBuilt);
  const set = modelledService();

  test('says of a conversation what will be unreadable, and then that it is', async () => {
    const { models, service } = set;
    models.script(says('Noted.'));
    const body = { text: 'My locker is called Quaffelstein.', sessionId: 'locker' };
    assert.equal((await service.ask('POST', '/api/chat', { body })).status, 200);
    await using opened = await openPage(`${service.url}/chat/locker`);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is Quaffelstein?');
    const keptHere = () => page.evaluate<string>('JSON.stringify(localStorage)');
    assert.match(await keptHere(), /Quaffelstein/);
    await page
      .getByRole('button', { name: /What can be done|conversation/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Erase it…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this conversation' });
    await dialog.getByText('2 messages').waitFor();
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText(/hark has searched again, and finds nothing of it/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    assert.doesNotMatch(await keptHere(), /Quaffelstein/);
    assert.doesNotMatch((await service.get('/api/chat/history/locker')).text, /Quaffelstein/);
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('shows what is erased nowhere any more, also where it was open', async () => {
    const { models, service } = set;
    const body = { text: 'The user keeps a parrot called Quaffelstein.' };
    const stated = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
      body,
    });
    models.script(says('It sits in the kitchen.'));
    await using opened = await openPage(`${service.url}/chat/parrot`);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is my parrot?');
    await page.keyboard.press('Enter');
    const named = page.getByRole('link', { name: /Quaffelstein/ }).first();
    await named.waitFor();
    await service.ask('DELETE', `/api/memory/conclusions/${stated.body.conclusion.id}?words=false`);
    await named.waitFor({ state: 'detached' });
    await page.locator('.mark-gone').waitFor();
    await service.ask('DELETE', '/api/chat/sessions/parrot');
    await page.getByRole('button', { name: 'Ask it anew' }).waitFor();
    await page.getByRole('link', { name: 'Memory', exact: true }).click();
    await page.getByText('Nothing is known yet').waitFor();
    await service.ask('DELETE', '/api/memory');
    await page.goBack();
    await page.getByText('Nothing was said here').waitFor();
    assert.doesNotMatch(await page.content(), /Quaffelstein|parrot\?|kitchen/);
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('names the events of an erasure, however long the service takes for it', async () => {
    const { service } = set;
    const body = { text: 'The user has a scar.' };
    assert.equal((await service.ask('POST', '/api/memory/conclusions', { body })).status, 201);
    await using opened = await openPage(`${service.url}/nowhere`);
    const { page } = opened;
    const { promise: asked, resolve } = Promise.withResolvers<Route>();
    await page.route('**/api/memory/conclusions/*', (route) =>
      route.request().method() === 'DELETE' ? resolve(route) : route.continue(),
    );
    await page.clock.install();
    await page.goto(`${service.url}/memory`);
    await page.getByRole('button', { name: 'What can be done' }).first().click();
    await page.getByRole('menuitem', { name: 'Erase for good…' }).click();
    await page.getByRole('button', { name: 'Erase for good' }).click();
    const erasure = await asked;
    await page.clock.fastForward(5_000);
    await erasure.continue();
    await page.getByRole('dialog', { name: 'Receipt' }).getByText('memory.conclusions.erased').waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});
