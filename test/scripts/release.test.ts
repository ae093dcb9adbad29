import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { licenceFile, licencesOf } from '../../scripts/pack/licences.ts';
import { releasedChangelog } from '../../scripts/release/changelog.ts';

const root = join(import.meta.dirname, '../..');

describe('a release', () => {
  test('turns what was unreleased into the section of its version', () => {
    const before =
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Bells.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n';
    assert.equal(
      releasedChangelog(before, '0.2.0', '2026-02-03'),
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- Bells.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n',
    );
  });

  test('of nothing is none', () => {
    for (const text of ['# Changelog\n', '## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- First.\n'])
      assert.equal(releasedChangelog(text, '0.2.0', '2026-02-03'), undefined);
  });

  test('is committed and tagged, and refused where something is not committed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hark-release-'));
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    try {
      execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder]);
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      git('config', 'user.email', 'test@example.org');
      git('config', 'user.name', 'Test');
      const release = () =>
        execFileSync(process.execPath, ['scripts/release.ts', '9.8.7'], {
          cwd: folder,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      assert.match(release(), /v9\.8\.7 is tagged/);
      assert.equal(git('tag', '--points-at', 'HEAD').trim(), 'v9.8.7');
      assert.equal(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version, '9.8.7');
      assert.match(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), /^## \[9\.8\.7\] - \d{4}-\d\d-\d\d$/m);
      const kept = JSON.parse(readFileSync(join(folder, 'migrations/data/9.8.7/shown.json'), 'utf8'));
      assert.equal(kept.shown['/api/memory/profile'].profile.name, 'Robin');
      assert.equal(git('status', '--porcelain'), '');
      assert.throws(release, /tag v9\.8\.7 already/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the licences of what is shipped', () => {
  const licences = licencesOf(root);

  test('ask for no more than to be named', () => {
    assert.ok(licences.length > 50);
    assert.deepEqual(
      licences.filter(({ isAllowed }) => !isAllowed),
      [],
    );
  });

  test('lie in the package, of the page too', () => {
    const text = licenceFile(licences);
    for (const name of ['fastify', 'preact', 'marked', 'openai'])
      assert.match(text, new RegExp(`^${name} \\d`, 'm'));
    assert.match(text, /Permission is hereby granted/);
  });
});
