import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { eventCatalog } from '../../src/events/catalog.ts';
import { StoredEvent } from '../../src/store/storedEvent.ts';
import { range } from '../support/range.ts';

/* One file for each shape that an event ever had, named after it: read for ever as what lies in some log. */

const folder = join(import.meta.dirname, '../../migrations/events');
const fixture = z.strictObject({ type: z.string(), version: z.int().positive(), data: z.unknown() });

const fixtures = readdirSync(folder).map((file) => ({
  file,
  ...fixture.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
}));

describe('the shape that an event once had', () => {
  for (const { file, type, version, data } of fixtures) {
    it(`still reads: ${file}`, () => {
      assert.equal(file, `${type.replace(':', '.')}.v${version}.json`);
      const definition = eventCatalog.find((known) => known.type === type);
      assert.ok(definition, 'there is no such event any more');
      const raw = { ...envelope, type, schema: version, data: JSON.stringify(data) };
      const read = new StoredEvent(raw, definition).data;
      // Nothing of it is left out, and nothing made up by a default that might change.
      assert.deepEqual(definition.data.parse(read), read);
      if (version === definition.version) assert.deepEqual(read, data);
    });
  }

  for (const { type, version } of eventCatalog) {
    it(`is kept in every version of ${type}`, () => {
      const kept = fixtures.filter((one) => one.type === type).map((one) => one.version);
      assert.deepEqual(
        kept.sort((a, b) => a - b),
        range(1, version + 1),
      );
    });
  }
});

const envelope = {
  position: 1,
  stream: 'fixture',
  version: 1,
  at: 1_700_000_000_000,
  userId: null,
  correlationId: 'fixture',
  causationId: null,
  subject: null,
  sealed: null,
};
