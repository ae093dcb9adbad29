import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { TaskIds } from '../../../src/projections/scheduler/taskIds.ts';

const id = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !text.includes('\n')),
  // So many that come after one another that they crowd the same places.
  fc.nat({ max: 2_000 }).map((n) => `t${n}`),
);

test.prop([fc.uniqueArray(id, { maxLength: 300, size: 'max' }), fc.array(id)])(
  'ids are where they were put, also when they are read back from where they were saved',
  (put, others) => {
    const ids = new TaskIds();
    const places = put.map((each) => ids.add(each));
    assert.deepEqual(
      places,
      put.map((_, index) => index),
    );
    const copy = TaskIds.from(ids.toString());
    copy.add('one more\tof them');
    for (const each of [ids, TaskIds.from(ids.toString()), copy]) {
      assert.equal(each.size, put.length + Number(each === copy));
      for (const [index, one] of put.entries()) {
        assert.equal(each.at(index), one);
        assert.equal(each.find(one), index);
      }
      for (const other of others)
        assert.equal(each.find(other), put.includes(other) ? put.indexOf(other) : undefined);
      assert.equal(each.at(put.length + 1), '');
    }
  },
);

test('no ids are none', () => {
  const none = TaskIds.from(new TaskIds().toString());
  assert.equal(none.size, 0);
  assert.equal(none.find(''), undefined);
  assert.equal(none.at(0), '');
});
