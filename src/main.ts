import { type Config, ConfigError, readConfig, unknownVariables } from './config.ts';
import { keepEnvironmentOutOfCrashReports } from './crashReports.ts';
import { isHarkError } from './errors.ts';
import { createLogger, type Logger } from './logger.ts';
import { spelledOut } from './plainText.ts';
import { openAdapter } from './store/open.ts';
import type { Service } from './wiring/service.ts';

/** As sysexits.h has it. */
const EX_CONFIG = 78;
const LONGEST_STOP_MS = 10_000;

/** Runs the service until it is told to stop; the exit code says how it went. */
export async function main(): Promise<void> {
  keepEnvironmentOutOfCrashReports();
  const config = configOrComplaint();
  if (!config) return;
  const log = createLogger(config.LOG_LEVEL);
  for (const unknown of unknownVariables(process.env)) log.warn(unknown);
  // From the first moment: told to stop while it starts, it starts and then stops.
  const told = Promise.withResolvers<void>();
  process.on('SIGTERM', told.resolve);
  process.on('SIGINT', told.resolve);
  const service = await startOrComplaint(config, log);
  if (!service) return;
  const { SERVICE_NOTICE: notice } = config;
  const { health, mcp, voice, ...others } = service.ports;
  log.info(
    { ports: { health, mcp, voice, ...others }, ...(notice === undefined ? {} : { notice }) },
    'ready',
  );
  if (process.stdout.isTTY)
    void inviteToSetup(service).catch((err) => log.debug({ err }, 'no setup address'));
  await told.promise;
  await stopService(service, log);
}

/** To whoever reads the terminal: the address lets its reader set the service up, and belongs in no log. */
async function inviteToSetup(service: Service): Promise<void> {
  const address = await service.setupAddress();
  if (address === undefined) return;
  process.stdout.write(
    `\n  Set hark up: ${address}\n  It is valid for 30 minutes. In a terminal: hark setup\n\n`,
  );
}

async function stopService(service: Service, log: Logger): Promise<void> {
  log.info('stopping');
  const force = setTimeout(() => {
    log.error('did not stop in time');
    process.exit(1);
  }, LONGEST_STOP_MS - 500);
  force.unref();
  await service.stop();
  log.info('stopped');
  process.exit(0);
}

function configOrComplaint(): Config | undefined {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error);
    return undefined;
  }
}

function complain({ problems }: ConfigError): void {
  for (const problem of problems) console.error(spelledOut(problem));
  process.exitCode = EX_CONFIG;
}

async function startOrComplaint(config: Config, log: Logger): Promise<Service | undefined> {
  try {
    // The log is opened in a thread of its own while this one loads everything else.
    const opening = openAdapter(config.SERVICE_KVSTORE_URL, config.SERVICE_DATA_DIR);
    opening.catch(() => undefined);
    const { startService } = await import('./wiring/service.ts');
    return await startService(config, log, { opening });
  } catch (error) {
    if (error instanceof ConfigError) {
      complain(error);
      return undefined;
    }
    const isMisnamed = isHarkError(error, 'DATA_DIR_UNUSABLE');
    const told = isMisnamed
      ? `SERVICE_DATA_DIR: ${error.message}`
      : `hark cannot start: ${reasonOf(error, config)}`;
    console.error(spelledOut(told));
    log.debug({ err: error }, 'start failed');
    process.exitCode = isMisnamed ? EX_CONFIG : 1;
    return undefined;
  }
}

function reasonOf(error: unknown, config: Config): string {
  const { SERVICE_HOST } = config;
  if (isHarkError(error)) return error.message;
  if (!(error instanceof Error) || !('code' in error)) return 'an internal error; LOG_LEVEL=debug says where';
  const port = portOf(error, config);
  if (error.code === 'EADDRINUSE') return `${port} is in use on ${SERVICE_HOST}`;
  if (error.code === 'EACCES') return `${port} may not be opened`;
  if (error.code === 'EADDRNOTAVAIL') return `SERVICE_HOST ${SERVICE_HOST} is not an address of this machine`;
  return `${error.code}; LOG_LEVEL=debug says where`;
}

/** By the name of its variable. */
function portOf(error: Error, { HEALTH_PORT, MCP_PORT, AUDIO_PORT, WYOMING_PORT }: Config): string {
  const port = 'port' in error ? error.port : undefined;
  const named = Object.entries({ MCP_PORT, AUDIO_PORT, WYOMING_PORT }).find(([, one]) => one === port);
  return named ? named.join(' ') : `HEALTH_PORT ${HEALTH_PORT}`;
}

if (import.meta.main) await main();
