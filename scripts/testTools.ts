import { type DebianTool, provide } from './debianTools.ts';

interface Tool extends DebianTool {
  /** What is skipped without it. */
  readonly tests: string;
  /** The test files that may ask for it. */
  readonly neededBy: RegExp;
}

const tools: readonly Tool[] = [
  { command: 'redis-server', debian: 'redis-server', tests: 'everything on a real Redis', neededBy: /./ },
  { command: 'promtool', debian: 'prometheus', tests: 'the lint of /metrics', neededBy: /./ },
  { command: 'chromium', debian: 'chromium', tests: 'the dashboard', neededBy: /^test\/browser\// },
];

/** Installs what these files need and the machine lacks, where it can. Returns what is still missing. */
export function provideTools(files: readonly string[]): readonly Tool[] {
  return provide(tools.filter(({ neededBy }) => files.some((file) => neededBy.test(file))));
}
