import { type Command, Option } from 'commander';
import { z } from 'zod';
import { wrongUsage } from '../failure.ts';
import { jsonOption } from '../jsonOption.ts';
import { momentOf, parseDuration } from '../moment.ts';
import { globalOptions, readOptions } from '../options.ts';
import { printDocument } from '../output.ts';
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
});
type Options = z.output<typeof optionsSchema>;

export function addCreating(schedule: Command): void {
  const create = schedule
    .command('create')
    .description('have something done later: say when, and what')
    .argument('<name...>', 'what to call it')
    .addOption(new Option('--cron <expression>', 'when: "30 7 * * 1-5"').conflicts(['at', 'every']))
    .option('--timezone <zone>', 'of the expression, such as Europe/Berlin (default: UTC)')
    .addOption(
      new Option('--at <time>', 'when: Unix ms, ISO 8601 or "in 2h"').conflicts(['every', 'timezone']),
    )
    .addOption(new Option('--every <duration>', 'when: 90s, 15m, 12h, 1d').conflicts('timezone'))
    .addOption(
      new Option('--remind <text>', 'what: remind me of this').conflicts(['prompt', 'topic', 'payload']),
    )
    .addOption(new Option('--prompt <text>', 'what: say this to the agent').conflicts(['topic', 'payload']))
    .option('--session <id>', 'conversation in which I am answered (default: none)')
    .addOption(new Option('--topic <topic>', 'what: publish this').conflicts('session'))
    .option('--payload <json>', 'an object that goes with the topic');
  addUserOption(create, whoAsks).action((name: string[], _options: unknown, invoked: Command) =>
    make(name.join(' '), invoked),
  );
}

async function make(name: string, command: Command): Promise<void> {
  const options = readOptions(command, optionsSchema);
  const body = { name, ...whenOf(options), ...whatOf(options, sessionOf(command)) };
  const answer = await clientOf(command).ask(TASKS, oneTask, { method: 'POST', body });
  if (globalOptions(command).json) printDocument(answer);
  else printTasks([answer.task]);
}

function whenOf({ cron, timezone, at, every }: Options): object {
  if (cron !== undefined)
    return { scheduleType: 'cron', expression: cron, ...(timezone === undefined ? {} : { timezone }) };
  if (at !== undefined) return { scheduleType: 'once', atTimestamp: timeOf(at) };
  if (every === undefined) throw wrongUsage('create: say when: --cron, --at or --every');
  const intervalMs = parseDuration(every);
  if (intervalMs === undefined) throw wrongUsage('--every: must be a duration, such as 90s, 15m, 12h or 1d');
  return { scheduleType: 'interval', intervalMs };
}

function timeOf(text: string): number {
  const [, duration] = /^in\s+(.*)$/i.exec(text.trim()) ?? [];
  const ms = duration === undefined ? undefined : parseDuration(duration);
  if (ms !== undefined) return Date.now() + ms;
  const moment = momentOf(text.trim(), Date.now());
  if (moment?.kind === 'now') return Date.now();
  if (moment?.kind === 'time') return moment.at;
  throw wrongUsage('--at: must be a time: Unix ms, ISO 8601 or "in 2h"');
}

function whatOf({ remind, prompt, topic, payload }: Options, session: string | undefined): object {
  const where = session === undefined ? {} : { sessionId: session };
  if (remind !== undefined) return { text: remind, ...where };
  if (prompt !== undefined)
    return { eventTopic: 'agent.prompt.requested', payload: { text: prompt }, ...where };
  if (topic === undefined) throw wrongUsage('create: say what: --remind, --prompt or --topic');
  return {
    eventTopic: topic,
    ...(payload === undefined ? {} : { payload: jsonOption('--payload', payload) }),
  };
}
