import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { Semaphore } from '../../../src/application/semaphore.ts';
import type { ModelFile } from '../../../src/gateways/modelFiles/modelFile.ts';
import { ModelFiles, whyNotFetched } from '../../../src/gateways/modelFiles/modelFiles.ts';
import { noBzip2, noise, tarBz2Of } from '../../support/archives.ts';
import { temporaryFolder } from '../../support/dataDirectory.ts';
import { FileHost } from '../../support/fileHost.ts';
import { skippedFor } from '../../support/skippedFor.ts';
import { noSmallDisk, SmallDisk } from '../../support/smallDisk.ts';

const home = temporaryFolder('model-files');
/** Far longer than the host takes for anything that it does say. */
const SILENCE_MS = 500;

describe('the files of a model', { ...skippedFor(noBzip2) }, () => {
  const weights = noise(300_000, 7);
  const archive = tarBz2Of([
    { name: 'm/model.onnx', content: weights },
    { name: 'm/tokens.txt', content: 'a b c' },
  ]);
  const broken = tarBz2Of([{ name: '../x', content: 'x' }]);
  let host: FileHost;
  let folder: string;
  let folders = 0;

  beforeAll(async () => {
    host = await FileHost.start(
      new Map([
        ['/r/m.tar.bz2', archive],
        ['/r/broken.tar.bz2', broken],
        ['/r/vocoder.onnx', Buffer.from('vocoder')],
      ]),
    );
  });
  afterAll(() => host.stop());
  beforeEach(() => {
    folder = join(home, String(++folders));
    host.asked.length = 0;
  });

  const pinned = (name: string, bytes: Uint8Array, more: Partial<ModelFile> = {}): ModelFile => ({
    name,
    path: `r/${name}`,
    mostBytes: bytes.byteLength,
    sha256: hash('sha256', bytes),
    ...more,
  });
  const packed = pinned('m', archive, { path: 'r/m.tar.bz2', unpack: ['model.onnx', 'tokens.txt'] });
  const vocoder = pinned('vocoder.onnx', Buffer.from('vocoder'));

  const open = (files: readonly ModelFile[], longestSilenceMs?: number) =>
    new ModelFiles({ files, folder, host: host.url, mirror: undefined, longestSilenceMs });
  const filesOf = (...files: readonly ModelFile[]) => open(files);
  const failureOf = async (files: ModelFiles) => {
    const error = await files.fetch().then(
      () => assert.fail('it came'),
      (failure) => failure,
    );
    return whyNotFetched(error);
  };

  test('come, are checked, unpacked, and there only then', async () => {
    const files = filesOf(vocoder, packed);
    const phases: string[] = [];
    let last = 0;
    await files.fetch({
      onProgress({ phase, received, total }) {
        phases.push(phase);
        assert.ok(received >= last && received <= total);
        assert.equal(total, archive.byteLength + 7);
        assert.equal(files.areThere(), false);
        last = received;
      },
    });
    assert.equal(last, archive.byteLength + 7);
    assert.deepEqual([...new Set(phases)], ['downloading', 'checking', 'unpacking']);
    assert.ok(files.areThere());
    assert.deepEqual(readdirSync(folder).sort(), ['m', 'vocoder.onnx']);
    assert.ok(readFileSync(join(files.pathOf('m'), 'model.onnx')).equals(weights));
  });

  test('come once for all who ask at a time, and for as long as anybody wants them', async () => {
    const files = filesOf(packed);
    const first = new AbortController();
    const leaves = assert.rejects(
      files.fetch({ signal: first.signal, onProgress: () => first.abort(new Error('no more')) }),
      /no more/,
    );
    await Promise.all([leaves, files.fetch(), files.fetch()]);
    assert.equal(host.asked.length, 1);
    assert.ok(files.areThere());
    const nobody = filesOf({ ...packed, name: 'm', path: 'r/m.tar.bz2' });
    await nobody.clear();
    const only = new AbortController();
    await assert.rejects(
      nobody.fetch({ signal: only.signal, onProgress: () => only.abort(new Error('no more')) }),
      /no more/,
    );
    assert.equal(nobody.isComing, false);
    assert.equal(nobody.areThere(), false);
  });

  test('wait for their turn where others come, and are let go meanwhile', async () => {
    const downloads = new Semaphore(1);
    const enter = (begin: () => void) => downloads.enter(begin);
    const [first, second, third] = [vocoder, packed, { ...vocoder, name: 'other.onnx' }].map(
      (file) => new ModelFiles({ files: [file], folder, host: host.url, mirror: undefined, enter }),
    );
    assert.ok(first && second && third);
    const order: string[] = [];
    const comes = (name: string, files: ModelFiles, then: () => unknown = () => undefined) =>
      files.fetch({
        onProgress: () => {
          if (order.at(-1) === name) return;
          order.push(name);
          then();
        },
      });
    const were: boolean[] = [];
    const coming = comes('first', first, () => {
      were.push(second.isComing, third.isComing);
      return second.cancel();
    });
    const cancelled = assert.rejects(comes('second', second));
    await Promise.all([coming, cancelled, comes('third', third)]);
    assert.deepEqual(were, [true, true]);
    assert.deepEqual(order, ['first', 'third']);
    await comes('second', second);
    assert.ok(second.areThere());
  });

  test('are complete where the host cuts, promises more than it has, or falls silent', async () => {
    host.prepare('break off', 'stop halfway', 'promise more');
    const files = open([{ ...packed, mostBytes: archive.byteLength + 100 }], SILENCE_MS);
    await files.fetch();
    assert.ok(files.areThere());
    host.prepare('be missing');
    host.asked.length = 0;
    await filesOf(packed).clear();
    assert.deepEqual(await failureOf(files), { why: 'The host answered 404', isPassing: true });
    host.prepare('stop halfway');
    await files.fetch();
    assert.ok(files.areThere());
  });

  test('are refused where the host has a larger file than there should be, and that is final', async () => {
    host.prepare('send more');
    assert.deepEqual(await failureOf(filesOf(packed)), {
      why: 'The host sends a larger file',
      isPassing: false,
    });
    const small = filesOf({ ...packed, mostBytes: 1_000 });
    assert.deepEqual(await failureOf(small), { why: 'The host offers a larger file', isPassing: false });
  });

  test('with a wrong checksum go, and come once more', async () => {
    host.prepare('spoil');
    const wrong: string[] = [];
    const files = filesOf(packed);
    await files.fetch({ onWrong: (name) => wrong.push(name) });
    assert.deepEqual(wrong, ['m']);
    await files.clear();
    host.prepare('spoil', 'spoil');
    assert.deepEqual(await failureOf(files), { why: 'm has a wrong checksum', isPassing: true });
    assert.deepEqual(readdirSync(folder), []);
  });

  test('go where nothing but the checksum is right about them', async () => {
    const files = filesOf(pinned('m', broken, { path: 'r/broken.tar.bz2', unpack: ['model.onnx'] }));
    const { why, isPassing } = await failureOf(files);
    assert.equal(why, 'The archive cannot be used: it holds a name that leads elsewhere');
    assert.equal(isPassing, false);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(existsSync(join(home, 'x')), false);
  });

  test('are not looked for where a host leads into a private network, or without TLS', async () => {
    const secret = await FileHost.start(new Map([['/r/m.tar.bz2', archive]]));
    const forbidden = { why: 'The host leads to an address that may not be asked', isPassing: false };
    for (const leadTo of [
      `${secret.url}/r/m.tar.bz2`,
      'https://127.0.0.1/r/m.tar.bz2',
      'https://169.254.169.254/latest',
      'http://example.com/m.tar.bz2',
      'https://localhost/m',
      'file:///etc/passwd',
    ]) {
      host.prepare({ leadTo });
      assert.deepEqual(await failureOf(filesOf(packed)), forbidden, leadTo);
    }
    assert.deepEqual(secret.asked, []);
    host.prepare({ leadTo: '/r/m.tar.bz2' });
    await filesOf(packed).fetch();
    await filesOf(packed).clear();
    // No more than it follows: what is left over would meet the next test.
    host.prepare(...Array.from({ length: 6 }, () => ({ leadTo: '/r/m.tar.bz2' })));
    assert.equal((await failureOf(filesOf(packed))).why, 'The host leads in a circle');
    await secret.stop();
  });

  test('are deleted while they come, and nothing of them is left', async () => {
    const files = filesOf(packed);
    host.prepare('stop halfway');
    const comes = failureOf(files);
    await host.asksFor('m.tar.bz2');
    await files.clear();
    assert.deepEqual(await comes, { why: 'The download was cancelled', isPassing: true });
    assert.equal(existsSync(folder), false);
    await files.fetch();
    assert.ok(files.areThere());
  });

  test('that somebody left half unpacked are not there, and are tidied away', async () => {
    mkdirSync(join(folder, 'm.unpacking'), { recursive: true });
    writeFileSync(join(folder, 'm.unpacking', 'model.onnx'), 'half');
    writeFileSync(join(folder, 'm.part'), archive.subarray(0, 1_000));
    const files = filesOf(packed);
    assert.equal(files.areThere(), false);
    await files.tidy();
    assert.deepEqual(readdirSync(folder), ['m.part']);
    await files.fetch();
    assert.deepEqual(
      host.asked.map(({ range }) => range),
      ['bytes=1000-'],
    );
  });

  test('for which there is no room are told of, and come when there is', {
    ...skippedFor(noSmallDisk),
  }, async (t) => {
    const place = join(home, 'small');
    const disk = new SmallDisk(place, 1);
    t.onTestFinished(() => disk.unmount());
    folder = join(place, 'model');
    const files = filesOf(packed);
    disk.fill();
    assert.match((await failureOf(files)).why, /not enough room on the disk: it takes 1 MB|The disk is full/);
    // Room for the archive, but not for what is in it.
    disk.giveBack(archive.byteLength + 100_000);
    assert.deepEqual(await failureOf(files), { why: 'The disk is full', isPassing: true });
    assert.deepEqual(readdirSync(folder), ['m.part']);
    host.asked.length = 0;
    disk.makeRoom();
    await files.fetch();
    assert.deepEqual(host.asked, [], 'what came is kept');
    assert.ok(files.areThere());
  });
});
