import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a few MiB, in memory, with a file on it that takes up as much of it as a test wants. */
export class SmallDisk {
  readonly #place: string;
  readonly #filler: string;

  constructor(place: string, megabytes: number) {
    this.#place = place;
    this.#filler = join(place, 'filler');
    const problem = mount(place, megabytes);
    assert.equal(problem, false);
  }

  /** Leaves no byte free. */
  fill(): void {
    const descriptor = openSync(this.#filler, 'a');
    try {
      for (const size of [65_536, 4_096, 1]) fillWith(descriptor, Buffer.alloc(size));
    } finally {
      closeSync(descriptor);
    }
  }

  take(bytes: number): void {
    const descriptor = openSync(this.#filler, 'a');
    try {
      writeSync(descriptor, Buffer.alloc(bytes));
    } finally {
      closeSync(descriptor);
    }
  }

  giveBack(bytes: number): void {
    truncateSync(this.#filler, statSync(this.#filler).size - bytes);
  }

  makeRoom(): void {
    rmSync(this.#filler, { force: true });
  }

  unmount(): void {
    unmount(this.#place);
  }
}

/** Why there can be none; false where there can. For the option `skip`. */
export const noSmallDisk: string | false =
  process.getuid?.() === 0 ? tryToMount() : 'only root can mount a small disk';

function tryToMount(): string | false {
  const place = mkdtempSync(join(tmpdir(), 'hark-mount-'));
  try {
    return mount(place, 1);
  } finally {
    unmount(place);
    rmSync(place, { recursive: true });
  }
}

function mount(place: string, megabytes: number): string | false {
  mkdirSync(place, { recursive: true });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'hark', place]);
  return status === 0 ? false : `no small disk can be mounted here: ${stderr}`;
}

function unmount(place: string): void {
  spawnSync('umount', ['-l', place]);
}

function fillWith(descriptor: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(descriptor, bytes);
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'ENOSPC');
  }
}
