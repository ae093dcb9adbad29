import type { Command } from 'commander';
import { exitCodes } from '../failure.ts';

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'run the service with a scripted model and an invented user, to look around; nothing is kept',
    )
    .action(async () => {
      const { runDemo } = await import('../../../demo/demo.ts');
      if (!(await runDemo())) process.exitCode = exitCodes.failed;
    });
}
