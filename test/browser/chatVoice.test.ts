import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { says, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { findPocketsphinx } from '../../src/gateways/speech/pocketsphinx.ts';
import { writeWave } from '../../src/gateways/speech/wave.ts';
import { browserIsMissing, OpenPage } from '../support/browser.ts';
import { CuttableProxy } from '../support/cuttableProxy.ts';
import { becomes, ensureBuilt, violationsOf } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { silence, spoken, withFlite } from '../support/voice/speech.ts';
import { offerTestModels } from '../support/voice/testModels.ts';

const NEVER = new Promise(() => {});
const RATE = 16_000;
const GRAMMAR = '#JSGF V1.0;\ngrammar all;\npublic <all> = what time is it | turn on the light | go home;\n';
const noEars = (await findPocketsphinx()) === undefined && 'pocketsphinx is not installed';

describe('voice in the page', { ...skippedFor(browserIsMissing || noEars) }, () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let folder: string;
  beforeAll(async () => {
    ensureBuilt();
    folder = mkdtempSync(join(tmpdir(), 'hark-page-voice-'));
    writeFileSync(join(folder, 'words.gram'), GRAMMAR);
    // However slow the page is, hark is not done with speaking before it is interrupted.
    models = (await ScriptedModels.start()).script(({ lastText }) =>
      says(
        'It is late.',
        ' The clock goes on. And on. ',
        'and that is all',
        ...(/time/.test(lastText) ? [waits(NEVER)] : []),
      ),
    );
    service = await InProcessService.start({
      ...providersAt(models),
      SERVICE_API_KEY: 'key-of-this-test',
      SERVICE_VOICE_GRAMMAR: join(folder, 'words.gram'),
    });
    const speech = await spoken('what time is it');
    // The second leaves somebody time to press a button: it begins when the microphone does.
    for (const [file, before] of [
      ['question.wav', 2_000],
      ['later.wav', 6_000],
    ] as const) {
      const recorded = Int16Array.from([...silence(before), ...speech, ...silence(3_000)]);
      writeFileSync(join(folder, file), writeWave(recorded, RATE));
    }
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const openPage = async (file: 'question.wav' | 'later.wav', url = service.url) => {
    const opened = await OpenPage.at(url, { microphone: join(folder, file) });
    await opened.page.getByLabel('API key').fill('key-of-this-test');
    await opened.page.keyboard.press('Enter');
    await opened.page
      .getByText('Your conversations appear')
      .or(opened.page.locator('.session'))
      .first()
      .waitFor();
    return opened;
  };

  test('hears hands-free and answers, and the conversation goes on in writing', async () => {
    await using opened = await openPage('question.wav');
    const { page } = opened;
    await page.getByRole('button', { name: 'Talk' }).click();
    const thread = page.getByRole('list', { name: 'Conversation', exact: true });
    await thread.getByText('what time is it', { exact: true }).waitFor();
    await thread.getByText('It is late.').waitFor();
    await page.waitForURL(({ pathname }) => /^\/chat\/[\w-]+$/.test(pathname));
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await page.getByText('Ready').or(page.getByText('Listening')).first().waitFor();
    // What nobody heard was not said.
    await thread.getByText('and that is all').waitFor({ state: 'detached' });
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'End voice' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('And in writing?');
    await page.keyboard.press('Enter');
    await page.locator('.receipt').nth(1).waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });

  test('comes back when the connection is lost, and leaves alone what is typed', async () => {
    await using proxy = await CuttableProxy.before(service.port);
    await using opened = await openPage('later.wav', `http://${proxy.address}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.waitForURL(({ pathname }) => /^\/chat\/[\w-]+$/.test(pathname));
    const { href } = new URL(page.url());
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('half a sen');
    const state = page.locator('.voice-state');
    await state.filter({ hasText: /Ready|Listening/ }).waitFor();
    const before: number = await page.evaluate('history.length');
    const connecting = state.and(page.locator('.connecting')).waitFor();
    proxy.cut();
    await connecting;
    await state.and(page.locator(':not(.connecting)')).waitFor();
    assert.equal(page.url(), href);
    assert.equal(await page.evaluate('history.length'), before);
    await page.reload();
    assert.equal(await field.inputValue(), 'half a sen');
  });

  test('hears only while the button is held', async () => {
    await using opened = await openPage('later.wav');
    const { page } = opened;
    await page.evaluate("localStorage.setItem('hark.handsFree', 'false')");
    await page.getByRole('button', { name: 'Talk' }).click();
    const hold = page.getByRole('button', { name: 'Hold to talk' });
    await hold.waitFor();
    await hold.focus();
    await page.keyboard.down(' ');
    await page.getByRole('button', { name: 'Release to send' }).waitFor();
    // What the file holds has been said by then.
    await becomes(page, 'document.querySelector("meter").value > 0.05');
    await becomes(page, 'document.querySelector("meter").value < 0.01');
    await page.keyboard.up(' ');
    await page.getByRole('list', { name: 'Conversation', exact: true }).getByText('It is late.').waitFor();
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});

const noVoice = withFlite.skip && 'flite is missing';

describe('words by voice', { ...skippedFor(browserIsMissing || noVoice) }, () => {
  const folder = temporaryFolder('page-words');

  test('are shown as they are heard, before the sentence is over', async (t) => {
    ensureBuilt();
    const question = 'what is my name';
    const speech = await spoken(question);
    const recorded = Int16Array.of(...silence(2_000), ...speech, ...silence(3_000));
    writeFileSync(join(folder, 'question.wav'), writeWave(recorded, RATE));
    const { host, manifest } = await offerTestModels(folder, ['good']);
    t.onTestFinished(() => host.stop());
    await using models = (await ScriptedModels.start()).script(() => says('Your name is Alex.'));
    const environment = { ...providersAt(models), SERVICE_MODELS_MANIFEST: manifest };
    const service = await InProcessService.start(environment);
    t.onTestFinished(() => service.stop());
    await service.ask('POST', '/api/models/download', { body: { modelId: 'words', confirm: true } });
    await service.put('/api/settings', { voiceSttModel: 'words' });
    await using opened = await OpenPage.at(service.url, { microphone: join(folder, 'question.wav') });
    const { page } = opened;
    await page.getByRole('button', { name: 'Talk' }).click();
    const words = page.getByRole('region', { name: 'Voice' }).locator('.voice-words');
    await words.waitFor({ state: 'attached' });
    await page.evaluate(`
      window.heard = [];
      const words = document.querySelector('.voice-words');
      const isSaid = () => document.querySelector('.thread')?.textContent.includes('${question}') ?? false;
      new MutationObserver(() => isSaid() || window.heard.push(words.textContent.trim()))
        .observe(words, { childList: true, characterData: true, subtree: true });`);
    const thread = page.getByRole('list', { name: 'Conversation', exact: true });
    await thread.getByText(question, { exact: true }).waitFor();
    const heard: readonly string[] = await page.evaluate('window.heard');
    // On a machine that is busy all of them may come at once.
    const begun = heard.filter((text) => text !== '');
    assert.ok(begun.length > 0 && begun.every((text) => question.startsWith(text)), heard.join(' | '));
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});
