import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Node, parseSync, Visitor } from 'oxc-parser';

/*
 * Changes one operator, condition, constant or statement at a time, in a copy of the sources, and asks the tests whether
 * they see it.
 *
 *   npm run mutate -- firing --most 40
 */

interface Group {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** The saga runtime, and the four processes that it drives. */
const GROUPS: Readonly<Record<string, Group>> = {
  runtime: { files: ['src/sagas/*.ts'], tests: ['test/sagas/*.test.ts'] },
  consolidation: {
    files: [
      'src/sagas/memory/{consolidation,understanding}.ts',
      'src/commands/memory/{consolidate,episodes,findings}.ts',
    ],
    tests: ['test/sagas/memory/*.test.ts', 'test/commands/memory/*.test.ts'],
  },
  sweep: {
    files: [
      'src/sagas/maintenance/*.ts',
      'src/sagas/maintenance/contradictions/*.ts',
      'src/commands/memory/{upkeep,sweep/*}.ts',
    ],
    tests: [
      'test/sagas/maintenance/*.test.ts',
      'test/sagas/maintenance/contradictions/{candidates,conclusionVectors,finder,judge,pairCache,pipeline,verdicts}.test.ts',
      'test/commands/memory/sweep/*.test.ts',
    ],
  },
  firing: {
    files: ['src/sagas/scheduler/*.ts', 'src/commands/scheduler/{fireTask,replanTask,state,endRun}.ts'],
    tests: ['test/{sagas,commands}/scheduler/*.test.ts'],
  },
  billing: {
    files: ['src/{sagas,commands}/providers/billing.ts'],
    tests: [
      'test/sagas/providers/billing.test.ts',
      'test/commands/providers/*.test.ts',
      'test/application/providers/*.test.ts',
    ],
  },
};

/** Of these, the copy has its own; all else is that of the tree. */
const COPIED = ['src', 'test'];
/** A change may have something go on for ever: after so many times what the tests take without it, nobody waits. */
const LONGEST_RUN = 5;
/** And while the machine does something else, so much more. */
const LEAST_LIMIT_MS = 15_000;
const LONGEST_UNCHANGED_MS = 300_000;

export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
};
const METHODS: Readonly<Record<string, string>> = { some: 'every', every: 'some', min: 'max', max: 'min' };

/** Every change of one place that would still be a program. */
export function mutantsOf(source: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const types = new Set<number>();
  const add = ({ start, end }: Pick<Node, 'start' | 'end'>, text: string) => found.push({ start, end, text });
  const of = ({ start, end }: Pick<Node, 'start' | 'end'>) => source.slice(start, end);
  const binary = (left: Node, operator: string, right: Node) => {
    const swapped = SWAPPED[operator];
    const between = { start: left.end, end: right.start };
    if (swapped !== undefined) add(between, of(between).replace(operator, swapped));
  };
  const condition = (test: Node) => {
    add(test, 'true');
    add(test, 'false');
  };
  new Visitor({
    BinaryExpression: ({ left, operator, right }) => binary(left, operator, right),
    LogicalExpression({ left, operator, right, ...whole }) {
      if (operator === '??') add(whole, of(left));
      else binary(left, operator, right);
    },
    ConditionalExpression: ({ test }) => condition(test),
    IfStatement: ({ test }) => condition(test),
    WhileStatement: ({ test }) => add(test, 'false'),
    UnaryExpression({ operator, argument, ...whole }) {
      if (operator === '!' || operator === '-') add(whole, of(argument));
    },
    UpdateExpression({ operator, argument, prefix, ...whole }) {
      const other = operator === '++' ? '--' : '++';
      add(whole, prefix ? `${other}${of(argument)}` : `${of(argument)}${other}`);
    },
    AssignmentExpression({ left, operator, right }) {
      if (operator === '+=' || operator === '-=') {
        const between = { start: left.end, end: right.start };
        add(between, operator === '+=' ? ' -= ' : ' += ');
      }
      if (operator === '??=') add({ start: left.end, end: right.start }, ' = ');
    },
    TSLiteralType: ({ literal }) => void types.add(literal.start),
    Literal({ value, ...whole }) {
      if (types.has(whole.start)) return;
      if (typeof value === 'boolean') add(whole, String(!value));
      if (typeof value === 'number') add(whole, String(value > 10 ? value * 2 : value + 1));
    },
    ExpressionStatement({ expression, ...whole }) {
      if (expression.type === 'CallExpression' || expression.type === 'AwaitExpression') add(whole, ';');
    },
    CallExpression({ callee, ...whole }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { property, object } = callee;
      const other = METHODS[property.name];
      if (other !== undefined) add(property, other);
      if (property.name === 'filter') add(whole, of(object));
    },
  }).visit(parseSync('a.ts', source).program);
  return found;
}

/** Evenly over all of them, so that a few say of all. */
function sampled<Value>(all: readonly Value[], most: number): readonly Value[] {
  const every = Math.max(1, all.length / most);
  return all.filter((_, at) => Math.floor(at / every) !== Math.floor((at - 1) / every));
}

