import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** No test takes so long: what hangs is to fail while there is still somebody to see it. */
const TIMEOUT_MS = 300_000;

/** The layers whose branches are counted: what decides, adds up, shows and goes on by itself, and where it is kept. */
const COVERED = ['commands', 'folds', 'projections', 'sagas', 'store'];

/** Where the command line keeps it too. Without it, each file and each process that it starts compiles all anew. */
const COMPILED = join(import.meta.dirname, 'node_modules/.cache/hark');

/** Of what comes from the cache, V8 counts whole functions and not their branches. */
const compileCache: Record<string, string> = process.argv.includes('--coverage')
  ? { NODE_DISABLE_COMPILE_CACHE: '1' }
  : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILED };

/**
 * Whose files share processes: to start one and to load the sources into it takes longer than most of them do. What
 * they start, they end, and they leave no variable changed.
 */
const SHARING = [
  'test/*.test.ts',
  'test/{application,commands,events,folds,language,projections,sagas,service,store,tracing,wiring,workflowFiles}/**/*.test.ts',
  'test/gateways/models/**/*.test.ts',
  'test/interfaces/!(cli)/**/*.test.ts',
];
/** They measure the process that they run in. */
const MEASURING = ['test/restingThread.test.ts', 'test/service/{system,voiceProtocol}.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, exclude: MEASURING, isolate: false } },
      { extends: true, test: { name: 'measuring', include: MEASURING } },
      // All others have a process for each file too, as a service has one.
      {
        extends: true,
        test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: ['**/node_modules/**', ...SHARING] },
      },
    ],
    // Processes, and the sources as Node runs them: nothing is transformed.
    pool: 'forks',
    // One more than there are processors: a quarter of the time, tests wait for processes and disks.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    experimental: { viteModuleRunner: false, nodeLoader: false, diagnostics: false },
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // Hooks run in the order in which they are written, and those of a test too.
    sequence: { hooks: 'list' },
    env: { NODE_ENV: 'test', ...compileCache },
    coverage: {
      provider: 'v8',
      include: COVERED.map((folder) => `src/${folder}/**/*.ts`),
      // Threads and processes that a test starts count too: the writer of SQLite, the indexes, the started service.
      autoAttachSubprocess: true,
      // What a test that fails reaches is reached.
      reportOnFailure: true,
      reporter: ['text-summary', 'html', 'json-summary'],
    },
  },
});
