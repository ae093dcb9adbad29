import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { keepToolServers, recordToolServer } from '../../../src/commands/tools/toolServers.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { toolServersAt } from '../../../src/projections/tools/toolServers.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';

const plain = { noNullPrototype: true };
const name = fc.constantFrom('far', 'near', '__proto__');
const names = fc.subarray(['f.a', 'f.b', 'f.c']);
const offer = fc
  .record({ name, names, refused: fc.nat(2) }, plain)
  .map((found) => ({ ...found, prefix: 'f', tools: found.names.length }));
const lost = fc.record({ name, prefix: fc.constant('f'), error: fc.constantFrom('refused', 'late') }, plain);
const step = fc.oneof(
  { weight: 4, arbitrary: offer },
  { weight: 3, arbitrary: lost },
  { weight: 1, arbitrary: fc.record({ names: fc.subarray(['far', 'near', '__proto__']) }, plain) },
);

interface Shown {
  readonly name: string;
}

describe('tool servers of the past', () => {
  it.prop([fc.array(step, { maxLength: 20 })], { numRuns: 100 })(
    'are at any moment what was found by then',
    async (steps) => {
      let now = 0;
      const store = await Log.open(new MemoryAdapter(), eventCatalog);
      const runner = new StoreCommandRunner({ store, clock: () => now, newId: () => 'id' });
      const context = { userId: '', correlationId: 'c' };
      const expected: (readonly Shown[])[] = [[]];
      for (const found of steps) {
        now++;
        const before = new Map((expected.at(-1) ?? []).map((one) => [one.name, one]));
        if ('name' in found) {
          await runner.run(recordToolServer, found, context);
          before.set(found.name, shownAs(found, before.get(found.name), now));
        } else {
          await runner.run(keepToolServers, found, context);
          for (const known of before.keys()) if (!found.names.includes(known)) before.delete(known);
        }
        expected.push([...before.values()]);
      }
      for (const [time, then] of expected.entries())
        assert.deepEqual(await toolServersAt(store, time), then, `at ${time}`);
    },
  );
});

function shownAs(
  found: Shown & {
    readonly prefix: string;
    readonly error?: string;
    readonly tools?: number;
    readonly refused?: number;
  },
  before: (Shown & { readonly connectedAt?: number }) | undefined,
  now: number,
): Shown {
  const { name: known, prefix, error, tools = 0, refused = 0 } = found;
  if (error !== undefined)
    return { ...{ name: known, prefix, error }, ...{ state: 'disconnected', tools, refused } };
  const connectedAt = before?.connectedAt ?? now;
  return { ...{ name: known, prefix, tools, refused }, ...{ state: 'connected', connectedAt } };
}
