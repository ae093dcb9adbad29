import { constants } from 'node:os';
import { spelledOut } from '../../plainText.ts';
import { describeFailure } from './failure.ts';
import { withoutSecrets } from './secrets.ts';

/** Whoever reads our output may have seen enough, as `head` has: then there is nothing left to do. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 128 + constants.signals.SIGPIPE);
  });
}

try {
  // The service starts without what only the other commands need.
  if (process.argv[2] === 'start' && process.argv.length === 3) await start();
  else await runCommand();
} catch (error) {
  const { lines, exitCode } = describeFailure(error);
  for (const line of lines) console.error(`hark: ${spelledOut(withoutSecrets(line))}`);
  process.exitCode = exitCode;
}

async function start(): Promise<void> {
  const { main } = await import('../../main.ts');
  await main();
}

async function runCommand(): Promise<void> {
  const { buildProgram } = await import('./program.ts');
  await buildProgram(start).parseAsync(process.argv);
}
