import assert from 'node:assert/strict';
import { HEARING_RATE } from '../../../src/application/voice/speech.ts';
import { Resampler } from '../../../src/resampler.ts';
import { WyomingClient } from '../wyomingClient.ts';
import { silence } from './speech.ts';

/** All that pocketsphinx is to understand: it does so reliably. */
export const COMMANDS =
  '#JSGF V1.0;\ngrammar all;\npublic <all> = what time is it | turn on the light | go home;\n';

const SPOKEN_RATE = 22_050;

/** As the service itself says it, with so much silence before it and after it. */
export async function spokenByService(
  { wyomingPort = assert.fail('no port') }: { readonly wyomingPort: number | undefined },
  words: string,
  [beforeMs, afterMs]: readonly [number, number],
): Promise<Int16Array> {
  const client = await WyomingClient.open(wyomingPort);
  client.send('synthesize', { text: words, voice: { name: 'slt' } });
  const told = await client.until('audio-stop');
  client.close();
  const bytes = Buffer.concat(told.map(({ payload }) => payload));
  const resampler = new Resampler(SPOKEN_RATE, HEARING_RATE);
  const samples = resampler.push(new Int16Array(Uint8Array.from(bytes).buffer));
  const parts = [silence(beforeMs), samples, resampler.end(), silence(afterMs)];
  return Int16Array.from(parts.flatMap((part) => Array.from(part)));
}
