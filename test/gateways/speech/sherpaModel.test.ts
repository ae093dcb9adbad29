import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { sherpaConfig } from '../../../src/gateways/speech/sherpaModel.ts';
import { tokenWords } from '../../../src/gateways/speech/tokenWords.ts';
import { sherpaModels } from '../../../src/gateways/speechModels/sherpa.ts';

describe('models of the registry', () => {
  for (const { id, type, family, languages, parts } of sherpaModels)
    if (type === 'stt' || type === 'tts')
      it(`${id} can be opened, with all its files`, () => {
        const told = sherpaConfig({ id, type, family, languages, files: parts }, 1);
        assert.ok(told, `the family ${family} is not known`);
        const config = JSON.stringify(told.config);
        // sherpa has had a dictionary of its own since the model came out.
        for (const [part, path] of Object.entries(parts))
          if (part !== 'dictDir') assert.ok(config.includes(path), part);
      });

  it('of families that hark does not know are none', () => {
    assert.equal(
      sherpaConfig({ id: 'x', type: 'stt', family: 'new', languages: [], files: {} }, 1),
      undefined,
    );
  });
});

describe('pieces of words', () => {
  it('become words where a space begins one, each until the next', () => {
    const tokens = ['▁what', '▁ti', 'me', ' is', '▁it'];
    const timestamps = [0.1, 0.4, 0.5, 0.8, 2];
    assert.deepEqual(
      tokenWords({ tokens, timestamps, probabilities: [0, Math.log(0.5), Math.log(0.5), 0, 0] }),
      [
        { word: 'what', start: 0.1, end: 0.35, confidence: 1 },
        { word: 'time', start: 0.4, end: 0.75, confidence: 0.5 },
        { word: 'is', start: 0.8, end: 1.05, confidence: 1 },
        { word: 'it', start: 2, end: 2.25, confidence: 1 },
      ],
    );
  });

  it('of scripts without spaces are words of their own', () => {
    const words = tokenWords({ tokens: ['你', '好'], timestamps: [0, 0.3] });
    assert.deepEqual(
      words.map(({ word }) => word),
      ['你', '好'],
    );
  });

  it('without times have none', () => {
    assert.deepEqual(tokenWords({ tokens: ['▁a'], timestamps: [] }), []);
  });
});
