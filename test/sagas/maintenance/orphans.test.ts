import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Pace } from '../../../src/application/maintenance/pace.ts';
import type { CommandRunner } from '../../../src/commands/runner.ts';
import { SweepRun } from '../../../src/sagas/maintenance/sweep.ts';
import { NOW } from '../../support/given.ts';
import { Swept, USER, usual } from './sweeping.ts';

const said = { type: 'conversation', sessionId: null, conversationId: null, turnId: null } as const;
const times = { happenedAt: NOW, expiresAt: Number.MAX_SAFE_INTEGER };
const episodes = Array.from({ length: 400 }, (_, index) => ({
  type: 'memory.episode.created',
  data: {
    episodeId: `e${index}`,
    ...said,
    ...times,
    summary: 'A talk',
    topic: 'talk',
    keywords: [],
    reasons: [],
    importance: 1,
    by: 'offline',
  },
}));

const concludedFrom = (episodeId: string) => ({
  type: 'memory.conclusion.drawn',
  data: {
    conclusionId: `from-${episodeId}`,
    text: 'The user sails',
    type: 'inferred',
    confidence: 0.9,
    sources: [episodeId],
    turnIds: [],
    about: null,
    by: 'offline',
  },
});

test('an episode from which something is concluded in the midst of a sweep is no orphan', async () => {
  const swept = await Swept.of([...episodes, concludedFrom('e0')]);
  // Before the first part of the orphans, and before the second.
  const meanwhile = [concludedFrom('e1'), concludedFrom('e399')];
  const runner: Pick<CommandRunner, 'read' | 'run'> = {
    read: (...args) => swept.runner.read(...args),
    async run(command, ...args) {
      const concluded = command.name === 'memory.takeStep' ? meanwhile.shift() : undefined;
      if (concluded) await swept.append([concluded]);
      return swept.runner.run(command, ...args);
    },
  };
  const context = { userId: USER, correlationId: 'test' };
  const run = new SweepRun(
    { runner, store: swept.store, pace: new Pace() },
    context,
    new AbortController().signal,
  );
  const { summary } = await run.run({ by: 'request', thresholds: usual });
  assert.equal(meanwhile.length, 0);
  assert.equal(summary.orphans, 397);
  const { episodes: after } = await swept.memory();
  const kept = Object.values(after).filter(({ flagged }) => !flagged);
  assert.deepEqual(
    kept.map(({ episodeId }) => episodeId),
    ['e0', 'e1', 'e399'],
  );
});
