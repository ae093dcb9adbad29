import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideTools } from './testTools.ts';

/*
 * npm test [-- part of a path … --flag=value …]: the test files whose path has one of the parts, all without
 * any. Flags go to Node's test runner. With CI set, nothing may be skipped.
 */

/** No test takes so long: what hangs is to fail while there is still somebody to see it. */
const TIMEOUT_MS = 300_000;
const MOST_FILES_AT_ONCE = 4;

process.chdir(join(import.meta.dirname, '..'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const files = globSync('test/**/*.test.ts')
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(`No test file has ${parts.join(' or ')} in its path`);
  process.exit(1);
}

const missing = provideTools(files);
for (const { command, debian, tests } of missing) {
  console.log(`No ${command} here (Debian package ${debian}): skipped is ${tests}`);
}

const folder = mkdtempSync(join(tmpdir(), 'hark-test-'));
const skippedFile = join(folder, 'skipped');
const [code] = await once(spawn(process.execPath, runnerArguments(), runnerOptions()), 'exit');
const skipped = readSkipped();
rmSync(folder, { recursive: true });

console.log(skipped.length === 0 ? 'Nothing was skipped' : `${skipped.length} skipped:`);
for (const test of skipped) console.log(`- ${test}`);
const incomplete = skipped.length > 0 || missing.length > 0;
if (incomplete && process.env.CI) console.error('In CI nothing may be skipped');
process.exitCode = code === 0 && incomplete && process.env.CI ? 1 : (code ?? 1);

function runnerArguments(): string[] {
  return [
    '--test',
    `--test-concurrency=${Math.min(availableParallelism(), MOST_FILES_AT_ONCE)}`,
    `--test-timeout=${TIMEOUT_MS}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, 'skippedTests.ts')}`,
    `--test-reporter-destination=${skippedFile}`,
    ...flags,
    ...files,
  ];
}

function runnerOptions() {
  return { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } } as const;
}

function readSkipped(): string[] {
  try {
    return readFileSync(skippedFile, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
