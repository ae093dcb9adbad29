import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { serveDemoModel } from './model/demoModel.ts';
import { ScriptedModels } from './model/scriptedModels.ts';
import { seed } from './seed.ts';

/** What the service says of itself wherever it does. */
const NOTICE = 'Demo: a scripted model answers, no real one.';

/** How the command was called that runs here. */
const isInstalled = import.meta.dirname.includes('node_modules');
const HARK = !isInstalled ? 'npx hark' : process.env.npm_command === 'exec' ? 'npx hark-agent' : 'hark';

const portsSchema = z.object({ health: z.number() });
/** Real models would be asked with these. Empty, they also win over those in a file `.env`. */
const realKeys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'];
const noRealKeys = Object.fromEntries(
  realKeys.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, '']),
);

/**
 * The service with a scripted model in place of a local runner, in a folder of its own that goes when it ends. No real
 * model answers, and whatever answers says so. False where the service did not start, for which it says the reason.
 */
export async function runDemo(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'hark-demo-'));
  const models = await ScriptedModels.start({ record: false });
  serveDemoModel(models);
  const service = startService(folder, models.url('local-runner'));
  try {
    const logFile = join(folder, 'service.log');
    service.stdout?.pipe(createWriteStream(logFile));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.kill('SIGTERM'));
    const health = await portOf(service);
    if (health === undefined) return false;
    const address = `http://127.0.0.1:${health}`;
    await seed(address, Date.now());
    console.log(welcome(address, logFile));
    await ended(service);
    return true;
  } finally {
    // The folder can only go when nobody writes into it any more.
    service.kill('SIGTERM');
    await ended(service);
    await models.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startService(folder: string, runner: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, '../../bin/hark.js'), 'start'], {
    env: {
      ...process.env,
      ...noRealKeys,
      OLLAMA_HOST: runner,
      SERVICE_DATA_DIR: folder,
      SERVICE_KVSTORE_URL: 'embedded',
      SERVICE_USER_ID: 'demo',
      // A model of 250 MB is not what somebody wants who only has a look.
      SERVICE_NLI_ENABLED: 'false',
      // A scripted model is no load on the machine.
      SERVICE_BACKGROUND_WORK_POLICY: 'always',
      SERVICE_NOTICE: NOTICE,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // What is typed at the terminal is for this process, which ends the service in its turn.
    detached: true,
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function portOf(service: ChildProcess): Promise<number | undefined> {
  if (!service.stdout) throw new Error('No output to read');
  for await (const line of createInterface({ input: service.stdout })) {
    const entry: Record<string, unknown> = JSON.parse(line);
    if (entry.msg !== 'ready') continue;
    service.stdout.resume();
    return portsSchema.parse(entry.ports).health;
  }
  return undefined;
}

function welcome(address: string, logFile: string): string {
  return `
hark demo: a scripted model answers, no real one. Everything is forgotten when you stop it.
There is a user whose conversations are remembered: Robin, who does not exist.

  ${address}           the dashboard: chat, memory, why, and everything else
  ${address}/docs      every operation, to read and to try
  export HARK_URL=${address}
  ${HARK} chat                    talk; what you say is remembered
  ${HARK} memory search Bergen    find what was said
  ${HARK} memory ask 'What am I allergic to?'
  ${HARK} memory conclusions      what is believed of Robin
  ${HARK} status
  tail -f ${logFile}    what the service logs
`;
}
