import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { readableSchema } from '../../src/sagas/chat/foreignSchema.ts';

describe('the schema of a foreign tool', () => {
  it('is kept where it is one, but for what models and other clients cannot have', () => {
    assert.deepEqual(
      readableSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, any: true },
        required: ['region'],
        anyOf: [{ required: ['region'] }],
      }),
      {
        type: 'object',
        properties: { region: { type: 'string' }, any: true },
        required: ['region'],
      },
    );
    assert.deepEqual(readableSchema({}), { type: 'object', properties: {} });
  });

  for (const given of [
    7,
    null,
    [],
    { type: 'string' },
    { type: 'objekt' },
    { properties: [] },
    { properties: { a: 7 } },
    { properties: { a: { type: ['string', 'text'] } } },
    { required: 'all' },
    { properties: { a: { anyOf: {} } } },
    { $defs: { a: null } },
    { description: 'x'.repeat(20_000) },
  ])
    it(`is refused where it is ${JSON.stringify(given).slice(0, 40)}`, () => {
      assert.equal(readableSchema(given), undefined);
    });

  it('is refused where it goes too deep', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 100; level++) deep = { type: 'object', properties: { deep } };
    assert.equal(readableSchema(deep), undefined);
  });

  it('throws for nothing that JSON can say, and what it keeps is an object of properties', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (properties, items) => {
        const kept = readableSchema({ properties, items });
        if (kept)
          assert.ok(z.object({ type: z.literal('object'), properties: z.looseObject({}) }).parse(kept));
      }),
    );
  });
});
