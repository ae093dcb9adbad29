import { writeSync } from 'node:fs';
import { type HostedEngine, serve } from '../../../src/gateways/speech/engines/host.ts';

/* An engine that goes wrong as its specification says, when it is asked to speak or to hear. */

const FAULTS: Readonly<Record<string, () => void>> = {
  hangs: () => {
    for (;;);
  },
  babbles: () => {
    writeSync(3, 'what is this? no frame, I am afraid');
  },
  eats: () => {
    const eaten: Buffer[] = [];
    setInterval(() => eaten.push(Buffer.alloc(20 * 1_048_576, 1)), 20);
  },
  ends: () => process.exit(7),
  aborts: () => process.abort(),
};

serve(async (spec): Promise<HostedEngine> => {
  const told = typeof spec === 'object' && spec !== null ? spec : {};
  const fault = 'does' in told ? FAULTS[String(told.does)] : undefined;
  if ('starts' in told) {
    process.stderr.write('the model /secret/place/model.onnx is broken\n');
    process.exit(3);
  }
  return {
    facts: { voices: ['one'] },
    listen: () => ({
      hear: () => fault?.(),
      end: async () => {
        await new Promise((resolve) => setTimeout(resolve, 60_000));
        return { text: '', words: [] };
      },
      cancel: () => undefined,
    }),
    async *speak() {
      yield { rate: 16_000, samples: new Int16Array(1_600), words: [] };
      fault?.();
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    },
  };
});
