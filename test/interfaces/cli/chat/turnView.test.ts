import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { TurnMessage } from '../../../../src/interfaces/cli/chat/followedTurn.ts';
import { TurnView } from '../../../../src/interfaces/cli/chat/turnView.ts';

const turn: readonly TurnMessage[] = [
  { type: 'step', stepNumber: 1 },
  { type: 'thinking', content: 'Hmm.' },
  { type: 'content', content: 'Let me look.' },
  { type: 'tool_start', id: 't', name: 'look_around', input: { at: 'x\u001b[2J' } },
  { type: 'tool_result', id: 't', result: 'No light', error: true, durationMs: 3.4 },
  { type: 'step', stepNumber: 2 },
  { type: 'thinking', content: 'Aha.' },
  { type: 'content', content: 'It is dark.' },
];

function shown(showsWork: boolean): string {
  const parts: string[] = [];
  const view = new TurnView({ write: (part) => void parts.push(part), showsWork });
  for (const message of turn) view.show(message);
  view.end();
  return parts.join('');
}

describe('a turn in the terminal', () => {
  test('shows thoughts and tools beside the reply, and nothing that steers the terminal', () => {
    const [thought, first, call, result, second, empty, answer, end] = shown(true).split('\n');
    assert.deepEqual([thought, first, second, empty], ['Hmm.', 'Let me look.', 'Aha.', '']);
    assert.deepEqual([answer, end], ['It is dark.', '']);
    assert.equal(call, '→ look_around {"at":"x\\u001b[2J"}');
    assert.equal(result, '← failed, 3 ms: No light');
  });

  test('is the reply alone where its work is not to be shown', () => {
    assert.equal(shown(false), 'Let me look.\n\nIt is dark.\n');
  });
});
