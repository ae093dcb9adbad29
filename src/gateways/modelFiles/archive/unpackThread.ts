import { parentPort, workerData } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../../crashReports.ts';
import { giveWay } from '../../../threadPriority.ts';
import { systemCode } from '../../systemErrors.ts';
import { BrokenArchive } from './codes.ts';
import { type FromUnpacking, type Unpacking, unpack } from './unpack.ts';

/* One archive, in a thread of its own: it works without a pause for as long as it takes, and may be ended at any time. */

keepEnvironmentOutOfCrashReports();
giveWay();
const unpacking: Unpacking = workerData;
const say = (message: FromUnpacking) => parentPort?.postMessage(message);

try {
  unpack(unpacking, (read) => say({ read }));
  say('done');
} catch (error) {
  say(error instanceof BrokenArchive ? { broken: error.message } : { code: systemCode(error) ?? 'unknown' });
}
