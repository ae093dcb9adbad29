import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..');
const tools = join(root, 'node_modules', '.bin');
const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}`, FORCE_COLOR: '0' };

const checks: Record<string, readonly string[]> = {
  types: ['tsc'],
  'format and lint': ['biome', 'check', '.'],
  'dependency rule': ['node', 'scripts/check-dependencies.ts'],
  'unused code': ['knip', '--no-progress', '--no-config-hints'],
};

/** Says how it went in one line; what a check that failed has printed follows in full. */
async function run(name: string, [command = '', ...args]: readonly string[]): Promise<boolean> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
  const [passed, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${passed ? '✔' : '✖'} ${name} (${seconds} s)`);
  if (!passed) console.log(`${out}${err}`.trimEnd());
  return passed;
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;
