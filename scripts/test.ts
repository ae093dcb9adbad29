import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseCLI, startVitest, type TestModule } from 'vitest/node';
import { ensureInstalled } from './ensureInstalled.ts';
import { provideTools } from './testTools.ts';

/*
 * npm test [-- part of a path … --flag …]: the test files whose path has one of the parts, all without any. Flags are
 * vitest's. With CI set, nothing may be skipped.
 */

process.chdir(join(import.meta.dirname, '..'));
process.env.NODE_ENV = 'test';
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const files = globSync('test/**/*.test.ts', { exclude: ['**/node_modules'] }).filter(
  (file) => filter.length === 0 || filter.some((part) => file.includes(part)),
);
if (files.length === 0) {
  console.error(`No test file has ${filter.join(' or ')} in its path`);
  process.exit(1);
}

// Before the tests begin: several of them run at once.
if (files.some((file) => file.startsWith('test/outside/clients/'))) ensureInstalled('test/outside/clients');
const missing = provideTools();
for (const { command, debian, tests } of missing) {
  console.log(`No ${command} here (Debian package ${debian}): skipped is ${tests}`);
}

const vitest = await startVitest('test', filter, { ...options, watch: false, passWithNoTests: false });
const modules = vitest.state.getTestModules();
// A file that cannot be loaded has no tests that could fail, and what comes before or after them belongs to none.
const broken = modules
  .flatMap((module) => [module, ...module.children.allSuites()])
  .filter((part) => part.errors().length > 0).length;
const passed = testsOf(modules, 'passed').length;
const failed = testsOf(modules, 'failed').length + broken + vitest.state.getUnhandledErrors().length;
const skipped = testsOf(modules, 'skipped').filter(
  // What a pattern of names leaves out is not skipped.
  (test) => options.testNamePattern === undefined || lackOf(test) !== undefined,
);
await vitest.close();

console.log(skipped.length === 0 ? 'Nothing was skipped' : `${skipped.length} skipped:`);
for (const test of skipped) console.log(`- ${test.fullName}${lackOf(test) ? `: ${lackOf(test)}` : ''}`);
const incomplete = process.env.CI !== undefined && skipped.length + missing.length > 0;
if (incomplete) console.error('In CI nothing may be skipped');
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exit(failed > 0 || incomplete || passed === 0 ? 1 : 0);

type Test = ReturnType<typeof testsOf>[number];

function testsOf(of: readonly TestModule[], state: 'passed' | 'failed' | 'skipped') {
  return of.flatMap((module) => [...module.children.allTests(state)]);
}

/** What this machine lacks for the test, as `skippedFor` or the test itself said. */
function lackOf(test: Test): string | undefined {
  const result = test.result();
  return test.meta().lacks ?? (result.state === 'skipped' ? result.note : undefined);
}