function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'hark-mutants-'));
  for (const name of readdirSync(root)) {
    if (COPIED.includes(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
    else if (name !== '.git') symlinkSync(join(root, name), join(copy, name));
  }
  return copy;
}

/** Undefined when they went on for longer than that. */
async function passes(copy: string, tests: readonly string[], limitMs: number): Promise<boolean | undefined> {
  const vitest = join(copy, 'node_modules/.bin/vitest');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--bail', '1', '--no-isolate', '--max-workers', '1', ...tests],
    {
      cwd: copy,
      // What is compiled of a changed file is of no use to anybody else.
      env: { ...process.env, NODE_COMPILE_CACHE: join(copy, 'compiled') },
      stdio: 'ignore',
      detached: true,
    },
  );
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  const timeout = setTimeout(() => resolve(undefined), limitMs);
  child.once('exit', (code) => resolve(code === 0));
  return promise.finally(() => {
    clearTimeout(timeout);
    endGroup(child);
  });
}

/** With the processes of its tests, some of which may be left of those that a change has broken. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // They have all ended.
  }
}

/** Those that name the file come first, since they fail first, and the others only where these see nothing. */
function stages(copy: string, file: string, tests: readonly string[]): readonly (readonly string[])[] {
  const name = file.replace(/^src/, '');
  const naming = tests.filter((test) => readFileSync(join(copy, test), 'utf8').includes(`${name}'`));
  const others = tests.filter((test) => !naming.includes(test));
  return [naming, others].filter((stage) => stage.length > 0);
}

interface Stage {
  readonly tests: readonly string[];
  readonly limitMs: number;
}

/** How long each may take, as shown without any change, which also compiles what they need. */
async function timed(
  copy: string,
  file: string,
  stages: readonly (readonly string[])[],
): Promise<readonly Stage[]> {
  const found: Stage[] = [];
  for (const tests of stages) {
    const startedAt = performance.now();
    if (!(await passes(copy, tests, LONGEST_UNCHANGED_MS)))
      throw new Error(`the tests of ${file} fail without any change`);
    found.push({ tests, limitMs: Math.max(LEAST_LIMIT_MS, LONGEST_RUN * (performance.now() - startedAt)) });
  }
  return found;
}

type Outcome = 'seen' | 'too long' | 'unseen';

async function outcomeOf(copy: string, stages: readonly Stage[]): Promise<Outcome> {
  for (const { tests, limitMs } of stages) {
    const passed = await passes(copy, tests, limitMs);
    if (passed !== true) return passed === undefined ? 'too long' : 'seen';
  }
  return 'unseen';
}

async function main(): Promise<void> {
  const root = join(import.meta.dirname, '..');
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      /** By the tests that name the file, where there are any: quicker, and never more than by all. */
      direct: { type: 'boolean', default: false },
      most: { type: 'string' },
      file: { type: 'string', multiple: true, default: [''] },
    },
  });
  const most = Number(values.most ?? Number.POSITIVE_INFINITY);
  const copy = copyOf(root);
  // Whoever has no more time is told of those that were tried.
  let isEnding = false;
  process.once('SIGINT', () => (isEnding = true)).once('SIGTERM', () => (isEnding = true));
  try {
    for (const [name, group] of Object.entries(GROUPS)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue;
      const tests = globSync([...group.tests], { cwd: copy }).sort();
      const files = globSync([...group.files], { cwd: copy })
        .filter((file) => values.file.some((part) => file.includes(part)))
        .sort();
      const all = files.flatMap((file) =>
        mutantsOf(readFileSync(join(copy, file), 'utf8')).map((mutant) => ({ file, mutant })),
      );
      const counts: Record<Outcome, number> = { seen: 0, 'too long': 0, unseen: 0 };
      for (const [file, chosen] of Map.groupBy(sampled(all, most), (one) => one.file)) {
        const source = readFileSync(join(copy, file), 'utf8');
        if (isEnding) break;
        const steps = await timed(
          copy,
          file,
          stages(copy, file, tests).slice(0, values.direct ? 1 : undefined),
        );
        for (const { mutant } of chosen) {
          if (isEnding) break;
          const { start, end, text } = mutant;
          writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end));
          const outcome = await outcomeOf(copy, steps);
          counts[outcome]++;
          if (outcome !== 'seen') console.log(`${told(file, source, mutant)}  (${outcome})`);
        }
        writeFileSync(join(copy, file), source);
      }
      const { seen, 'too long': tooLong, unseen } = counts;
      const tried = seen + tooLong + unseen;
      const share = ((100 * (seen + tooLong)) / Math.max(1, tried)).toFixed(1);
      console.log(
        `${name}: ${seen + tooLong} of ${tried} changes are seen by the tests, ${tooLong} of them as tests ` +
          `that do not end, ${share} % (of ${all.length})`,
      );
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function told(file: string, source: string, { start, end, text }: Mutant): string {
  const line = source.slice(0, start).split('\n').length;
  return `${file}:${line}  ${source.slice(start, end).trim()}  →  ${text.trim() || 'nothing'}`;
}

if (import.meta.main) await main();
