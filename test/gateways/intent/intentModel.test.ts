import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { BuiltInIntents, MODEL_FILE } from '../../../src/gateways/intent/builtInIntents.ts';
import { LinearModel } from '../../../src/gateways/intent/linearModel.ts';
import { type Intent, intents } from '../../../src/vocabulary.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, '../../../scripts/trainIntents.ts');

const clear: Readonly<Partial<Record<Intent, string>>> = {
  general_knowledge: 'What is the capital of Portugal?',
  smart_home: 'turn off the lights in the bedroom',
  scheduling: 'remind me to call the bank tomorrow at nine',
  code: 'why does this python function throw a KeyError',
  reasoning: 'if 4 pens cost 6 euros, how much are 10 pens',
  creative: 'write a short poem about a lonely lighthouse',
  conversation: 'good morning, how are you?',
  memory: 'what do you remember about my sister',
  actions: 'send an email to my landlord',
  language: 'translate this sentence into spanish',
  system: 'restart the service',
  none: 'sdkfjh wekjr',
};

describe('the built-in classifier', () => {
  const classifier = new BuiltInIntents();

  for (const [intent, text] of Object.entries(clear)) {
    it(`takes "${text}" for ${intent}`, async () => {
      assert.equal((await classifier.classify(text)).intent, intent);
    });
  }

  it('does not care for case, and finds what is wanted at the end of a long text', async () => {
    assert.equal((await classifier.classify('TURN OFF THE LIGHTS')).intent, 'smart_home');
    const listing = 'x = compute(y); '.repeat(500);
    assert.equal((await classifier.classify(`${listing}\nwhy does this function crash?`)).intent, 'code');
  });

  const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ maxLength: 10_000 }));

  it.prop([anyText])('has an answer to any text, with a confidence from 0 to 1', async (any) => {
    const { intent, confidence } = await classifier.classify(any);
    assert(intents.includes(intent));
    assert(confidence >= 0 && confidence <= 1);
  });

  const model = LinearModel.decode(readFileSync(MODEL_FILE));
  const text = fc.oneof(fc.constantFrom(...Object.values(clear)), fc.string({ maxLength: 80 }));

  it.prop([text, text])('says the same of a text, whatever it was asked about before', (one, other) => {
    const before = model.probabilities(one).slice();
    model.probabilities(other);
    assert.deepEqual(model.probabilities(one), before);
  });

  it('does not read a file that is no model, or only half of one', () => {
    assert.throws(() => LinearModel.decode(new Uint8Array(64)), /Not an intent model/);
    const bytes = readFileSync(MODEL_FILE);
    assert.throws(() => LinearModel.decode(bytes.subarray(0, bytes.length / 2)), /cut off/);
  });

  it('is what comes of the utterances in the repository', async () => {
    const { stdout } = await run(process.execPath, [SCRIPT, '--check']);
    assert.match(stdout, /utterances/);
  });
});
