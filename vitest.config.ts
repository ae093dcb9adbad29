import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** No test takes so long: what hangs is to fail while there is still somebody to see it. */
const TIMEOUT_MS = 300_000;

/** The layers whose branches are counted: what decides, adds up, shows and goes on by itself, and where it is kept. */
const COVERED = ['commands', 'folds', 'projections', 'sagas', 'store'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A process for each file, as a service has one, and the sources as Node runs them: nothing is transformed.
    pool: 'forks',
    // One more than there are processors: a quarter of the time, tests wait for processes and disks.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    experimental: { viteModuleRunner: false, nodeLoader: false, diagnostics: false },
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // Hooks run in the order in which they are written, and those of a test too.
    sequence: { hooks: 'list' },
    env: { NODE_ENV: 'test' },
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
