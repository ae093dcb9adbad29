import { getResponder } from '@homebridge/ciao';
import type { Advertisement } from './advertisement.ts';

/*
 * The process that answers on the local network. It lives as long as the channel to the service is open, and whatever
 * goes wrong ends it: the service counts how often.
 */

const FAREWELL_MS = 1_000;

const { name, port, txt, interfaces }: Advertisement = JSON.parse(process.argv[2] ?? '{}');
const responder = getResponder(interfaces ? { interface: [...interfaces] } : {});

/** Takes back what was announced. */
async function leave(): Promise<void> {
  setTimeout(() => process.exit(), FAREWELL_MS);
  await responder.shutdown();
  process.exit();
}

// A terminal tells all processes at once that they are to end; this one ends with the service.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (!process.connected) process.exit();
  });
process.once('disconnect', () => void leave());
if (!process.connected) process.exit();
await responder.createService({ name, port, type: 'hark', txt }).advertise();
process.send?.('advertised');
