import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { eventCatalog } from '../../src/events/catalog.ts';
import { providerEvents } from '../../src/events/providers.ts';

const folder = join(import.meta.dirname, '../../migrations/events');
const fixture = z.object({ type: z.string(), version: z.int(), data: z.unknown() });

const fixtures = readdirSync(folder).map((file) =>
  fixture.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
);

for (const { type, version, data } of fixtures)
  test(`version ${version} of ${type} still reads`, () => {
    const definition = eventCatalog.find((known) => known.type === type);
    assert(definition, 'There is no such event any more');
    let lifted = data;
    for (let from = version; from < definition.version; from++) lifted = definition.upcasts[from]?.(lifted);
    assert.deepEqual(definition.data.parse(lifted), lifted);
  });

// Those of an area come with it; each area adds its own list here.
for (const { type, version } of providerEvents)
  test(`every version of ${type} has a fixture`, () => {
    const kept = fixtures.filter((one) => one.type === type).map((one) => one.version);
    assert.deepEqual(
      kept.sort(),
      Array.from({ length: version }, (_, index) => index + 1),
    );
  });
