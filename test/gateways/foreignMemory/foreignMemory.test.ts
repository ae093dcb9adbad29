import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'vitest';
import { isHarkError } from '../../../src/errors.ts';
import { ForeignMemory } from '../../../src/gateways/foreignMemory/foreignMemory.ts';
import { TemporaryFolder } from '../../interfaces/cli/hark.ts';

/** A home directory, a root with projects and an inbox, with the files that a test needs. */
function machine(files: Record<string, string | Uint8Array>) {
  const folder = new TemporaryFolder();
  const path = (name: string) => join(folder.path, name);
  for (const name of ['home', 'work', 'inbox', 'outside']) mkdirSync(path(name));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  }
  const memory = new ForeignMemory({ home: path('home'), roots: [path('work')], inbox: path('inbox') });
  const texts = async (source: string, at?: string) => {
    const found: string[] = [];
    for await (const item of await memory.read(source, at)) {
      if (item.kind === 'statement') found.push(item.text);
      if (item.kind === 'unusable') found.push(`! ${item.item}: ${item.reason}`);
      if (item.kind === 'conversation') found.push(...item.turns.map(({ role, text }) => `${role}: ${text}`));
    }
    return found.sort();
  };
  return { path, memory, texts, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const refused = (error: unknown) => isHarkError(error, 'FORBIDDEN');

describe('what other tools remember', () => {
  test('is found where each of them keeps it', async () => {
    using at = machine({
      'home/.claude/CLAUDE.md': '# Me\n\n- Answer in **English**.\n',
      'home/.claude/projects/-home-work/memory/MEMORY.md': '---\nname: bun\n---\nUse `bun`, not npm.\n',
      'home/.cursor/rules/style.mdc': '---\ndescription: style\nalwaysApply: true\n---\n- Two spaces\n',
      'home/.codeium/windsurf/memories/global_rules.md': 'Be brief.\n',
      'home/.codeium/windsurf/memories/0a1b.pb': new Uint8Array([8, 0, 18, 0]),
      'home/.config/Code/User/prompts/me.instructions.md': 'Explain each step.\n',
      'work/site/.github/instructions/web/css.instructions.md':
        '---\napplyTo: "**/*.css"\n---\nNo ids in CSS.\n',
      'work/site/CLAUDE.md': 'The site is in French.\n',
      'work/site/.windsurfrules': 'Never force-push.\n',
    });
    assert.deepEqual(await at.texts('claude-code'), [
      'Answer in English.',
      'The site is in French.',
      'Use bun, not npm.',
    ]);
    assert.deepEqual(await at.texts('cursor'), ['Two spaces']);
    assert.deepEqual(await at.texts('windsurf'), [
      '! ~/.codeium/windsurf/memories/0a1b.pb: Binary, not text',
      'Be brief.',
      'Never force-push.',
    ]);
    assert.deepEqual(await at.texts('copilot'), ['Explain each step.', 'No ids in CSS.']);
    const sources = await at.memory.sources();
    assert.deepEqual(
      sources.map(({ id, available, items }) => [id, available, items]),
      [
        ['claude-code', true, 3],
        ['cursor', true, 1],
        ['windsurf', true, 2],
        ['aider', false, 0],
        ['copilot', true, 2],
        ['conversation', true, 0],
        ['export', true, 0],
      ],
    );
  });

  test('is read as notes: items and paragraphs, under their headings', async () => {
    const notes = [
      '# Project',
      '',
      'A shop for [bicycles](https://bikes.example) that runs',
      'in two countries.',
      '',
      '## Code style',
      '',
      'When you name things:',
      '- functions are verbs',
      '- types are nouns',
      '',
      '```sh',
      '- not a statement',
      '```',
      '<!-- nor',
      'this -->',
      '1. [x] Tabs are *never* used',
      '',
      '@docs/more.md',
      '---',
      '| Thing | Where |',
    ].join('\r\n');
    using at = machine({ 'home/CLAUDE.md': `\ufeff${notes}` });
    assert.deepEqual(await at.texts('claude-code'), [
      'A shop for bicycles that runs in two countries.',
      'Code style: Tabs are *never* used',
      'Code style: Thing Where',
      'Code style: When you name things: functions are verbs',
      'Code style: When you name things: types are nouns',
    ]);
  });

  test('is read as the chats that Aider notes', async () => {
    using at = machine({
      'work/shop/.aider.chat.history.md': [
        '# aider chat started at 2024-05-01 10:00:00',
        '> Aider v0.82',
        '#### /add shop.py',
        '> Added shop.py',
        '#### sell bicycles',
        '#### in Oslo',
        '',
        'I will do that.',
        '> Applied edit to shop.py',
        '# aider chat started at 2024-05-02 10:00:00',
        '> Aider v0.82',
      ].join('\n'),
      'work/shop/.aider.conf.yml':
        'model: x\nread:\n  - STYLE.md # ours\n  - ../../outside/secret.md\nauto: true\n',
      'work/shop/STYLE.md': 'Prices in crowns.\n',
      'outside/secret.md': 'Nobody reads this.\n',
    });
    assert.deepEqual(await at.texts('aider'), [
      `! ${at.path('work/shop/.aider.conf.yml')}: read: Not notes below the same folder`,
      'Prices in crowns.',
      'assistant: I will do that.',
      'user: sell bicycles\nin Oslo',
    ]);
  });

  test('is told of as unusable when it is huge, binary, cut off or in an unknown encoding', async () => {
    using at = machine({
      'work/a/CLAUDE.md': 'x'.repeat(2 ** 20 + 1),
      'work/b/CLAUDE.md': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
      'work/c/CLAUDE.md': Buffer.from('Über').subarray(0, 1),
      'work/d/CLAUDE.md': Buffer.from('Caf\xe9 au lait', 'latin1'),
      'work/e/CLAUDE.md': Buffer.from('\ufeffI like tea', 'utf16le'),
    });
    spawnSync('mkfifo', [at.path('work/CLAUDE.local.md')]);
    const encoding = 'Neither UTF-8 nor UTF-16 text, or cut off in the middle of a character';
    assert.deepEqual(await at.texts('claude-code'), [
      `! ${at.path('work/CLAUDE.local.md')}: Not a file`,
      `! ${at.path('work/a/CLAUDE.md')}: Larger than 1 MB`,
      `! ${at.path('work/b/CLAUDE.md')}: ${encoding}`,
      `! ${at.path('work/c/CLAUDE.md')}: ${encoding}`,
      `! ${at.path('work/d/CLAUDE.md')}: ${encoding}`,
      'I like tea',
    ]);
  });

  test('is never read from elsewhere, whatever a path or a link says', async () => {
    using at = machine({
      'outside/CLAUDE.md': 'Secret.\n',
      'home/.ssh/id_ed25519': 'Secret.\n',
      'home/notes.md': 'Private.\n',
      'home/dev/app/CLAUDE.md': 'Use Rust.\n',
      'home/.claude/rules/a.md': 'Be kind.\n',
    });
    symlinkSync(at.path('outside/CLAUDE.md'), at.path('home/.claude/CLAUDE.md'));
    symlinkSync(at.path('home/.ssh/id_ed25519'), at.path('home/CLAUDE.md'));
    symlinkSync(at.path('outside'), at.path('work/linked'));
    symlinkSync(at.path('home'), at.path('me'));
    const linked = new ForeignMemory({ home: at.path('me'), roots: [], inbox: at.path('inbox') });
    await linked.read('claude-code', at.path('me/dev/app/CLAUDE.md'));
    assert.deepEqual(await at.texts('claude-code'), ['Be kind.']);
    for (const path of [
      at.path('outside/CLAUDE.md'),
      at.path('outside/nothing.md'),
      at.path('home/../outside/CLAUDE.md'),
      at.path('home/.claude/CLAUDE.md'),
      at.path('home/CLAUDE.md'),
      at.path('home/notes.md'),
      at.path('work/linked/CLAUDE.md'),
      '/etc/passwd',
      '../outside/CLAUDE.md',
      'CLAUDE.md\0',
    ])
      await assert.rejects(at.memory.read('claude-code', path), refused, path);
    await assert.rejects(at.memory.lines(at.path('home/notes.md')), refused);
    await assert.rejects(at.memory.read('claude-code', at.path('home/none/CLAUDE.md')), (error) =>
      isHarkError(error, 'VALIDATION_FAILED'),
    );
    for (const path of ['home/none', 'home/.ssh', 'home/none/id_ed25519'])
      await assert.rejects(at.memory.read('claude-code', at.path(path)), refused, path);
    assert.deepEqual(await at.texts('claude-code', at.path('home/dev/app')), ['Use Rust.']);
    assert.deepEqual(await at.texts('claude-code', '~/dev/app/CLAUDE.md'), ['Use Rust.']);
    assert.deepEqual(await at.texts('claude-code', '~/.claude'), ['Be kind.']);
  });
});
