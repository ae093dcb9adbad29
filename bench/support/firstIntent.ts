import { setTimeout as wait } from 'node:timers/promises';
import { BuiltInIntents } from '../../src/gateways/intent/builtInIntents.ts';
import { longestBlock } from './mainThread.ts';

/* Prints how long the first text of a process, for which the model is loaded, holds up its main thread. */

const blocked = await longestBlock(async () => {
  // The monitor sees a turn of the loop when the next one begins.
  await wait(20);
  await new BuiltInIntents().classify('turn on the lights');
  await wait(20);
});
console.log(JSON.stringify({ blocked }));
