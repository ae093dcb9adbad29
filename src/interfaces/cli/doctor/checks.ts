import type { Check } from './check.ts';
import { dataDirectoryCheck } from './dataDirectory.ts';
import { logCheck } from './log.ts';
import { providersCheck } from './providers.ts';
import { redisCheck } from './redis.ts';
import { configurationCheck, runtimeCheck } from './runtime.ts';
import { portsCheck, serviceCheck } from './service.ts';

/** What `hark doctor` looks at, in the order in which it tells. */
export const checks: readonly Check[] = [
  runtimeCheck,
  configurationCheck,
  dataDirectoryCheck,
  redisCheck,
  logCheck,
  portsCheck,
  serviceCheck,
  providersCheck,
];
