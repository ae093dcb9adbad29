import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { letGo } from '../src/letGo.ts';

describe('bytes that are let go', () => {
  it('are empty, with all that lay in the same memory', () => {
    const bytes = Buffer.alloc(300_000, 1);
    const part = bytes.subarray(7);
    letGo(part);
    assert.equal(bytes.length, 0);
    assert.equal(part.length, 0);
  });

  it('stay as they are where the memory may belong to others too', () => {
    const shared = Buffer.from('some words');
    const neighbour = Buffer.from('others');
    letGo(shared);
    assert.equal(shared.toString(), 'some words');
    assert.equal(neighbour.toString(), 'others');
    const among = new Uint8Array(new SharedArrayBuffer(300_000));
    letGo(among);
    assert.equal(among.length, 300_000);
  });
});
