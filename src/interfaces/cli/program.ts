import { Command } from 'commander';
import { spelledOut } from '../../plainText.ts';
import { readVersion } from '../../version.ts';
import { addAsk } from './commands/ask.ts';
import { addBackup, addRestore } from './commands/backup.ts';
import { addCapture } from './commands/capture.ts';
import { addChat } from './commands/chat.ts';
import { addDemo } from './commands/demo.ts';
import { addDevices } from './commands/devices.ts';
import { addDiff } from './commands/diff.ts';
import { addDoctor } from './commands/doctor.ts';
import { addListEvents, addTailEvents } from './commands/events.ts';
import { addKeys } from './commands/keys.ts';
import { addMemory } from './commands/memory.ts';
import { addModels } from './commands/models.ts';
import { addNotify } from './commands/notify.ts';
import { addOtel } from './commands/otel.ts';
import { addReplay } from './commands/replay.ts';
import { addSchedule } from './commands/schedule.ts';
import { addService } from './commands/service.ts';
import { addSetup } from './commands/setup.ts';
import { addStatus } from './commands/status.ts';
import { addTalk } from './commands/talk.ts';
import { addTools } from './commands/tools.ts';
import { addWorkflows } from './commands/workflows.ts';
import { oneLine } from './failure.ts';
import { addGlobalOptions } from './options.ts';
import { withoutSecrets } from './secrets.ts';

/** Every command of the command line. An area adds its own here. */
export function buildProgram(start: () => Promise<void>): Command {
  const program = new Command('hark')
    .description('A self-hosted agent backend that listens, acts and remembers, on a log of events.')
    .version(readVersion())
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(`hark: ${describeUsage(text)}\n`) })
    .exitOverride();
  addGlobalOptions(program);
  program.command('start').description('run the service, set up by its environment').action(start);
  addDemo(program);
  addSetup(program);
  addChat(program);
  addTalk(program);
  addAsk(program);
  const events = program.command('events').description('the log of a running service');
  addListEvents(events);
  addTailEvents(events);
  addMemory(program);
  addSchedule(program);
  addNotify(program);
  addCapture(program);
  addWorkflows(program);
  addTools(program);
  addKeys(program);
  addDevices(program);
  addModels(program);
  addReplay(program);
  addDiff(program);
  addDoctor(program);
  addBackup(program);
  addRestore(program);
  addOtel(program);
  addService(program);
  addStatus(program);
  return program;
}

/** In one line, and without the value of an option that was mistyped: it may be a key. */
function describeUsage(text: string): string {
  return withoutSecrets(
    spelledOut(oneLine(text.replace(/^error: /, '').replaceAll(/(?<![\w-])(--[\w-]+)=[^']*/g, '$1'))),
  );
}
