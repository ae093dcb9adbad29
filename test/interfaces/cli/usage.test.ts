import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { hark } from './hark.ts';

const wrong: readonly (readonly string[])[] = [
  [],
  ['events'],
  ['nothing'],
  ['status', '--nothing'],
  ['status', 'too', 'many'],
  ['status', '--url', 'ftp://x'],
  ['status', '--url', 'nonsense'],
  ['status', '--url', 'http://user:hush@x'],
  ['status', '--api-key', 'two words'],
  ['events', 'list', '--limit', '0'],
  ['events', 'list', '--limit', 'many'],
  ['events', 'list', '--after', '-1'],
  ['events', 'tail', '--after', 'now'],
  ['replay'],
  ['replay', '--show', 'nothing'],
  ['replay', '--show', 'settings', '--until', 'tomorrow'],
  ['replay', '--show', 'settings', '--user', 'no/slash'],
  ['replay', '--show', 'settings', '--url', 'http://127.0.0.1:1'],
  ['replay', '--show', 'settings', '--data-dir', 'a', '--kvstore-url', 'redis://b'],
  ['replay', '--show', 'settings', '--kvstore-url', 'http://b'],
  ['diff', '--to', '3'],
  ['ask'],
  ['ask', ' '],
  ['ask', 'x', '--session', 'a b'],
  ['chat', '--user', 'no/slash'],
  ['chat', 'too', 'many'],
  ['backup'],
  ['restore', 'file', '--kvstore-url', 'memory'],
];

describe.concurrent('the command line', () => {
  for (const args of wrong) {
    test(`refuses: hark ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await hark(args);
      assert.equal(code, 64);
      assert.equal(stdout, '');
      if (args.length > 1) assert.match(stderr, /^hark: .+\n$/, 'one line');
      assert.ok(!/hush|two words/.test(stderr), 'no value that may be a secret');
    });
  }

  test('keeps back the value of an option that was mistyped', async () => {
    const { code, stderr } = await hark(['status', '--api-kye=secret-of-mine']);
    assert.equal(code, 64);
    assert.ok(!stderr.includes('secret-of-mine'));
  });

  test('helps, and says its version', async () => {
    const help = await hark(['--help']);
    assert.equal(help.code, 0);
    for (const command of [
      'start',
      'chat',
      'ask',
      'events',
      'replay',
      'diff',
      'doctor',
      'backup',
      'restore',
      'status',
    ])
      assert.match(help.stdout, new RegExp(`^ {2}${command}\\b`, 'm'));
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    assert.equal((await hark(['--version'])).stdout, `${manifest.version}\n`);
  });

  test('shows no key from the environment in its help', async () => {
    const { stdout } = await hark(['status', '--help'], { HARK_API_KEY: 'secret-of-mine' });
    assert.ok(stdout.includes('HARK_API_KEY'));
    assert.ok(!stdout.includes('secret-of-mine'));
  });
});
