import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, it } from 'vitest';
import { recordingParts } from '../../../src/gateways/speech/recordings.ts';
import { readWave, writeWave } from '../../../src/gateways/speech/wave.ts';

const never = new AbortController().signal;
const path = process.env.PATH ?? '';
const folder = await mkdtemp(join(tmpdir(), 'hark-ffmpeg-'));
afterAll(async () => {
  process.env.PATH = path;
  await rm(folder, { recursive: true });
});

/** A program of its name, which does that. */
async function ffmpeg(script: string): Promise<void> {
  const program = join(folder, 'ffmpeg');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  process.env.PATH = `${folder}${delimiter}${path}`;
}

describe('a recording', () => {
  it('in WAV is heard at the rate of hearing, whatever its own is', async () => {
    const tone = Int16Array.from({ length: 44_100 }, (_, at) => 9_000 * Math.sin(at / 30));
    const [part, ...others] = (await recordingParts(writeWave(tone, 44_100), 'audio/wav', never)) ?? [];
    assert.equal(part?.length, 16_000);
    assert.deepEqual(others, []);
    assert.ok(Math.abs((part?.[8_000] ?? 0) - 9_000 * Math.sin(22_050 / 30)) < 200);
  });

  it('of samples alone is taken as it is', async () => {
    const samples = Int16Array.from({ length: 100 }, (_, at) => at);
    assert.deepEqual(await recordingParts(new Uint8Array(samples.buffer), 'audio/pcm', never), [samples]);
  });

  it('that is long is cut where it is quiet', async () => {
    const samples = new Int16Array(16_000 * 80).fill(5_000);
    samples.fill(0, 16_000 * 40, 16_000 * 40 + 3_200);
    const parts = (await recordingParts(new Uint8Array(samples.buffer), 'audio/pcm', never)) ?? [];
    assert.equal(parts.length, 2);
    assert.equal(
      parts.reduce((sum, { length }) => sum + length, 0),
      samples.length,
    );
    const cut = parts[0]?.length ?? 0;
    assert.ok(cut >= 16_000 * 40 && cut <= 16_000 * 40 + 3_200, `${cut}`);
  });

  it('of other kinds is opened by ffmpeg, which may neither guess nor ask anywhere', async () => {
    await ffmpeg(`echo "$@" > ${join(folder, 'asked')}; cat`);
    const samples = Int16Array.from([1, 2, 3]);
    assert.deepEqual(await recordingParts(new Uint8Array(samples.buffer), 'audio/ogg', never), [samples]);
    const asked = await readFile(join(folder, 'asked'), 'utf8');
    assert.match(asked, /-protocol_whitelist pipe -f ogg -i pipe:0/);
  });

  it('that ffmpeg makes nothing of, or that it makes too much of, is none', async () => {
    await ffmpeg('exit 1');
    assert.equal(await recordingParts(new Uint8Array(10), 'audio/mpeg', never), undefined);
    await ffmpeg('exec cat /dev/zero');
    assert.equal(await recordingParts(new Uint8Array(10), 'audio/mpeg', never), undefined);
  });

  it('is given up when nobody wants it any more', async () => {
    await ffmpeg('exec sleep 60');
    const gone = new AbortController();
    const parts = recordingParts(new Uint8Array(10), 'audio/flac', gone.signal);
    gone.abort();
    assert.equal(await parts, undefined);
  });

  it('cannot be opened where there is no ffmpeg, or in a kind that nobody knows', async () => {
    process.env.PATH = '/nowhere';
    assert.equal(await recordingParts(new Uint8Array(10), 'audio/ogg', never), undefined);
    assert.equal(await recordingParts(new Uint8Array(10), 'audio/x-unknown', never), undefined);
    process.env.PATH = path;
  });
});

describe('a WAV file', () => {
  test.prop([fc.int16Array({ maxLength: 500 }), fc.integer({ min: 4_000, max: 96_000 })])(
    'is read as it was written',
    (samples, rate) => assert.deepEqual(readWave(writeWave(samples, rate)), { rate, samples }),
  );

  test.prop([fc.uint8Array({ maxLength: 200 }), fc.nat(60)])(
    'never throws, whatever is in it',
    (noise, at) => {
      const file = writeWave(new Int16Array(20), 16_000);
      file.set(noise.subarray(0, Math.max(0, file.length - at)), Math.min(at, file.length));
      const wave = readWave(file);
      assert.ok(wave === undefined || wave.samples.length < 1_000);
    },
  );
});
