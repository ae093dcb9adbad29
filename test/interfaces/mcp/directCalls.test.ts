import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { DirectCalls } from '../../../src/interfaces/mcp/directCalls.ts';
import { tool } from '../../support/tools.ts';

const named = new Map([
  ['own', tool('own')],
  ['foreign', { ...tool('foreign'), isForeign: true as const }],
]);
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = (params: object = {}, more: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'own', ...params } },
  ...more,
});

describe('a call that goes straight to its tool', () => {
  const direct = new DirectCalls(named);

  it('has a name, and what it is given', () => {
    assert.deepEqual(direct.read(call({ arguments: { a: 1 } }), 'legacy'), {
      ...{ id: 1, name: 'own', input: { a: 1 } },
    });
    assert.deepEqual(direct.read(call({}, { id: 'one' }), 'legacy'), { id: 'one', name: 'own', input: {} });
  });

  for (const [what, message] of [
    ['another version of JSON-RPC', call({}, { jsonrpc: '1.0' })],
    ['no id', call({}, { id: null })],
    ['an id that is no whole number', call({}, { id: 1.5 })],
    ['another method', call({}, { method: 'tools/list' })],
    ['a field that is unknown', call({}, { more: 1 })],
    ['something else to the call', call({ task: {} })],
    ['a wish to be told of progress', call({ _meta: { progressToken: 1 } })],
    ['no name', call({ name: 1 })],
    ['a list of arguments', call({ arguments: [] })],
    ['no arguments but nothing', call({ arguments: null })],
    ['a tool that is not there', call({ name: 'none' })],
    ['a tool of another server', call({ name: 'foreign' })],
    ['no call', 'tools/call'],
    ['several calls', [call()]],
  ] as const)
    it(`is none for the SDK to look at: ${what}`, () => {
      assert.equal(direct.read(message, 'legacy'), undefined);
    });

  it('says of its client what the SDK has taken before, word for word', () => {
    const fresh = new DirectCalls(named);
    const asked = call({ _meta: envelope });
    assert.equal(fresh.read(asked, 'modern'), undefined);
    fresh.take(envelope);
    assert.ok(fresh.read(asked, 'modern'));
    for (const other of [
      { ...envelope, 'io.modelcontextprotocol/clientInfo': { name: 'other', version: '1' } },
      { ...envelope, progressToken: 1 },
      undefined,
    ])
      assert.equal(fresh.read(call({ _meta: other }), 'modern'), undefined);
  });

  it('is not known by what says more than who asks, or goes on for long', () => {
    const fresh = new DirectCalls(named);
    const client = { name: 'x'.repeat(2_000), version: '1' };
    for (const odd of [
      { ...envelope, odd: '1' },
      { ...envelope, 'io.modelcontextprotocol/clientInfo': client },
    ]) {
      fresh.take(odd);
      assert.equal(fresh.read(call({ _meta: odd }), 'modern'), undefined);
    }
  });

  it('is known by so many clients at most', () => {
    const fresh = new DirectCalls(named);
    const of = (version: number) => ({
      ...envelope,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: `${version}` },
    });
    for (let version = 0; version <= 100; version++) fresh.take(of(version));
    assert.equal(fresh.read(call({ _meta: of(0) }), 'modern'), undefined);
    assert.ok(fresh.read(call({ _meta: of(100) }), 'modern'));
  });
});
