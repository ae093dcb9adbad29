import { type Command, Option } from 'commander';
import { z } from 'zod';
import { wrongUsage } from '../failure.ts';
import { jsonOption } from '../jsonOption.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument, toned } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { sessionOf } from '../session.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { oneTask, printTasks, TASKS } from './task.ts';

const optionsSchema = z.object({
  cron: z.string().optional(),
  timezone: z.string().optional(),
  at: z.string().optional(),
  every: z.string().optional(),
  prompt: z.string().optional(),
  remind: z.string().optional(),
  topic: z.string().optional(),
  payload: z.string().optional(),
  notify: z.string().optional(),
});
const made = oneTask.extend({ when: z.string(), notes: z.array(z.string()).optional() });
/** No year and no time of the day has so many digits. */
const UNIX_MS = /^\d{11,16}$/;
type Options = z.output<typeof optionsSchema>;

export function addCreating(schedule: Command): void {
  const create = schedule
    .command('create')
    .alias('add')
    .description('have something done later: say when, and what')
    .argument('<name...>', 'name of the task')
    .addOption(new Option('--cron <expression>', 'when: "30 7 * * 1-5"').conflicts(['at', 'every']))
    .option('--timezone <zone>', 'in which times are read, such as Europe/Berlin (default: yours)')
    .addOption(
      new Option(
        '--at <time>',
        'when: "tomorrow 9am", "in 1h30m", "next Friday at noon", ISO 8601 or Unix ms',
      ).conflicts('every'),
    )
    .option('--every <time>', 'when: "2 h", "weekdays at 7", "Monday and Thursday at 18:00"')
    .addOption(
      new Option('--remind <text>', 'what: remind me of this').conflicts(['prompt', 'topic', 'payload']),
    )
    .addOption(new Option('--prompt <text>', 'what: say this to the agent').conflicts(['topic', 'payload']))
    .option('--session <id>', 'conversation in which I am answered (default: none)')
    .option('--notify <ids>', 'channels that tell me as well: ids with commas, or none (default: all)')
    .addOption(new Option('--topic <topic>', 'what: publish this').conflicts(['session', 'notify']))
    .option('--payload <json>', 'an object that goes with the topic');
  addUserOption(create, whoAsks).action((name: string[], _options: unknown, invoked: Command) =>
    make(name.join(' '), invoked),
  );
}

async function make(name: string, command: Command): Promise<void> {
  const options = readOptions(command, optionsSchema);
  const body = { name, ...whenOf(options), ...whatOf(options, sessionOf(command)) };
  const answer = await clientOf(command).ask(TASKS, made, { method: 'POST', body });
  if (globalOptions(command).json) return printDocument(answer);
  printTasks([answer.task]);
  print(toned('dim', answer.when));
  for (const note of answer.notes ?? []) print(toned('dim', note));
}

function whenOf({ cron, timezone, at, every }: Options): object {
  const zone = timezone === undefined ? {} : { timezone };
  if (cron !== undefined) return { scheduleType: 'cron', expression: cron, ...zone };
  if (at !== undefined && UNIX_MS.test(at)) return { scheduleType: 'once', atTimestamp: Number(at) };
  if (at !== undefined) return { at, ...zone };
  if (every === undefined) throw wrongUsage('create: say when: --cron, --at or --every');
  return { every, ...zone };
}

function whatOf({ remind, prompt, topic, payload, notify }: Options, session: string | undefined): object {
  const where = {
    ...(session === undefined ? {} : { sessionId: session }),
    ...(notify === undefined ? {} : { notify: notify === 'none' ? [] : notify.split(',') }),
  };
  if (remind !== undefined) return { text: remind, ...where };
  if (prompt !== undefined)
    return { eventTopic: 'agent.prompt.requested', payload: { text: prompt }, ...where };
  if (topic === undefined) throw wrongUsage('create: say what: --remind, --prompt or --topic');
  return {
    eventTopic: topic,
    ...(payload === undefined ? {} : { payload: jsonOption('--payload', payload) }),
  };
}
