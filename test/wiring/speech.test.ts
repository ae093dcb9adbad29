import assert from 'node:assert/strict';
import { constants, getPriority } from 'node:os';
import { afterAll, describe, it, type TestContext } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { HealthRegistry } from '../../src/interfaces/healthRegistry.ts';
import { Speech } from '../../src/wiring/speech.ts';

const values: Record<string, string> = {
  voiceSttModel: 'auto',
  voiceTtsModel: 'auto',
  voiceTtsVoice: 'auto',
};
function makeSpeech(): Speech {
  return new Speech({
    config: readConfig({}),
    clients: { clientFor: async () => undefined },
    models: { installed: async () => [], onChange: () => undefined, onLetGo: () => undefined },
    settings: { value: (key) => values[key] ?? '' },
  });
}
const speech = makeSpeech();
afterAll(() => speech.stop());

/** That of one test: its programs end with it. */
function speechOf(test: TestContext): Speech {
  const made = makeSpeech();
  test.onTestFinished(() => made.stop());
  return made;
}

const never = new AbortController().signal;

async function samplesOf(text: string, by = speech): Promise<number> {
  let samples = 0;
  for await (const piece of by.mouth.speak(text, { rate: 16_000, signal: never }))
    samples += piece.samples.length;
  return samples;
}

describe('what hears and speaks', () => {
  it('speaks with what comes with it, and says so', async () => {
    assert.equal(await speech.mouth.isAvailable(), true);
    assert.ok((await samplesOf('Hello.')) > 4_000);
    const { tts } = await speech.status();
    assert.deepEqual({ ...tts }, { engine: 'flite', model: null, status: 'ready', note: undefined });
    const health = new HealthRegistry();
    speech.registerChecks(health);
    const { status, note } = (await health.check('tts-local')) ?? {};
    assert.deepEqual([status, note], ['healthy', 'flite']);
  });

  it('has running what it speaks with once it is prepared, behind the service', async (t) => {
    const prepared = speechOf(t);
    await prepared.prepare({});
    const pid = (await prepared.engineOf('flite'))?.pid;
    assert.ok(pid);
    assert.equal(getPriority(pid), constants.priority.PRIORITY_BELOW_NORMAL);
    await samplesOf('Hello.', prepared);
    assert.equal((await prepared.engineOf('flite'))?.pid, pid);
  });

  it('says nothing of what cannot be prepared: whoever asks is told', async (t) => {
    const stopped = speechOf(t);
    await stopped.prepare({});
    await stopped.stop();
    await stopped.prepare({});
    assert.equal((await stopped.engineOf('flite'))?.pid, undefined);
    await assert.rejects(samplesOf('Hello.', stopped), { code: 'TTS_UNAVAILABLE' });
  });

  it('takes another voice from one sentence to the next', async () => {
    const before = await samplesOf('The same words.');
    values.voiceTtsVoice = 'kal';
    assert.notEqual(await samplesOf('The same words.'), before);
    values.voiceTtsVoice = 'auto';
    assert.equal(await samplesOf('The same words.'), before);
  });
});
