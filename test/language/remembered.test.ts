import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { keptOf } from '../../src/language/remembered.ts';
import { requestsIn } from '../../src/language/requests.ts';

const kept = (said: string) => requestsIn(said).flatMap((one) => keptOf(one, 0).map(({ text }) => text));

describe('what is asked to be remembered', () => {
  for (const [said, ...texts] of [
    [
      'Remember that my dog Biscuit is allergic to chicken and I live in Oslo.',
      "The user's dog is called Biscuit.",
      "The user's dog Biscuit is allergic to chicken.",
      'The user lives in Oslo.',
    ],
    [
      'Remember that I am allergic to nuts and my sister hates cheese.',
      'The user is allergic to nuts.',
      "The user's sister hates cheese.",
    ],
    ['Remember my car is red and my bike is blue.', "The user's car is red.", "The user's bike is blue."],
  ] as const)
    it(`is each thing by itself: ${said}`, () => assert.deepEqual(kept(said), texts));

  for (const [said, ...texts] of [
    ['Remember that I love my wife and my kids.', 'The user loves their wife and their kids.'],
    ['Remember that my mum and my dad live in Rome.', "The user's mum and their dad live in Rome."],
    ['Remember that Tom and I are married.', 'Tom and they are married.'],
  ] as const)
    it(`is one thing of two: ${said}`, () => assert.deepEqual(kept(said), texts));
});
