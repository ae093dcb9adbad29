import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..');
const tools = join(root, 'node_modules', '.bin');
const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}`, FORCE_COLOR: '0' };

const checks: Record<string, readonly string[]> = {
  types: ['tsc'],
  'types of the dashboard': ['tsc', '-p', 'dashboard'],
  'format and lint': ['biome', 'check', '.'],
  'dependency rule': ['node', 'scripts/check-dependencies.ts'],
  'line lengths': ['node', 'scripts/check-line-lengths.ts'],
  'names of types': ['node', 'scripts/check-type-names.ts'],
  'files that are named': ['node', 'scripts/check-paths.ts'],
  'page of events': ['node', 'scripts/eventDocs.ts'],
  'unused code': ['knip', '--no-progress', '--no-config-hints'],
  'known vulnerabilities and signatures': ['node', 'scripts/audit.ts'],
};

/** With this a check says that it could not look, for a reason that is not ours. */
const COULD_NOT = 75;

/** Says how it went in one line; what a check that failed has printed follows in full. */
async function run(name: string, [command = '', ...args]: readonly string[]): Promise<boolean> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const passed = code === 0 || code === COULD_NOT;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === COULD_NOT ? '?' : passed ? '✔' : '✖'} ${name} (${seconds} s)`);
  if (code !== 0) console.log(`${out}${err}`.trimEnd());
  return passed;
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;
