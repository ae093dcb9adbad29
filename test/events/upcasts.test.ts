import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { isHarkError } from '../../src/errors.ts';
import { defineEvent, type EventDefinition } from '../../src/events/definition.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { readAll } from '../store/contract.ts';
import { appendOf } from '../store/sampleEvents.ts';

const type = 'sample.walk.taken';
const first = defineEvent(type, { data: () => z.object({ miles: z.number() }) });
const toKilometres = (old: unknown) => ({ kilometres: first.data.parse(old).miles * 1.5 });
const second = defineEvent(type, {
  version: 2,
  data: () => z.object({ kilometres: z.number() }),
  upcasts: { 1: toKilometres },
});
const third = defineEvent(type, {
  version: 3,
  data: () => z.object({ metres: z.number(), steps: z.number().nullable() }),
  upcasts: {
    1: toKilometres,
    2: (old) => ({ metres: second.data.parse(old).kilometres * 1_000, steps: null }),
  },
});

describe('a log of several versions', () => {
  const place = new MemoryAdapter();
  const write = async (definition: EventDefinition, data: unknown) => {
    const log = await Log.open(place, [definition]);
    await log.append(appendOf('walks', { events: [{ type, data }] }));
    return log;
  };

  it('shows every event in its newest shape, lifted one version at a time', async () => {
    await write(first, { miles: 2 });
    await write(second, { kilometres: 2 });
    const log = await write(third, { metres: 2, steps: 3 });
    assert.deepEqual(
      (await readAll(log)).map(({ data }) => data),
      [
        { metres: 3_000, steps: null },
        { metres: 2_000, steps: null },
        { metres: 2, steps: 3 },
      ],
    );
  });

  it('stays as it was written', async () => {
    const raws = await place.readAll({ after: 0, until: 3, limit: 3 });
    assert.deepEqual(
      raws.map(({ schema, data }) => [schema, JSON.parse(data)]),
      [
        [1, { miles: 2 }],
        [2, { kilometres: 2 }],
        [3, { metres: 2, steps: 3 }],
      ],
    );
  });

  it('is refused by who knows only an older shape', async () => {
    await assert.rejects(Log.open(place, [second]), (error) => isHarkError(error, 'LOG_NEWER'));
  });

  it('says which step is missing', async () => {
    const gap = defineEvent(type, { version: 3, data: () => third.data, upcasts: { 1: toKilometres } });
    const [event] = await readAll(await Log.open(place, [gap]));
    assert.throws(() => event?.data, /sample\.walk\.taken has no upcast from version 2/);
  });
});
