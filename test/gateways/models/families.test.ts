import assert from 'node:assert/strict';
import { test } from 'vitest';
import { anthropicFamily, openAiFamily } from '../../../src/gateways/models/families.ts';

test('a snapshot is what its family is, unless it has a price of its own', () => {
  assert.deepEqual(anthropicFamily('claude-haiku-4-5-20251001')?.prices, [1, 5]);
  assert.deepEqual(openAiFamily('gpt-4o-2024-08-06')?.prices, [2.5, 10]);
  assert.deepEqual(openAiFamily('gpt-4o-2024-05-13')?.prices, [5, 15]);
  assert.equal(openAiFamily('gpt-5.3-chat-latest')?.context, 128_000);
});

test('of models that nobody told of, nothing is guessed', () => {
  for (const id of ['claude-fable-5-9', 'claude-opus-4-9', 'claude-sonnet-6', 'claude'])
    assert.equal(anthropicFamily(id), undefined);
  for (const id of ['gpt-5.9', 'gpt-5-micro', 'gpt-7', 'gpt-4o-next', 'llama3.2'])
    assert.equal(openAiFamily(id), undefined);
});

test('successors of the same name are told apart', () => {
  assert.deepEqual(anthropicFamily('claude-fable-5-2')?.prices, [8, 40]);
  assert.deepEqual(anthropicFamily('claude-fable-5-1')?.prices, [10, 50]);
  assert.deepEqual(openAiFamily('gpt-6.2-astra')?.prices, [8, 40]);
});

test('a fine-tuned model can what its base can, at a price that is not known', () => {
  const tuned = openAiFamily('ft:gpt-4o-mini-2024-07-18:me::x1');
  assert.deepEqual([tuned?.context, tuned?.sees, tuned?.prices], [128_000, true, undefined]);
  assert.equal(openAiFamily('ft:gpt-7:me')?.context, undefined);
});
