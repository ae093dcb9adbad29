import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { defineEvent, personal } from '../../src/events/definition.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';

const secret = personal(z.string());

/** What lies in the log when an event with this data was appended. */
async function rawData(data: z.ZodObject, given: unknown): Promise<string> {
  const adapter = new MemoryAdapter();
  const log = await Log.open(adapter, [defineEvent('test.text.said', { data: () => data })]);
  const events = [{ type: 'test.text.said', data: given }];
  const context = { at: 1, userId: 'u', correlationId: 'c', causationId: null };
  await log.append({ ...context, stream: 's', expected: 'new', events });
  const [raw] = await adapter.readAll({ after: 0, until: 1, limit: 1 });
  return raw?.data ?? '';
}

describe('a field marked as personal', () => {
  for (const [name, schema, value] of [
    ['as it is', secret, 'hidden'],
    ['described', secret.describe('what was said'), 'hidden'],
    ['with meta', secret.meta({ title: 'text' }), 'hidden'],
    ['refined', secret.refine(() => true), 'hidden'],
    ['optional', secret.optional(), 'hidden'],
    ['with a default', secret.default('none'), 'hidden'],
    ['read-only', z.array(secret).readonly(), ['hidden']],
    ['in a record', z.record(z.string(), secret), { key: 'hidden' }],
    ['deep', z.object({ list: z.array(z.object({ text: secret })) }), { list: [{ text: 'hidden' }] }],
  ] as const) {
    it(`is sealed ${name}`, async () => {
      assert.doesNotMatch(await rawData(z.object({ field: schema }), { field: value }), /hidden/);
    });
  }

  for (const [name, schema] of [
    ['a tuple', z.tuple([secret])],
    ['a union', z.union([z.object({ text: secret }), z.number()])],
    ['an intersection', z.intersection(z.object({ text: secret }), z.object({ n: z.number() }))],
    ['a pipe', z.object({ text: secret }).transform((data) => data)],
    ['something lazy', z.lazy(() => secret)],
  ] as const) {
    it(`is refused in ${name}, where it would go into the log as it is`, () => {
      const event = defineEvent('test.text.said', { data: () => z.object({ field: schema }) });
      assert.throws(() => event.personal, TypeError);
    });
  }
});

describe('an upcast', () => {
  const written = defineEvent('test.letter.sent', {
    data: () => z.object({ text: secret, from: secret, words: z.number() }),
  });
  const read = defineEvent('test.letter.sent', {
    version: 2,
    data: () => z.object({ title: secret, from: secret, body: secret }),
    upcasts: {
      1: (old) => {
        const { text, from } = written.data.parse(old);
        return { title: text === null ? null : text.slice(0, 3), from, body: text };
      },
    },
  });

  it('sees personal text in the places in which it was written', async () => {
    const adapter = new MemoryAdapter();
    const context = { at: 1, userId: 'u', correlationId: 'c', causationId: null, stream: 's' };
    const data = { text: 'dear you', from: 'me', words: 2 };
    await (await Log.open(adapter, [written])).append({
      ...context,
      expected: 'new',
      events: [{ type: written.type, data }],
    });
    const log = await Log.open(adapter, [read]);
    for await (const [event] of log.readStream('s'))
      assert.deepEqual(event?.data, { title: 'dea', from: 'me', body: 'dear you' });
  });
});
