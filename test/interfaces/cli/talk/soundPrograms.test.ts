import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'vitest';
import { player, recorder } from '../../../../src/interfaces/cli/talk/soundPrograms.ts';
import { TemporaryFolder } from '../hark.ts';

/** A `PATH` of two folders, with these programs in the second. */
function pathWith(folder: TemporaryFolder, ...names: readonly string[]): string {
  const programs = join(folder.path, names.join('-'));
  mkdirSync(programs);
  for (const name of names) {
    writeFileSync(join(programs, name), '#!/bin/sh\n');
    chmodSync(join(programs, name), 0o755);
  }
  return [folder.path, programs].join(delimiter);
}

describe('the programs that record and play', () => {
  test('are found in their order', () => {
    using folder = new TemporaryFolder();
    const platform = 'linux';
    for (const [names, recording, playing] of [
      [['aplay', 'arecord', 'rec', 'play', 'ffmpeg', 'ffplay'], 'arecord', 'aplay'],
      [['rec', 'play', 'ffmpeg', 'ffplay'], 'rec', 'play'],
      [['ffmpeg', 'ffplay'], 'ffmpeg', 'ffplay'],
    ] as const) {
      const machine = { path: pathWith(folder, ...names), platform } as const;
      assert.equal(recorder(16_000, machine).command, recording);
      const { command, args } = player(16_000, machine);
      assert.equal(command, playing);
      assert.ok(args.includes('16000'));
    }
  });

  test('are said to be missing, with what to install', () => {
    using folder = new TemporaryFolder();
    const machine = { path: pathWith(folder, 'aplay'), platform: 'linux' } as const;
    assert.throws(
      () => recorder(16_000, machine),
      /no program to record with .*install alsa-utils, sox or ffmpeg/,
    );
    assert.equal(player(16_000, machine).command, 'aplay');
  });

  test('FFmpeg records where it is known how', () => {
    using folder = new TemporaryFolder();
    const path = pathWith(folder, 'ffmpeg');
    assert.ok(recorder(16_000, { path, platform: 'darwin' }).args.includes('avfoundation'));
    assert.throws(() => recorder(16_000, { path, platform: 'aix' }), /no program to record/);
  });
});
