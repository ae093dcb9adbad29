import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { settings, variableNames } from '../../src/config.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

it('the operator is told of every variable and every setting, and of no other', () => {
  const told = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(told, variableNames);
  for (const [key, { variable }] of settings)
    assert.match(page, new RegExp(`^\\| \`${variable}\` .*\`${key}\``, 'm'));
});
