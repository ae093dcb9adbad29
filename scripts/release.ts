import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedChangelog } from './release/changelog.ts';

/*
 * npm run release -- 1.2.3: writes the version and its section of the changelog, keeps a log that this version has
 * written, commits all of it and tags it. Nothing leaves this machine: it says at the end what does.
 */

const root = join(import.meta.dirname, '..');
const [version = ''] = process.argv.slice(2);
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) fail('Name the version, as npm run release -- 1.2.3');
if (run('git', 'status', '--porcelain').trim() !== '') fail('There are changes that are not committed');
if (run('git', 'tag', '--list', `v${version}`).trim() !== '') fail(`There is a tag v${version} already`);

const changelog = join(root, 'CHANGELOG.md');
const today = new Date().toISOString().slice(0, 10);
const written = releasedChangelog(readFileSync(changelog, 'utf8'), version, today);
if (written === undefined) fail('The changelog has nothing unreleased');
writeFileSync(changelog, written);
run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
run(process.execPath, join('scripts', 'release', 'data.ts'));
run('git', 'add', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'migrations/data');
run('git', 'commit', '--quiet', '--message', `Release ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `hark ${version}`);
console.log(`v${version} is tagged. What is left:

  npm ci && npm test                        on a fresh clone of the tag
  npm pack                                  the tarball; never publish the folder
  npm run --silent sbom > hark-agent-${version}.cdx.json
  npm publish hark-agent-${version}.tgz     with --provenance where a forge runs this
  git push --follow-tags`);

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
