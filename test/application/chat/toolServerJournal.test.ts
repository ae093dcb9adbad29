import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { ToolServerJournal } from '../../../src/application/chat/toolServerJournal.ts';
import { SettableClock } from '../../../src/clock.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { toolServersAt } from '../../../src/projections/tools/toolServers.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';

const HOUR_MS = 3_600_000;
const here = { name: 'far', prefix: 'f', tools: 1, names: ['f.echo'], refused: 0 };
const gone = { name: 'far', prefix: 'f', error: 'It cannot be reached' };

async function begin() {
  const clock = new SettableClock(1_000);
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store: log, clock: clock.read, newId: () => 'id' });
  let isThere = true;
  const journal = new ToolServerJournal({
    runner: () => (isThere ? runner : undefined),
    clock: clock.read,
    wake: clock.wake,
  });
  /** All that was asked for until now is done. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ clock, log, journal, settled },
    state: async () => (await toolServersAt(log, clock.read()))[0]?.state,
    setThere: (is: boolean) => {
      isThere = is;
    },
  };
}

describe('what becomes of tool servers', () => {
  it('is written once, however often somebody looks', async () => {
    const { journal, log, settled } = await begin();
    for (let looked = 0; looked < 5; looked++) {
      journal.note(here);
      await settled();
    }
    assert.equal(await log.head(), 1);
  });

  it('fills no log with a server that comes and goes; how it is then is written an hour later', async () => {
    const { journal, log, clock, settled, state } = await begin();
    for (let changes = 0; changes < 1_000; changes++) {
      journal.note(changes % 2 === 0 ? here : gone);
      await settled();
    }
    assert.equal(await log.head(), 10);
    journal.note(here);
    clock.advance(HOUR_MS - 1);
    await settled();
    assert.equal(await log.head(), 10);
    clock.advance(1);
    await settled();
    assert.equal(await log.head(), 11);
    assert.equal(await state(), 'connected');
  });

  it('is written when the log is back', async () => {
    const { journal, log, settled, setThere } = await begin();
    setThere(false);
    journal.note(here);
    await settled();
    assert.equal(await log.head(), 0);
    setThere(true);
    journal.note(here);
    await settled();
    assert.equal(await log.head(), 1);
  });

  it('ends with those that are not named any more, also where that was while nothing ran', async () => {
    const { journal, log, settled, state } = await begin();
    journal.note(here);
    journal.keep([]);
    await settled();
    assert.deepEqual([await log.head(), await state()], [2, undefined]);
    journal.note(here);
    await settled();
    assert.deepEqual([await log.head(), await state()], [3, 'connected']);
  });
});
