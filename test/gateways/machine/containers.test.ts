import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { Containers } from '../../../src/gateways/machine/containers.ts';
import { temporaryFolder } from '../../support/dataDirectory.ts';

const folder = temporaryFolder('containers');
const waiting = join(folder, 'waiting');

/** Says its version when it is let, and does all else at once. */
const docker = `#!/bin/sh
case "$1" in
  version) read -r version < '${waiting}'; echo "$version" ;;
  container) exit 1 ;;
esac
`;

describe('a container runtime that takes its time to answer', () => {
  it('is not waited for by a list, and is by whoever installs', async (t) => {
    execFileSync('mkfifo', [waiting]);
    writeFileSync(join(folder, 'docker'), docker);
    chmodSync(join(folder, 'docker'), 0o755);
    const { PATH } = process.env;
    t.onTestFinished(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = folder;
    const containers = new Containers({ lookWithinMs: 1 });
    assert.deepEqual(await containers.state(), {
      ...{ is: 'stopped', runtime: 'docker', why: 'It did not end in time' },
    });
    const installing = containers.installRedis();
    // It can be written when somebody reads.
    await writeFile(waiting, '28.5.1\n');
    assert.partialDeepStrictEqual(await installing, { status: 'installed', runtime: 'docker' });
  });
});
