import type { ConfigError, Variable } from './config.ts';

/*
 * What a program gets that imports hark. Everything else is loaded when the service starts, so that an older Node can
 * say what it lacks. `scripts/pack/declarations.ts` writes the types of the package, with a word on each variable.
 */

const OLDEST_NODE = 24;

export type { ConfigError };

export type Options = { readonly [Name in Variable]?: string | number | boolean } & {
  /** What the options do not name is taken from here, which is seldom anything else than `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

export interface RunningService {
  readonly ports: { readonly health: number; readonly mcp: number; readonly voice: number };
  /** Of REST and the dashboard. */
  readonly url: string;
  /** Answers what was asked, then takes everything down. What was acknowledged is on disk. */
  stop(): Promise<void>;
}

/** Starts hark in this process; several may run beside each other. Rejects with a `ConfigError` or the system's reason. */
export async function startService({ env = {}, ...given }: Options = {}): Promise<RunningService> {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE)
    throw new Error(`hark needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}`);
  const { ConfigError, ownUrl, readConfig, strangers } = await import('./config.ts');
  const unknown = strangers(Object.keys(given));
  if (unknown.length > 0) throw new ConfigError(unknown);
  const config = readConfig({ ...env, ...textsOf(given) });
  const { openAdapter } = await import('./store/open.ts');
  const opening = openAdapter(config.SERVICE_KVSTORE_URL, config.SERVICE_DATA_DIR);
  opening.catch(() => undefined);
  const [{ createLogger }, service] = await Promise.all([
    import('./logger.ts'),
    import('./wiring/service.ts'),
  ]);
  const running = await service.startService(config, createLogger(config.LOG_LEVEL), { opening });
  const { health, mcp, voice } = running.ports;
  const ports = { health: listening(health), mcp: listening(mcp), voice: listening(voice) };
  return { ports, url: ownUrl(config, ports.health), stop: () => running.stop() };
}

function textsOf(given: Readonly<Record<string, string | number | boolean | undefined>>) {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

function listening(port: number | null | undefined): number {
  if (typeof port !== 'number') throw new Error('The service does not listen');
  return port;
}
