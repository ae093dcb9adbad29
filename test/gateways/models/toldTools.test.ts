import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { requestJson, toldBy } from '../../../src/gateways/models/toldTools.ts';

const tool = { name: 'memory.recall', description: 'Recalls', input: { type: 'object' } };
const asIs = { given: (name: string) => name };

describe('what a provider is told of tools', () => {
  it('is put together once for a tool and its name', () => {
    let times = 0;
    const told = toldBy(({ description }, name) => ({ name, description, times: ++times }));
    const [first] = told([tool], asIs);
    assert.deepEqual(first, { name: 'memory.recall', description: 'Recalls', times: 1 });
    assert.equal(told([tool], asIs)[0], first);
    assert.deepEqual(told([tool], { given: () => 'other' })[0], {
      name: 'other',
      description: 'Recalls',
      times: 2,
    });
    assert.equal(told([{ ...tool }], asIs)[0]?.times, 3);
  });

  it('is asked for in the same JSON as anything else', () => {
    const bodies: object[] = [
      { model: 'm', input: ['a'] },
      { model: 'm', tools: [], stream: true },
      {
        tools: [{ name: 'a', schema: { type: 'object' } }, { name: '"\u2028' }],
        model: 'm',
        left: undefined,
      },
    ];
    for (const body of [...bodies, ...bodies])
      assert.deepEqual(JSON.parse(requestJson(body)), JSON.parse(JSON.stringify(body)));
  });

  it('takes one byte a letter, whatever is said of a tool', () => {
    const body = { model: 'm', tools: [{ ...tool, description: 'Größe … “\u{1F600}”', name: 'caf\u0301e' }] };
    const json = requestJson(body);
    assert.equal(Buffer.byteLength(json), json.length);
    assert.deepEqual(JSON.parse(json), body);
  });

  it('may be all that is asked', () => {
    assert.deepEqual(JSON.parse(requestJson({ tools: [tool] })), { tools: [tool] });
  });
});
