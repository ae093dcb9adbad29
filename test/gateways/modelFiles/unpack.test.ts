import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { BrokenArchive } from '../../../src/gateways/modelFiles/archive/codes.ts';
import { unpack } from '../../../src/gateways/modelFiles/archive/unpack.ts';
import { unpackInThread } from '../../../src/gateways/modelFiles/archive/unpackInThread.ts';
import { noBzip2, type Packed, packBzip2, tarOf } from '../../support/archives.ts';
import { temporaryFolder } from '../../support/dataDirectory.ts';
import { skippedFor } from '../../support/skippedFor.ts';

const home = temporaryFolder('unpack');
let made = 0;

function place(entries: readonly Packed[] | Buffer): { archive: string; folder: string; around: string } {
  const around = join(home, String(++made));
  mkdirSync(around);
  const archive = join(around, 'm.tar.bz2');
  writeFileSync(archive, packBzip2(Buffer.isBuffer(entries) ? entries : tarOf(entries)));
  return { archive, folder: join(around, 'out'), around };
}

const model: Packed = { name: 'm/model.onnx', content: 'weights' };

function refuses(entries: readonly Packed[] | Buffer, why: RegExp): void {
  const { archive, folder, around } = place(entries);
  assert.throws(
    () => unpack({ archive, folder, root: 'm', keep: ['model.onnx'] }, () => undefined),
    (error) => error instanceof BrokenArchive && why.test(error.message),
  );
  const outside = readdirSync(around).filter((name) => !['m.tar.bz2', 'out'].includes(name));
  assert.deepEqual(outside, []);
}

describe('an archive', skippedFor(noBzip2), () => {
  test('gives what is asked of it, what tells of its licence, and nothing else', () => {
    const { archive, folder } = place([
      { name: 'm/', type: '5' },
      model,
      { name: './m/data/de/dict', content: 'words' },
      { name: 'm/test_wavs/0.wav', content: 'noise' },
      { name: 'm/LICENSE.txt', content: 'free' },
      { name: 'other/model.onnx', content: 'not this' },
      { name: 'm/data/link', type: '2', link: '/etc/passwd' },
    ]);
    unpack({ archive, folder, root: 'm', keep: ['model.onnx', 'data'] }, () => undefined);
    const files = readdirSync(folder, { recursive: true }).map(String).sort();
    assert.deepEqual(files, ['LICENSE.txt', 'data', 'data/de', 'data/de/dict', 'model.onnx']);
    assert.equal(readFileSync(join(folder, 'model.onnx'), 'utf8'), 'weights');
  });

  test('with a name that leads elsewhere is refused, whatever else is in it', () => {
    const elsewhere = /leads elsewhere/;
    for (const name of [
      '../x',
      'm/../../x',
      '/etc/x',
      'm/..',
      'm/a\\..\\x',
      'C:/x',
      'm/a\nb',
      `m/${'x'.repeat(2_000)}`,
    ])
      refuses([model, { name, content: 'x' }], elsewhere);
  });

  test('never writes through a link, neither its own nor one that was there', () => {
    const { archive, folder, around } = place([
      { name: 'm/data', type: '2', link: '..' },
      { name: 'm/data/x', content: 'x' },
      model,
    ]);
    unpack({ archive, folder, root: 'm', keep: ['model.onnx', 'data'] }, () => undefined);
    assert.deepEqual(readdirSync(around).sort(), ['m.tar.bz2', 'out']);
    const again = place([model]);
    mkdirSync(again.folder);
    symlinkSync(join(again.around, 'stolen'), join(again.folder, 'model.onnx'));
    assert.throws(() =>
      unpack(
        { archive: again.archive, folder: again.folder, root: 'm', keep: ['model.onnx'] },
        () => undefined,
      ),
    );
    assert.equal(existsSync(join(again.around, 'stolen')), false);
  });

  test('with a device is refused, with two files of one name, and with too many', () => {
    refuses([{ name: 'm/null', type: '3' }, model], /no file/);
    refuses([model, model], /do not go together/);
    refuses([model, { name: 'm/model.onnx/x', content: 'x' }], /do not go together/);
    refuses(
      [...Array.from({ length: 20_001 }, (_, at) => ({ name: `m/${at}`, content: '' })), model],
      /too many/,
    );
  });

  test('that becomes far more than it is, is refused before it is written', () => {
    const { archive, folder } = place([{ name: 'm/model.onnx', content: Buffer.alloc(40_000_000) }]);
    assert.throws(
      () => unpack({ archive, folder, root: 'm', keep: ['model.onnx'] }, () => undefined),
      /more than it may/,
    );
    assert.ok(readFileSync(join(folder, 'model.onnx')).byteLength < 20_000_000);
  });

  test('that lacks a file, or is cut, is refused', () => {
    refuses([{ name: 'm/tokens.txt', content: 'a' }], /not hold all/);
    refuses(tarOf([model]).subarray(0, 700), /middle/);
  });

  test('is unpacked in a thread, which ends at once when nobody wants it', async () => {
    const { archive, folder } = place([model]);
    const read: number[] = [];
    const wanted = new AbortController();
    const unpacking = { archive, folder, root: 'm', keep: ['model.onnx'] };
    await unpackInThread(unpacking, { signal: wanted.signal, onRead: (bytes) => read.push(bytes) });
    assert.equal(readFileSync(join(folder, 'model.onnx'), 'utf8'), 'weights');
    assert.ok((read.at(-1) ?? 0) > 0);
    const large = place([{ name: 'm/model.onnx', content: Buffer.alloc(10_000_000) }]);
    const onRead = () => wanted.abort(new Error('not wanted'));
    await assert.rejects(
      unpackInThread({ ...unpacking, ...large }, { signal: wanted.signal, onRead }),
      /not wanted/,
    );
    await assert.rejects(
      unpackInThread({ ...unpacking, archive: folder }, { signal: new AbortController().signal, onRead }),
      (error) => error instanceof Error && 'code' in error && error.code === 'EISDIR',
    );
  });
});
