import type { Command } from 'commander';
import { type Config, ConfigError } from '../../../config.ts';
import { type LogPlace, logPlace } from '../openLog.ts';
import { type GlobalOptions, globalOptions } from '../options.ts';
import { ownService } from '../ownService.ts';

export interface CheckResult {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** How to mend it. */
  readonly mend?: string;
  /** Mends it, and says what it did. */
  readonly repair?: () => Promise<string>;
}

/** What checks look at. */
export interface Patient {
  /** As good as it can be read: a variable that is wrong counts as not set. */
  readonly config: Config;
  /** One line per bad variable. */
  readonly configProblems: readonly string[];
  readonly place: LogPlace;
  readonly service: Pick<GlobalOptions, 'url' | 'apiKey'>;
  /** Looks at every byte where a quick look is usually enough. */
  readonly depth: 'quick' | 'full';
}

/** One thing that a user may have to know. What it throws counts as a failure. */
export interface Check {
  readonly name: string;
  run(patient: Patient): Promise<readonly CheckResult[]> | readonly CheckResult[];
}

export function ok(message: string): CheckResult {
  return { level: 'ok', message };
}
export function warn(message: string, mend: string): CheckResult {
  return { level: 'warn', message, mend };
}
export function fail(message: string, mend: string): CheckResult {
  return { level: 'fail', message, mend };
}

/** What the environment and the options say, also where the environment is wrong. */
export function examine(command: Command, depth: Patient['depth']): Patient {
  const { config, configProblems } = ownService();
  const { url, apiKey = config.SERVICE_API_KEY } = globalOptions(command);
  const service = apiKey === undefined ? { url } : { url, apiKey };
  const place = configProblems.length === 0 ? logPlace(command) : placeOf(command, config);
  return { config, configProblems, place, depth, service };
}

function placeOf(command: Command, config: Config): Patient['place'] {
  try {
    return logPlace(command);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { url: config.SERVICE_KVSTORE_URL, dataDirectory: config.SERVICE_DATA_DIR };
  }
}
