import { BuiltInIntents } from '../../src/gateways/intent/builtInIntents.ts';

/* Prints how long the main thread works for the first text of a process, for which the model is loaded. */

const before = process.threadCpuUsage();
await new BuiltInIntents().classify('turn on the lights');
const { user, system } = process.threadCpuUsage(before);
console.log(JSON.stringify({ ms: (user + system) / 1_000 }));
