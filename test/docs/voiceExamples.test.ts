import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { findPocketsphinx } from '../../src/gateways/speech/pocketsphinx.ts';
import { readWave, writeWave } from '../../src/gateways/speech/wave.ts';
import { browserIsMissing, OpenPage } from '../support/browser.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { COMMANDS, spokenByService } from '../support/voice/commands.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const KEY = 'the-api-key';
const RATE = 16_000;
const noEars = (await findPocketsphinx()) === undefined ? 'pocketsphinx is not installed' : false;
const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed';

describe('the examples of voice', { ...skippedFor(noEars) }, () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let pages: Server;
  let folder: string;
  let origin: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hark-voice-'));
    writeFileSync(join(folder, 'words.gram'), COMMANDS);
    pages = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(request.url === '/voice.html' ? readFileSync(join(EXAMPLES, 'voice.html')) : '');
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    const address = pages.address();
    origin = `http://localhost:${typeof address === 'object' ? address?.port : address}`;
    models = (await ScriptedModels.start()).script(() => says('Turn on the light.'));
    service = await InProcessService.start({
      ...providersAt(models),
      CORS_ORIGIN: origin,
      SERVICE_API_KEY: KEY,
      SERVICE_VOICE_GRAMMAR: join(folder, 'words.gram'),
      WYOMING_PORT: '0',
    });
    writeFileSync(
      join(folder, 'question.wav'),
      writeWave(await spokenByService(service, 'what time is it', [1_000, 3_000]), RATE),
    );
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
    pages.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    'Python asks what is in a file, and writes the answer into another',
    skippedFor(noPython),
    async () => {
      const environment = { PATH: process.env.PATH ?? '', HARK_URL: service.url, HARK_API_KEY: KEY };
      const child = spawn('python3', [join(EXAMPLES, 'voice.py'), 'question.wav', 'answer.wav'], {
        cwd: folder,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
      assert.deepEqual([out, error], ['you:  what time is it\nhark: Turn on the light.\n', '']);
      const answer = readWave(readFileSync(join(folder, 'answer.wav')));
      assert.equal(answer?.rate, RATE);
      assert.ok((answer?.samples.length ?? 0) > RATE / 2, `${answer?.samples.length} samples`);
    },
  );

  test('a browser hears, and is answered', skippedFor(browserIsMissing), async () => {
    const address = `${origin}/voice.html#url=${service.url}&key=${KEY}`;
    await using opened = await OpenPage.at(address, { microphone: join(folder, 'question.wav') });
    const { page } = opened;
    await page.click('#talk');
    await page.locator('#said .hark', { hasText: 'Turn on the light.' }).waitFor();
    assert.equal(await page.textContent('#said .you'), 'what time is it');
    await page.locator('#state', { hasText: /idle|listening/ }).waitFor();
    await page.click('#talk');
    assert.deepEqual(opened.complaints, []);
  });
});
