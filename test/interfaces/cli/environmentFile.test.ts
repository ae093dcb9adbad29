import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { bin, outcomeOf, TemporaryFolder } from './hark.ts';

const { PATH = '', HOME = '' } = process.env;

function harkIn(folder: string, args: readonly string[], environment: Record<string, string> = {}) {
  const env = { PATH, HOME, ...environment };
  return outcomeOf(
    spawn(process.execPath, [bin, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

describe('a file .env in the folder where hark is called', () => {
  test('is read, and the environment wins over it', async () => {
    using folder = new TemporaryFolder();
    writeFileSync(join(folder.path, '.env'), 'HARK_URL=http://127.0.0.1:9/from-file\nHEALTH_PORT=nothing\n');
    assert.match((await harkIn(folder.path, ['status'])).stderr, /127\.0\.0\.1:9\/from-file/);
    const other = { HARK_URL: 'http://127.0.0.1:9/from-environment' };
    assert.match((await harkIn(folder.path, ['status'], other)).stderr, /from-environment/);
    const { code, stderr } = await harkIn(folder.path, ['start']);
    assert.equal(code, 78);
    assert.match(stderr, /^HEALTH_PORT: must be/m);
  });
});
