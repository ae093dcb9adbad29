import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { findCommand, runCommand } from '../../../gateways/machine/commands.ts';
import { CliFailure, exitCodes } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument } from '../output.ts';
import { agentData, agentFile, LABEL, launchAgent } from '../service/launchd.ts';
import { type Program, systemUnit, unitFile, userUnit } from '../service/systemd.ts';

const LONGEST_MS = 60_000;
const OWN_SESSION = /^(PATH|HOME|USER|LANG|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)$/;
const optionsSchema = z.object({ print: z.boolean().default(false), user: z.boolean().default(false) });

/** Whoever is root installs it for the machine, and anybody else for themselves. */
interface Manager {
  readonly file: string;
  readonly text: string;
  /** Folders that have to be there. */
  readonly folders: readonly string[];
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
  /** Its outcome says whether it runs. */
  readonly look: readonly string[];
  readonly logs: string;
}

export function addService(program: Command): void {
  const service = program
    .command('service')
    .description('run hark whenever the machine does, by systemd or launchd')
    .option('--user', 'for yourself alone, also as root');
  service
    .command('install')
    .description('install and start it: as root for the machine, else for yourself')
    .option('--print', 'only show what would be written')
    .action((_options: unknown, command: Command) => install(command));
  service
    .command('uninstall')
    .description('stop it and take it away; its data stays')
    .action((_options: unknown, command: Command) => uninstall(command));
  service
    .command('status')
    .description('whether it is installed, and runs')
    .action((_options: unknown, command: Command) => status(command));
}

async function install(command: Command): Promise<void> {
  const { file, text, folders, start, logs } = managerOf(command);
  if (readOptions(command, optionsSchema).print) return print(text.trimEnd());
  for (const folder of [dirname(file), ...folders]) mkdirSync(folder, { recursive: true });
  writeFileSync(file, text, { mode: 0o644 });
  for (const args of start) await told(args);
  print(`hark runs, and will whenever the machine does (${file}). Its log: ${logs}`);
}

async function uninstall(command: Command): Promise<void> {
  const { file, stop } = managerOf(command);
  if (!existsSync(file)) throw new CliFailure('hark is not installed as a service');
  const [first = [], ...rest] = stop;
  await told(first);
  rmSync(file);
  for (const args of rest) await told(args);
  print('hark is no service of this machine any more. Its data stays.');
}

async function status(command: Command): Promise<void> {
  const { file, look, logs } = managerOf(command);
  const isInstalled = existsSync(file);
  const isRunning = isInstalled && (await run(look)).ok;
  if (globalOptions(command).json) printDocument({ installed: isInstalled, running: isRunning, file });
  else if (!isInstalled) print('not installed: hark service install');
  else print(isRunning ? `it runs (${file})` : `it is installed and does not run; see ${logs}`);
  if (!isRunning) process.exitCode = exitCodes.failed;
}

function managerOf(command: Command): Manager {
  const program: Program = {
    node: process.execPath,
    bin: join(import.meta.dirname, '../../../../bin/hark.js'),
  };
  return process.platform === 'darwin'
    ? launchd(program)
    : systemd(program, readOptions(command, optionsSchema).user);
}

function systemd(program: Program, forUser: boolean): Manager {
  const forSystem = process.getuid?.() === 0 && !forUser;
  const scope = forSystem ? [] : ['--user'];
  const ask = (...args: readonly string[]) => ['systemctl', ...scope, ...args];
  return {
    file: unitFile(forSystem),
    text: forSystem ? systemUnit(program) : userUnit(program),
    folders: [],
    start: [ask('daemon-reload'), ask('enable', '--now', 'hark.service')],
    stop: [ask('disable', '--now', 'hark.service'), ask('daemon-reload')],
    look: ask('is-active', '--quiet', 'hark.service'),
    logs: `journalctl ${scope.map((one) => `${one} `).join('')}-u hark`,
  };
}

function launchd(program: Program): Manager {
  const domain = `gui/${process.getuid?.() ?? 0}`;
  return {
    file: agentFile(),
    text: launchAgent(program),
    folders: [agentData()],
    start: [['launchctl', 'bootstrap', domain, agentFile()]],
    stop: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    look: ['launchctl', 'print', `${domain}/${LABEL}`],
    logs: '~/Library/Logs/hark.log',
  };
}

async function told(args: readonly string[]): Promise<void> {
  const { ok, stderr } = await run(args);
  if (!ok) throw new CliFailure(`${args.join(' ')}: ${stderr.split('\n').at(-1) ?? 'failed'}`);
}

async function run([name = '', ...args]: readonly string[]) {
  const file = findCommand(name);
  if (file === undefined)
    throw new CliFailure(`There is no ${name} here: run hark by what starts programs on this machine`);
  return runCommand(file, args, { timeoutMs: LONGEST_MS, passes: OWN_SESSION });
}
