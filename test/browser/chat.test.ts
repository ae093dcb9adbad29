import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { calls, resets, says, thinks, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { becomes, ensureBuilt, scrollsSideways, violationsOf } from '../support/dashboard.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { EventReader, InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000', SERVICE_TOOL_MAX_TOOLS: '100' };

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the page of chats', { ...skippedFor(browserIsMissing) }, () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    ensureBuilt();
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
    await unsetBackgroundSlots(service);
    opened = await openPage(service.url);
    page = opened.page;
  });
  afterEach(() => {
    models.reset();
    assert.deepEqual([opened.complaints.splice(0), opened.elsewhere], [[], []]);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await service.stop();
    await models.stop();
  });
  const say = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  };
  /** In the conversation itself. */
  const shown = (text: string, where = page) =>
    where.getByRole('list', { name: 'Conversation', exact: true }).getByText(text, { exact: true });
  const send = (text: string, sessionId: string) =>
    service.ask('POST', '/api/chat', { body: { text, sessionId } });

  test('streams an answer with thoughts and tools, and shows its receipt', async () => {
    models.script([
      says(thinks('Let me see.'), 'I look.', calls('system_health', {}, 'call-1')),
      says('All **is** well, see `status`.'),
    ]);
    await page.goto(service.url);
    await say('How are you?');
    await shown('All is well, see status.').waitFor();
    await page.waitForURL(({ pathname }) => /^\/chat\/\w+$/.test(pathname));
    assert.equal(await page.locator('.reply strong').textContent(), 'is');
    await page.getByText('Thoughts').click();
    await page.getByText('Let me see.').waitFor();
    await page.locator('summary', { hasText: 'system.health' }).click();
    await page.getByText('"status"').first().waitFor();
    await page.locator('summary', { hasText: 'tokens' }).click();
    await page.getByText('cloud-a').first().waitFor();
    assert.match((await page.getByRole('status').allTextContents()).join(), /All \*\*is\*\* well/);
    await page.getByRole('list', { name: 'Conversations' }).getByText('How are you?').waitFor();
  });

  test('goes on with an answer after a reload in the middle of it, and stops it', async () => {
    const gate = Promise.withResolvers<void>();
    models.script([
      says('The first half ', waits(gate.promise), 'and the second.'),
      says('A ', waits(new Promise(() => {}))),
    ]);
    await page.goto(service.url);
    await say('Tell me in two halves');
    await page.locator('.turn').getByText('The first half').waitFor();
    await page.reload();
    await page.locator('.turn').getByText('The first half').waitFor();
    gate.resolve();
    await shown('The first half and the second.').waitFor();
    await say('And without an end');
    await shown('A').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await shown('Stopped.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  });

  test('stops an answer in a conversation that begins with it, also before the service has taken it', async () => {
    models.script(says('A ', waits(new Promise(() => {}))));
    await page.goto(service.url);
    await say('Without an end from the start');
    await page.getByRole('button', { name: 'Stop' }).click();
    await shown('Stopped.').waitFor();
    const { promise: goes, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/api/chat/stream', async (route) => {
      await goes;
      await route.continue();
    });
    await say('Stopped at once');
    await page.getByRole('button', { name: 'Stop' }).click();
    goOn();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await page.unroute('**/api/chat/stream');
    await shown('Stopped.').nth(1).waitFor();
    models.script(says('B.'));
    await say('And another');
    await shown('B.').waitFor();
  });

  test('keeps what is typed, and edits what was asked', async () => {
    models.script([says('One.'), says('Two.')]);
    await page.goto(`${service.url}/chat/typed`);
    await page.getByText('Nothing was said here').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('half a sen');
    await page.reload();
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'half a sen');
    await say('First question');
    await shown('One.').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
    await page.getByRole('button', { name: 'Edit and ask again' }).click();
    await becomes(page, "document.querySelector('textarea').value === 'First question'");
    await page.getByText('Stands in place of the earlier message').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await becomes(page, "document.querySelector('textarea').value === 'half a thought'");
    await page.getByRole('button', { name: 'Edit and ask again' }).click();
    await becomes(page, "document.querySelector('textarea').value === 'First question'");
    await say('Second question');
    await shown('Two.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'half a thought');
    await page.getByRole('textbox', { name: 'Message' }).fill('');
    await shown('First question').waitFor({ state: 'detached' });
  });

  test('opens where what the browser kept for it is damaged', async () => {
    for (const damaged of ['[{"at":', '[null, 1]', '{}']) {
      await page.goto(`${service.url}/nowhere`);
      const kept = { 'hark.unsent.damaged': damaged, 'hark.images.damaged': damaged };
      await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(kept)})`);
      models.script([says('Still here.')]);
      await page.goto(`${service.url}/chat/damaged`);
      await say('Are you there?');
      await shown('Still here.').last().waitFor();
      await page.evaluate('localStorage.clear()');
    }
  });

  test('goes from one version of a question to another and back, in every tab', async () => {
    models.script(({ lastText }) => says(`To ${lastText}`));
    for (const text of ['Hello', 'Which tea?', 'How long?']) await send(text, 'versions');
    await page.goto(`${service.url}/chat/versions`);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/chat/versions`);
    await shown('To How long?', other).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Which tea?' })
      .getByText('Edit and ask again')
      .click();
    await becomes(page, "document.querySelector('textarea').value === 'Which tea?'");
    await say('Which coffee?');
    for (const where of [page, other]) {
      await shown('To Which coffee?', where).waitFor();
      await shown('How long?', where).waitFor({ state: 'detached' });
      await where.getByText('Version 2 of 2').waitFor();
    }
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Previous version' }).click();
    for (const where of [page, other]) {
      await shown('To How long?', where).waitFor();
      await shown('Which coffee?', where).waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Next version' }).click();
    await shown('To Which coffee?').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Next version' }).isDisabled());
    // Asked again unchanged, and taken back.
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Which coffee?' })
      .getByText('Ask again', { exact: true })
      .click();
    await page.getByText('Version 3 of 3').waitFor();
    await page.locator('.turn [aria-busy=true]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Version 2 of 3').waitFor();
    await page.reload();
    await page.getByText('Version 2 of 3').waitFor();
    assert.deepEqual(await page.locator('.said-text').allTextContents(), ['Hello', 'Which coffee?']);
    await other.close();
  });

  test('edits while an answer runs, with its images; what has ended is asked anew', async () => {
    models.script([says('A ', waits(new Promise(() => {}))), says('B.'), says('C.')]);
    const files = [{ mimeType: 'image/png', content: PIXEL }];
    const asked = { text: 'What is it?', sessionId: 'runs', files };
    const { headers } = await fetch(`${service.url}/api/chat/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    });
    assert.ok(headers.get('x-turn-id'));
    await page.goto(`${service.url}/chat/runs`);
    await page.getByRole('button', { name: 'Edit and ask again' }).click();
    await page.getByRole('list', { name: 'Images' }).waitFor();
    await say('What is this?');
    await shown('B.').waitFor();
    const { body } = await service.get<{ turns: { text: string; images: number }[] }>(
      '/api/chat/sessions/runs/turns',
    );
    assert.deepEqual(
      body.turns.map(({ text, images }) => [text, images]),
      [['What is this?', 1]],
    );
    await service.ask('DELETE', '/api/chat/sessions/runs');
    await page.getByRole('button', { name: 'Ask it anew' }).click();
    await becomes(page, "document.querySelector('textarea').value === 'What is this?'");
    await say('What is this now?');
    await shown('C.').waitFor();
    assert.deepEqual(await page.locator('.said-text').allTextContents(), [
      'What is this?',
      'What is this now?',
    ]);
  });

  test('shows in another tab what is said in one', async () => {
    const gate = Promise.withResolvers<void>();
    models.script(says('Slowly ', waits(gate.promise), 'said.'));
    await page.goto(`${service.url}/chat/tabs`);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/chat/tabs`);
    await other.getByText('Nothing was said here').waitFor();
    await say('Hello from here');
    await shown('Hello from here', other).waitFor();
    await other.getByText('Slowly').waitFor();
    gate.resolve();
    await shown('Slowly said.', other).waitFor();
    await shown('Slowly said.').waitFor();
    assert.equal(await page.locator('.turn').count(), 1);
    await other.close();
  });

  test('loads what was said before upward, and finds it', async () => {
    models.script(({ lastText }) => says(`Answer to ${lastText.slice(-40)}`));
    for (let n = 1; n <= 45; n++) await send(`Question ${n}`, 'long');
    await page.goto(`${service.url}/chat/long`);
    await page.getByText('Question 45', { exact: true }).waitFor();
    assert.equal(await page.getByText('Question 20', { exact: true }).count(), 0);
    await page.mouse.wheel(0, -100_000);
    await page.getByText('Question 10', { exact: true }).waitFor();
    await page.mouse.wheel(0, -100_000);
    await page.getByText('Question 1', { exact: true }).first().waitFor();
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('question 33');
    await page.getByRole('list', { name: 'Conversations' }).getByText('Question 33').waitFor();
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('nobody said this');
    await page.getByText('No conversation has these words.').waitFor();
  });

  test('names what was recalled, and corrects what is wrong in one step', async () => {
    models.script(says('In Lisbon, I think.')).script(resets(), { provider: 'cloud-a' });
    const stated = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
      body: { text: 'The user lives in Lisbon.' },
    });
    const { id } = stated.body.conclusion;
    await page.goto(`${service.url}/chat/recalled`);
    await say('Where in Lisbon do I live?');
    const mark = page.locator('.recalled-mark').first();
    await page.getByRole('link', { name: 'The user lives in Lisbon.' }).first().waitFor();
    assert.equal(new URL((await mark.getAttribute('href')) ?? '', service.url).pathname, `/why/${id}`);
    await page.locator('.receipt summary').click();
    await page.getByRole('button', { name: 'This is wrong' }).click();
    await page.getByRole('textbox', { name: 'What is right instead' }).fill('The user lives in Porto.');
    await page.keyboard.press('Enter');
    await page.getByText('Corrected: this is believed from now on.').waitFor();
    // From there `Tab` goes on to the next.
    await becomes(page, "document.activeElement.textContent === 'The user lives in Lisbon.'");
    const believed = async () => {
      const { text } = await service.get('/api/memory/conclusions');
      return ['Lisbon', 'Porto'].filter((city) => text.includes(`lives in ${city}`));
    };
    assert.deepEqual(await believed(), ['Porto']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    assert.deepEqual(await believed(), ['Lisbon']);
    await page.getByText('The provider of the first model could not be reached.').waitFor();
    await service.ask('POST', '/api/memory/conclusions/dismiss', { body: { ids: [id] } });
    await page.reload();
    await page.locator('.receipt summary').click();
    await page.getByText('(no longer believed)').waitFor();
    assert.equal(await page.getByRole('button', { name: 'This is wrong' }).count(), 0);
  });

  test('opens the entity that a recalled relationship is about', async () => {
    models.script(says('She lives in Zandvoort.'));
    const messages = [{ role: 'user', content: 'My sister Mirjam lives in Zandvoort.' }];
    const content = { sessions: [{ id: 'sister', startedAt: 1_699_000_000_000, messages }] };
    const mentioned = await EventReader.open(
      `${service.url}/api/events/stream?topics=entities.entity.mentioned`,
    );
    await service.ask('POST', '/api/memory/import', { body: { source: 'conversation', content } });
    await mentioned.next();
    mentioned.close();
    await page.goto(`${service.url}/chat/sister-of-mine`);
    await say('Where does my sister Mirjam live?');
    await page.locator('.receipt summary').click();
    await page.locator('.recalled a', { hasText: 'Mirjam, the user' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Mirjam' }).waitFor();
  });

  test('takes images that are chosen, pasted or dropped, and shows them again', async () => {
    models.script(says('Two cats.'));
    await page.goto(`${service.url}/chat/images`);
    const [file] = [{ name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') }];
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('img', { name: 'Image 1' }).waitFor();
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob('${PIXEL}'), (one) => one.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'cat.png', { type: 'image/png' }));
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    })()`);
    await page.getByRole('img', { name: 'Image 2' }).waitFor();
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob('${PIXEL}'), (one) => one.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], '<b>\u202ecat.png', { type: 'image/png' }));
      dataTransfer.items.add(new File(['no picture'], 'notes.txt', { type: 'text/plain' }));
      dataTransfer.items.add(new File(['no picture either'], 'notes.png', { type: 'image/png' }));
      const form = document.querySelector('form.composer');
      for (const type of ['dragover', 'drop'])
        form.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.getByRole('img', { name: 'Image 3' }).waitFor();
    await page.getByText('Not all of it could be added').waitFor();
    await page.getByRole('button', { name: 'Remove image 1' }).click();
    await page.getByPlaceholder('What about it?').waitFor();
    await page.getByRole('img', { name: 'Image 3' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('img', { name: 'Image 2' }).waitFor();
    await say('What is this?');
    await shown('Two cats.').waitFor();
    assert.equal(await page.locator('.said img').count(), 2);
    await page.reload();
    await page.getByRole('button', { name: 'Show 2 images' }).click();
    await page.getByRole('img', { name: 'Image 2' }).waitFor();
    assert.equal(await page.locator('.composer img').count(), 0);
  });

  test('says what to do where no model answers, and claims nothing of one', async () => {
    const alone = await InProcessService.start(LIMITS);
    await using other = await openPage(alone.url);
    const { page: there } = other;
    await there.getByRole('textbox', { name: 'Message' }).fill('Tell me of the sea');
    await there.keyboard.press('Enter');
    await there.locator('.failure').getByText('No model answers. Store a key').waitFor();
    await there.locator('.receipt summary').click();
    assert.doesNotMatch(await there.locator('.receipt').innerText(), /no model|Price/);
    await there.getByRole('link', { name: 'To the providers' }).click();
    await there.getByRole('heading', { name: 'Providers and slots' }).waitFor();
    assert.deepEqual([other.complaints, other.elsewhere], [[], []]);
    await alone.stop();
  });

  test('takes no text that would hold up the page, and says how long it is', async () => {
    await page.goto(service.url);
    await page.locator('textarea').waitFor();
    const taken = await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'y'.repeat(10_000_000));
      const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return document.querySelector('textarea').dispatchEvent(pasted);
    })()`);
    assert.equal(taken, false);
    await page.getByText('10,000,000 characters; the service takes 10,000.').waitFor();
  });

  test('shows a conversation as it was, and asks nothing there', async () => {
    models.script([says('Then.'), says('Now.')]);
    await send('What was then?', 'past');
    await service.ask('POST', '/api/test/clock', { body: { advanceMs: 60_000 } });
    const { body } = await service.ask<{ sessions: { lastMessageAt: number }[] }>(
      'GET',
      '/api/chat/sessions',
    );
    await send('What is now?', 'past');
    await page.goto(`${service.url}/chat/past?at=${body.sessions[0]?.lastMessageAt}`);
    await shown('Then.').waitFor();
    assert.equal(await shown('Now.').count(), 0);
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).count(), 0);
  });

  test('sends what was said while the service was away as soon as it is back', async () => {
    models.script(says('There you are.'));
    await page.goto(`${service.url}/chat/away`);
    await page.getByText('Nothing was said here').waitFor();
    await page.context().setOffline(true);
    await say('Is anybody there?');
    await page.getByText('It is kept here').waitFor();
    await page.context().setOffline(false);
    await shown('There you are.').waitFor();
    assert.equal(await page.locator('.turn').count(), 1);
    // What the browser itself says of it.
    opened.complaints.length = 0;
  });

  test('runs, loads and opens nothing that a model or anybody else wrote', async () => {
    const hostile = [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      '[safe](javascript:alert(1)) [elsewhere](https://example.com/here) ![pixel](https://example.com/p.png)',
      'abc\u202etxt.exe zero\u200bwidth',
      '<b onclick=x>bold</b> | `<i>`',
    ].join('\n\n');
    models.script(says(hostile, `\n\n${'x'.repeat(10_000_000)}`));
    await page.goto(`${service.url}/chat/hostile`);
    await say('<script>document.title=3</script>\u202e');
    await page.getByText('<script>document.title=2</script>').first().waitFor();
    await page.locator('.receipt').waitFor();
    await page.getByText('U+202E').first().waitFor();
    assert.deepEqual(
      await page
        .locator('.reply a[href]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      [],
    );
    models.script(says(hostile));
    await say('Once more, in short');
    await page.locator('.receipt').nth(1).waitFor();
    await shown('(https://example.com/here)').waitFor();
    const links = page.locator('.thread a[target]');
    assert.deepEqual(
      await links.evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.getAttribute('rel')])),
      [['https://example.com/here', 'noreferrer']],
    );
    assert.equal(await page.locator('.thread img, .thread script, .thread b').count(), 0);
  });

  test('is accessible, in light and dark, from 320 px', async () => {
    models.script(says('# Head\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nlet x;\n```'));
    await page.goto(`${service.url}/chat/looks`);
    await say('How does it look?');
    await page.locator('.receipt summary').click();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await violationsOf(page), [], `${colorScheme}, ${width} px`);
        assert.equal(await scrollsSideways(page), false, `${width} px`);
      }
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});
