import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import type { PersonalFields } from '../../src/events/definition.ts';
import { putBackPersonal, takeOutPersonal } from '../../src/store/sealing.ts';

/** Keys that mean something to JavaScript, and the one that some records have. */
const key = fc.constantFrom('text', '__proto__', 'constructor', 'prototype', 'length', '0', 'toString');
const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('said', 7, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((entries) => JSON.parse(`{${entries.map(([k, v]) => `"${k}":${JSON.stringify(v)}`).join()}}`)),
  ),
})).value;
const fields: fc.Arbitrary<PersonalFields> = fc.letrec<{ fields: PersonalFields }>((tie) => ({
  fields: fc.oneof(
    { depthSize: 'small' },
    fc.constant({ kind: 'value' as const }),
    fc.record({ kind: fc.constant('each' as const), element: tie('fields') }),
    fc
      .uniqueArray(fc.tuple(key, tie('fields')), { selector: ([name]) => name, maxLength: 4 })
      .map((entries) => ({ kind: 'fields' as const, fields: entries })),
  ),
})).fields;

test.prop([json, fields])(
  'what is taken out comes back as it was, whatever it is called',
  (data, personal) => {
    const written = JSON.stringify(data);
    const { rest, values } = takeOutPersonal(JSON.parse(written), personal);
    const back = putBackPersonal(JSON.parse(JSON.stringify(rest)), JSON.parse(JSON.stringify(values)));
    assert.equal(JSON.stringify(back), written);
  },
);

const step = fc.oneof(key, fc.integer({ min: -1, max: 4 }), fc.constant(4_294_967_294));
const forged = fc.array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 4 }), json), { maxLength: 4 });
const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));

test.prop([json, forged])(
  'a place that somebody made up changes nothing but what is there',
  (data, values) => {
    const own = JSON.parse(JSON.stringify(data));
    putBackPersonal(own, values);
    assert.equal(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), before);
    assert.equal(Object.getOwnPropertyNames(Array.prototype).includes('text'), false);
    checkPlain(own);
  },
);

test('no prototype is reached through a sealed field', () => {
  const event = putBackPersonal({ a: {}, list: [1] }, [
    [['__proto__', 'polluted'], 'yes'],
    [['a', '__proto__', 'polluted'], 'yes'],
    [['a', 'constructor', 'prototype', 'polluted'], 'yes'],
    [['list', 'length'], 4_000_000_000],
    [['list', 7], 'yes'],
    [['a', 'new'], 'yes'],
  ]);
  assert.deepEqual(event, { a: {}, list: [1] });
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

function checkPlain(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  assert.equal(Object.getPrototypeOf(value), Array.isArray(value) ? Array.prototype : Object.prototype);
  for (const one of Object.values(value)) checkPlain(one);
}
