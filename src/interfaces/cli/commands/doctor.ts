import type { Command } from 'commander';
import { z } from 'zod';
import { browserCheck } from '../doctor/browser.ts';
import { type Check, type CheckResult, examine, fail, ok, type Patient } from '../doctor/check.ts';
import { dataDirectoryCheck, logCheck, redisCheck } from '../doctor/data.ts';
import { deviceCheck } from '../doctor/device.ts';
import { onnxruntimeCheck } from '../doctor/onnxruntime.ts';
import { providersCheck } from '../doctor/providers.ts';
import { configurationCheck, portsCheck, runtimeCheck, serviceCheck } from '../doctor/service.ts';
import { voiceCheck } from '../doctor/voice.ts';
import { exitCodes } from '../failure.ts';
import { addLogOptions } from '../openLog.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printable, printDocument, toned } from '../output.ts';
import { withoutSecrets } from '../secrets.ts';

/** What `hark doctor` looks at, in the order in which it tells. */
const checks: readonly Check[] = [
  runtimeCheck,
  configurationCheck,
  dataDirectoryCheck,
  onnxruntimeCheck,
  redisCheck,
  logCheck,
  portsCheck,
  serviceCheck,
  browserCheck,
  deviceCheck,
  providersCheck,
  voiceCheck,
];

const optionsSchema = z.object({ full: z.boolean().default(false), fix: z.boolean().default(false) });
const tones = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

type Told = Omit<CheckResult, 'repair'> & { readonly check: string };

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('find what keeps hark from working, and say how to fix it')
    .option('--fix', 'mend what can be mended by itself')
    .option('--full', 'also compare every index of the database with what it points to');
  addLogOptions(command).action((_options: unknown, invoked: Command) => doctor(invoked));
}

async function doctor(command: Command): Promise<void> {
  const { json } = globalOptions(command);
  const { full, fix } = readOptions(command, optionsSchema);
  const patient = examine(command, full ? 'full' : 'quick');
  const told: Told[] = [];
  for (const check of checks) {
    for (const { repair, ...found } of await findingsOf(check, patient)) {
      const finding = fix && repair ? await repaired(repair) : found;
      told.push({ check: check.name, ...finding });
      if (!json) printFinding(check.name, finding);
    }
  }
  const failed = told.filter(({ level }) => level === 'fail').length;
  if (json) printDocument({ ok: failed === 0, findings: told });
  if (failed > 0) process.exitCode = exitCodes.failed;
}

async function findingsOf({ name, run }: Check, patient: Patient): Promise<readonly CheckResult[]> {
  try {
    return await run(patient);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ level: 'fail', message: withoutSecrets(message), mend: `Fix this first to check: ${name}` }];
  }
}

async function repaired(repair: () => Promise<string>): Promise<CheckResult> {
  try {
    return ok(await repair());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail(`it could not be mended: ${withoutSecrets(message)}`, 'See to that, and try again');
  }
}

function printFinding(check: string, { level, message, mend }: CheckResult): void {
  print(`${toned(tones[level], level.padEnd(4))}  ${check.padEnd(14)}  ${printable(message)}`);
  if (mend) print(`${' '.repeat(22)}→ ${printable(mend)}`);
}
