import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { seed } from './demo/seed.ts';

/*
 * npm run demo: the service with a scripted model in place of a local runner, in a folder of its own that goes
 * when it ends. No real model answers, and whatever answers says so.
 */

/** A child ended before it was ready. */
class NotReady extends Error {}

/** What the service says of itself wherever it does. */
const NOTICE = 'Demo: a scripted model answers, no real one.';

const portsSchema = z.object({ health: z.number() });
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'hark-demo-'));
/** Of the service. */
const logFile = join(folder, 'service.log');
const children: ChildProcess[] = [];
/** Without the keys of real models, which would be asked then. */
const realKeys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'];
const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !realKeys.includes(name.replace(/_FILE$/, ''))),
);

try {
  await run();
} catch (error) {
  // The service has said its reason on standard error itself.
  if (!(error instanceof NotReady)) throw error;
  process.exitCode = 1;
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const model = start([join(root, 'test/support/models/main.ts')], {});
  const { url } = await readyLine(model);
  const service = start([join(root, 'bin/hark.js'), 'start'], {
    OLLAMA_HOST: String(url),
    SERVICE_DATA_DIR: folder,
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_USER_ID: 'demo',
    // A model of 250 MB is not what somebody wants who only has a look.
    SERVICE_NLI_ENABLED: 'false',
    SERVICE_NOTICE: NOTICE,
  });
  service.stdout?.pipe(createWriteStream(logFile));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.kill('SIGTERM'));
  const { health } = portsSchema.parse((await readyLine(service)).ports);
  const address = `http://127.0.0.1:${health}`;
  await seed(address, Date.now());
  console.log(`
hark demo: a scripted model answers, no real one. Everything is forgotten when you stop it.
There is a user whose conversations are remembered: Robin, who does not exist.

  ${address}/docs      every operation, to read and to try
  export HARK_URL=${address}
  npx hark chat                    talk; what you say is remembered
  npx hark memory search Bergen    find what was said
  npx hark memory ask 'What am I allergic to?'
  npx hark memory conclusions      what is believed of Robin
  npx hark status
  tail -f ${logFile}    what the service logs
`);
  if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
}

/** The folder can only go when nobody writes into it any more. */
async function endAll(): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }),
  );
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [...args], {
    env: { ...ownEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // What is typed at the terminal is for this process, which ends the others in their order.
    detached: true,
  });
  children.push(child);
  return child;
}

async function readyLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (!child.stdout) throw new Error('No output to read');
  for await (const line of createInterface({ input: child.stdout })) {
    const said: Record<string, unknown> = JSON.parse(line);
    if (said.msg === 'ready') {
      child.stdout.resume();
      return said;
    }
  }
  throw new NotReady();
}
