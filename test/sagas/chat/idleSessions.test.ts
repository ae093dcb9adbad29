import assert from 'node:assert/strict';
import { EMPTY } from 'rxjs';
import { describe, it } from 'vitest';
import type { OpenSession } from '../../../src/projections/chat/openSessions.ts';
import { endIdleSessions, idleAmong } from '../../../src/sagas/chat/idleSessions.ts';
import { playDue } from '../../support/virtualTime.ts';

const MINUTE = 60_000;
const IDLE = 30 * MINUTE;

function session(
  sessionId: string | null,
  lastActivityAt: number,
  over: Partial<OpenSession> = {},
): OpenSession {
  return {
    userId: 'ann',
    sessionId,
    conversationId: `of ${sessionId}`,
    turns: 1,
    lastActivityAt,
    open: [],
    ...over,
  };
}

describe('idle sessions', () => {
  it('are those in which nothing was said for so long, and nothing runs', () => {
    const running = { open: [{ turnId: 'turn', instanceId: 'one' }] };
    const sessions = [
      session('idle', 0),
      session('just now', 1),
      session('at work', 0, running),
      session(null, 0),
    ];
    const { due } = idleAmong(sessions, IDLE, IDLE);
    assert.deepEqual(due, [session('idle', 0)]);
  });

  for (const [what, sessions, again] of [
    ['when the first will be idle', [session('a', 50_000), session('b', 70_000)], 50_000 + MINUTE],
    ['in ten seconds where one could not be ended', [session('a', 0)], 110_000],
    ['in a minute at the latest, since the limit may be lowered', [], 160_000],
  ] as const) {
    it(`are looked for again ${what}`, () => {
      assert.equal(idleAmong(sessions, MINUTE, 100_000).again, again);
    });
  }

  it('are ended one after the other as their time comes, and one that goes on is not', () => {
    const sessions: Record<string, OpenSession> = { a: session('a', 0), b: session('b', 5 * MINUTE) };
    playDue('30m a 4m 59999ms b 8m 59999ms |', {
      saga: () =>
        endIdleSessions({
          sessions: () => Object.values(sessions),
          runner: () => assert.fail('only its times are played'),
          idleMs: () => IDLE,
        }),
      tell: ({ sessionId }) => sessionId,
      answer: ({ sessionId }) => {
        delete sessions[sessionId];
        return EMPTY;
      },
      stopAt: 44 * MINUTE,
    });
  });
});
