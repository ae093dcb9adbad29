import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Understanding } from '../../../src/application/memory/ports.ts';
import { isLeftAlone, worthKeeping } from '../../../src/sagas/memory/remembering.ts';

const finding = {
  text: 'The user lives in Oslo',
  type: 'explicit',
  confidence: 0.9,
  about: null,
  by: 'offline',
  turnIds: ['t1'],
} as const;

function understood(over: Partial<Understanding> = {}): Understanding {
  const said = { summary: 'Said', topic: 'a topic', keywords: [], importance: 3, reasons: [] };
  return { ...said, trivial: false, findings: [], answer: null, by: 'offline', ...over };
}

describe('a turn of a prompt', () => {
  const prompt = { role: 'prompt', source: 'task-1' } as const;

  it('is left alone in a session, without a source, and where it came before', () => {
    assert.equal(isLeftAlone(prompt, 's', { prompted: {} }), true);
    assert.equal(isLeftAlone({ role: 'prompt' }, null, { prompted: {} }), true);
    assert.equal(isLeftAlone(prompt, null, { prompted: { 'task-1': true } }), true);
    assert.equal(isLeftAlone(prompt, null, { prompted: {} }), false);
  });

  it('of the user is not', () => {
    assert.equal(isLeftAlone({ role: 'user' }, 's', { prompted: {} }), false);
  });
});

describe('of a turn is kept', () => {
  const good = { importance: 6, reasons: [] };
  const kept = (
    understanding: Partial<Understanding>,
    turn: { role?: 'user' | 'prompt'; platform?: string; sessionId?: string | null; repeats?: boolean } = {},
  ) => {
    const { role = 'user', platform = 'web', sessionId = 's', repeats = false } = turn;
    const said = { asked: { role, platform }, answered: { text: 'An answer' }, sessionId, repeats };
    return worthKeeping(understood(understanding), said).map(({ type }) => type);
  };
  const corrected = { ...finding, type: 'corrected' } as const;

  for (const [what, understanding, turn, types] of [
    ['nothing of what is only said', {}, {}, []],
    ['a correction', { findings: [corrected] }, {}, ['correction']],
    ['one that is told by its words', { findings: [finding], reasons: ['correction'] }, {}, ['correction']],
    ['no correction of which nothing is known', { reasons: ['correction'] }, {}, []],
    ['a preference', { findings: [finding], reasons: ['preference'] }, {}, ['preference']],
    ['a good answer in a session', { answer: good }, {}, ['RESPONSE_INGEST']],
    ['none that is not good enough', { answer: { ...good, importance: 5 } }, {}, []],
    ['none outside of a session', { answer: good }, { sessionId: null }, []],
    [
      'a task and its good answer',
      { answer: good },
      { sessionId: null, platform: 'task' },
      ['task', 'RESPONSE_INGEST'],
    ],
    ['no trivial task', { trivial: true }, { sessionId: null, platform: 'task' }, []],
    ['no task that repeats what memory said', {}, { sessionId: null, platform: 'task', repeats: true }, []],
    [
      'a prompt as a task, without its answer',
      { answer: good },
      { role: 'prompt', sessionId: null },
      ['task'],
    ],
  ] as const)
    it(what, () => {
      assert.deepEqual(kept(understanding, turn), types);
    });

  it('an answer in its first two thousand characters, with its own weight', () => {
    const said = {
      asked: { role: 'user', platform: 'web' },
      answered: { text: 'x'.repeat(3_000) },
      sessionId: 's',
      repeats: false,
    } as const;
    const [ingest] = worthKeeping(understood({ answer: good }), said);
    assert.deepEqual([ingest?.importance, ingest?.summary?.length], [6, 2_000]);
  });
});
