import assert from 'node:assert/strict';
import { test } from 'vitest';
import { range } from '../../support/range.ts';
import { Swept } from './sweeping.ts';
import { drawn, episode, sweep } from './watchedSweep.ts';

const concludedFrom = (episodeId: string) => drawn(`from-${episodeId}`, { sources: [episodeId] });

test('an episode from which something is concluded in the midst of a sweep is no orphan', async () => {
  const episodes = range(0, 400).map((index) => episode(`e${index}`));
  const swept = await Swept.of([...episodes, concludedFrom('e0')]);
  // Before the first part of the orphans, and before the second.
  const meanwhile = [concludedFrom('e1'), concludedFrom('e399')];
  const { report } = await sweep(swept, {
    async before(command) {
      const concluded = command === 'takeStep' ? meanwhile.shift() : undefined;
      if (concluded) await swept.append([concluded]);
    },
  });
  assert.equal(meanwhile.length, 0);
  assert.equal(report.summary.orphans, 397);
  const { episodes: after } = await swept.memory();
  const kept = Object.values(after).filter(({ flagged }) => !flagged);
  assert.deepEqual(
    kept.map(({ episodeId }) => episodeId),
    ['e0', 'e1', 'e399'],
  );
});
