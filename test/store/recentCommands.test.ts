import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { RecentCommands } from '../../src/store/recentCommands.ts';

const at = (position: number) => ({ position, version: 1 });

describe('commands of a moment ago', () => {
  it('are found until many others have been run since', () => {
    const commands = new RecentCommands();
    for (let n = 0; n < 10_000; n++) {
      commands.note(`c${n}`, at(n));
      for (const back of [0, 1, 1_023])
        if (back <= n) assert.deepEqual(commands.find(`c${n - back}`), at(n - back));
    }
    assert.equal(commands.find('c0'), undefined);
    assert.equal(commands.find('c7000'), undefined);
  });

  it('are none once another log stands in the place of this one', () => {
    const commands = new RecentCommands();
    commands.note('c', at(1));
    commands.clear();
    assert.equal(commands.find('c'), undefined);
  });
});
