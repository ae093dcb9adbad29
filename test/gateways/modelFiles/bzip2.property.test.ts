import assert from 'node:assert/strict';
import { fc, test as property } from '@fast-check/vitest';
import { describe, test } from 'vitest';
import { unpackBzip2 } from '../../../src/gateways/modelFiles/archive/bzip2.ts';
import { BrokenArchive } from '../../../src/gateways/modelFiles/archive/codes.ts';
import { readTar, type TarEntry } from '../../../src/gateways/modelFiles/archive/tar.ts';
import { noBzip2, noise, type Packed, packBzip2, tarOf } from '../../support/archives.ts';
import { skippedFor } from '../../support/skippedFor.ts';

/** In pieces of so many bytes. */
function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function unpacked(bytes: Uint8Array, size = bytes.length || 1): Buffer {
  return Buffer.concat(Array.from(unpackBzip2(cut(bytes, size)), (piece) => Buffer.from(piece)));
}

/** Runs, repetition and noise, as bytes of every kind of file. */
const content = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.nat(255), fc.nat(2_000)).map(([byte, times]) => new Uint8Array(times).fill(byte)),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(200))
        .map(([some, times]) => Buffer.concat(Array<Uint8Array>(times).fill(some))),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

describe('what bzip2 packed', { ...skippedFor(noBzip2) }, () => {
  property.prop([content, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000 })], {
    numRuns: 150,
  })('comes out as it went in, in whatever pieces it comes', (bytes, level, size) =>
    assert.deepEqual(unpacked(packBzip2(bytes, level), size), bytes),
  );

  property.prop([fc.array(content, { minLength: 1, maxLength: 4 })], { numRuns: 40 })(
    'is one where several packed it, each a part',
    (parts) =>
      assert.deepEqual(unpacked(Buffer.concat(parts.map((part) => packBzip2(part)))), Buffer.concat(parts)),
  );

  test('comes out of several full blocks', () => {
    const bytes = noise(1_000_000, 7);
    for (const level of [1, 9]) assert.ok(unpacked(packBzip2(bytes, level), 4_096).equals(bytes));
  });

  property.prop([content, fc.nat(), fc.integer({ min: 1, max: 255 })], { numRuns: 300 })(
    'and was damaged is refused or comes out as it was',
    (bytes, place, change) => {
      const packed = packBzip2(bytes);
      packed[place % packed.length] = (packed[place % packed.length] ?? 0) ^ change;
      try {
        assert.deepEqual(unpacked(packed), bytes);
      } catch (error) {
        assert.ok(error instanceof BrokenArchive, `${error}`);
      }
    },
  );

  property.prop([content, fc.double({ min: 0, max: 0.999, noNaN: true })], { numRuns: 100 })(
    'and was cut is refused',
    (bytes, share) => {
      const packed = packBzip2(bytes);
      assert.throws(() => unpacked(packed.subarray(0, Math.floor(share * packed.length))), BrokenArchive);
    },
  );
});

property.prop([fc.uint8Array({ maxLength: 500 })], { numRuns: 500 })(
  'any bytes are refused, and soon',
  (bytes) => {
    assert.throws(() => unpacked(bytes), BrokenArchive);
    const whole = Buffer.concat([Buffer.from('BZh1\x31\x41\x59\x26\x53\x59', 'latin1'), bytes]);
    assert.throws(() => unpacked(whole), BrokenArchive);
  },
);

interface Read {
  readonly name: string;
  readonly kind: TarEntry['kind'];
  readonly content: Buffer;
}

function entriesOf(bytes: Uint8Array, size = 512): Read[] {
  return Array.from(readTar(cut(bytes, size)), ({ name, kind, content: some }) => ({
    name,
    kind,
    content: Buffer.concat(Array.from(some, (piece) => Buffer.from(piece))),
  }));
}

const named = fc
  .array(fc.stringMatching(/^[a-z0-9 ._é-]{1,60}$/), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'));
const packed: fc.Arbitrary<Packed> = fc.record({ name: named, content: fc.uint8Array({ maxLength: 2_000 }) });

describe('what tar packed', () => {
  property.prop([fc.array(packed, { maxLength: 10 }), fc.integer({ min: 1, max: 3_000 })], { numRuns: 200 })(
    'is read as it was written, long names too',
    (entries, size) => {
      const expected = entries.map(({ name, content: bytes = '' }) => ({
        name,
        kind: 'file',
        content: Buffer.from(bytes),
      }));
      assert.deepEqual(entriesOf(tarOf(entries), size), expected);
    },
  );

  property.prop(
    [fc.array(packed, { minLength: 1, maxLength: 5 }), fc.nat(), fc.integer({ min: 1, max: 255 })],
    {
      numRuns: 300,
    },
  )('and was damaged is read or refused', (entries, place, change) => {
    const bytes = tarOf(entries);
    bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ change;
    try {
      entriesOf(bytes);
    } catch (error) {
      assert.ok(error instanceof BrokenArchive, `${error}`);
    }
  });

  property.prop([fc.uint8Array({ minLength: 1, maxLength: 3_000 })])('any bytes are refused', (bytes) => {
    if (bytes.some((byte) => byte !== 0)) assert.throws(() => entriesOf(bytes), BrokenArchive);
  });

  test('tells links and devices from files', () => {
    const kinds = entriesOf(
      tarOf([
        { name: 'a/', type: '5' },
        { name: 'a/b', content: 'b' },
        { name: 'a/soft', type: '2', link: '/etc/passwd' },
        { name: 'a/hard', type: '1', link: 'a/b' },
        { name: 'a/device', type: '3' },
      ]),
    ).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['folder', 'file', 'link', 'link', 'other']);
  });
});
