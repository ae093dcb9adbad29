import assert from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { browserIsMissing } from '../support/browser.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

describe('forgetting with a proof', { ...skippedFor(browserIsMissing) }, () => {
  beforeAll(ensureBuilt);

  test('says of a conversation what will be unreadable, and then that it is', async (t) => {
    const models = await ScriptedModels.start();
    t.onTestFinished(() => models.stop());
    const service = await InProcessService.start({ API_RATE_LIMIT: '100000', ...providersAt(models) });
    t.onTestFinished(() => service.stop());
    await unsetBackgroundSlots(service);
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
});
