import { type DebianTool, provide } from './debianTools.ts';

interface Tool extends DebianTool {
  /** What is skipped without it. */
  readonly tests: string;
}

const tools: readonly Tool[] = [
  { command: 'redis-server', debian: 'redis-server', tests: 'everything on a real Redis' },
  { command: 'promtool', debian: 'prometheus', tests: 'the lint of /metrics' },
  { command: 'chromium', debian: 'chromium', tests: 'pages in a real browser' },
  { command: 'flite', debian: 'flite', tests: 'speech that is heard' },
  { command: 'systemd-analyze', debian: 'systemd', tests: 'the units of hark as a service' },
  { command: 'buildah', debian: 'buildah', tests: 'the image for containers' },
  { command: 'ip', debian: 'iproute2', tests: 'a container with a network of its own' },
  { command: 'sox', debian: 'sox', tests: 'speech in noise' },
  {
    command: 'pocketsphinx_continuous',
    debian: 'pocketsphinx pocketsphinx-en-us pocketsphinx-testdata',
    tests: 'speech that pocketsphinx hears',
  },
];

/** Installs what the tests need and the machine lacks, where it can. Returns what is still missing. */
export function provideTools(): readonly Tool[] {
  return provide(tools);
}
