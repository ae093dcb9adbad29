import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { z } from 'zod';

const read = (path: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));

const locked = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  os: z.union([z.string(), z.array(z.string())]).optional(),
  cpu: z.union([z.string(), z.array(z.string())]).optional(),
  hasInstallScript: z.boolean().optional(),
  link: z.boolean().optional(),
  resolved: z.string().optional(),
});
const lock = z.object({ packages: z.record(z.string(), locked) }).parse(read('package-lock.json')).packages;

test('the runtime is pinned: each package of a platform by version and hash', () => {
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(read('runtime/package.json'));
  assert.deepEqual([lock['node_modules/node']?.link, lock['node_modules/node']?.resolved], [true, 'runtime']);
  const platforms = Object.entries(optionalDependencies).map(([name, version]) => {
    const entry = lock[`node_modules/${name}`];
    assert.equal(entry?.version, version, name);
    assert.match(entry?.integrity ?? '', /^sha512-/, name);
    assert.ok(Number.parseInt(version, 10) >= 24, name);
    return `${entry?.os} ${entry?.cpu}`;
  });
  assert.deepEqual(platforms.sort(), ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 x64']);
  const ours = optionalDependencies[`node-${process.platform}-${process.arch}`];
  if (ours !== undefined) assert.equal(process.versions.node, ours);
});

test('everything that is installed has a hash, and nothing of it runs a script', () => {
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(read('package.json'));
  for (const [path, { integrity, link, hasInstallScript }] of Object.entries(lock)) {
    if (!path.startsWith('node_modules/') || link) continue;
    assert.match(integrity ?? '', /^sha512-/, path);
    const name = path.replace(/^.*node_modules\//, '');
    if (hasInstallScript) assert.equal(allowScripts[name], false, name);
  }
});
