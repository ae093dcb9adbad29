import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { sizeOf } from '../../src/gateways/speechModels/model.ts';
import { registryOf } from '../../src/gateways/speechModels/registry.ts';

test('docs/voice.md lists every model with its size and licence', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/voice.md'), 'utf8');
  const rows = text
    .split('\n')
    .map((line) => /^\| `([\w-]+)` \| (\w+) \| .+ \| (built in|\d+ MB) \| (.+) \|$/.exec(line)?.slice(1))
    .filter((row) => row !== undefined);
  const expected = registryOf([], undefined).map((model) => {
    const size = model.builtIn ? 'built in' : `${Math.round(sizeOf(model) / 1_000_000)} MB`;
    return [model.id, model.type, size, model.licence];
  });
  assert.deepEqual(rows, expected);
});
