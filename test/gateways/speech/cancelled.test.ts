import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, it, vi } from 'vitest';
import { OpenAiGateway } from '../../../src/gateways/models/openai.ts';
import { CloudHearing } from '../../../src/gateways/speech/cloud.ts';
import type { HearingEngine } from '../../../src/gateways/speech/engine.ts';
import { KeptRecognition } from '../../../src/gateways/speech/hearing.ts';
import { findPocketsphinx, Pocketsphinx } from '../../../src/gateways/speech/pocketsphinx.ts';
import { ProcessHearing } from '../../../src/gateways/speech/processEngines.ts';
import { SpokenOpenAi } from '../../support/models/spokenOpenAi.ts';
import { skippedFor } from '../../support/skippedFor.ts';

/** A model of a few words, of our own making: see training/speech. */
const RECOGNISER = join(import.meta.dirname, '../../support/voice/recogniser');
const files = { model: join(RECOGNISER, 'model.onnx'), tokens: join(RECOGNISER, 'tokens.txt') };
const hasRecogniser = await access(files.model).then(
  () => true,
  () => false,
);
const pocketsphinx = await findPocketsphinx();
const server = await SpokenOpenAi.start();
const asked = Promise.withResolvers<void>();
server.answer = async (_request, response) => {
  asked.resolve();
  await once(response, 'close');
};

const stops: (() => Promise<void>)[] = [() => server[Symbol.asyncDispose]()];
afterAll(() => Promise.all(stops.map((stop) => stop())));
afterEach(() => void vi.useRealTimers());

function hosted(script: URL, spec: unknown): ProcessHearing {
  return new ProcessHearing({ id: 'one', engine: 'sherpa', script, spec, mostMegabytes: 4_000 });
}

const unhurried = () => hosted(new URL('./badEngine.ts', import.meta.url), {});
const engines: Readonly<Record<string, () => HearingEngine | undefined>> = {
  'a process that takes its time': unhurried,
  sherpa: () => {
    const spec = { id: 'one', type: 'stt', family: 'zipformer-ctc', languages: ['en'], files };
    const script = new URL('../../../src/gateways/speech/engines/sherpa.ts', import.meta.url);
    return hasRecogniser ? hosted(script, spec) : undefined;
  },
  pocketsphinx: () => (pocketsphinx === undefined ? undefined : new Pocketsphinx({ program: pocketsphinx })),
  'cloud-b': () => {
    const gateway = new OpenAiGateway({ apiKey: 'sk-test', baseUrl: server.url });
    const clients = { clientFor: async () => ({ gateway, credential: 'one' }) };
    return new CloudHearing({ clients, model: () => 'one' });
  },
};
const nothing = { onWords: () => undefined, onLost: () => undefined };

describe('an utterance that is cancelled after its end', () => {
  for (const [name, make] of Object.entries(engines)) {
    const engine = make();
    it(`is no words of ${name}, which hears on`, skippedFor(engine ? false : name), async () => {
      assert(engine);
      stops.push(() => engine.stop());
      const begun = () => {
        const recognition = new KeptRecognition(async () => [engine], {});
        recognition.hear(new Int16Array(16_000));
        return recognition;
      };
      const early = begun();
      const first = early.end();
      early.cancel();
      assert.equal((await first).text, '', 'before it listens');
      (await engine.listen(nothing)).cancel();
      const late = begun();
      await new Promise((resolve) => setImmediate(resolve));
      const second = late.end();
      if (name === 'cloud-b') await asked.promise;
      late.cancel();
      assert.equal((await second).text, '', 'while it understands');
      assert.equal((await late.end()).text, '');
      assert.equal(engine.lastFailure, undefined);
      (await engine.listen(nothing)).cancel();
    });
  }

  it('is not what its engine is ended for a minute later', async () => {
    const engine = unhurried();
    stops.push(() => engine.stop());
    const other = await engine.listen(nothing);
    const { pid } = engine;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const listening = await engine.listen(nothing);
    const heard = listening.end();
    listening.cancel();
    await assert.rejects(heard, { name: 'EngineLost' });
    vi.advanceTimersByTime(5 * 60_000);
    assert.deepEqual([engine.pid, engine.lastFailure], [pid, undefined]);
    other.cancel();
  });
});
