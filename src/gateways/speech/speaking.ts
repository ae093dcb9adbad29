import { HarkError } from '../../errors.ts';
import type { SpeakingEngine, SpeakOptions, Spoken } from './engine.ts';

/** What one call may ask for; a reply comes sentence by sentence. */
const LONGEST_TEXT = 5_000;

/**
 * Speaks with the first engine that can be had. One that is lost before its first sound is followed by the next; after
 * that the rest of the text is lost, since nobody knows how far it was heard.
 */
export async function* speakWith(
  engines: readonly SpeakingEngine[],
  text: string,
  options: SpeakOptions,
): AsyncGenerator<Spoken> {
  const { signal } = options;
  for (const engine of engines) {
    if (signal.aborted) return;
    if (engine.broken !== undefined) continue;
    let hasSpoken = false;
    try {
      for await (const piece of engine.speak(text.slice(0, LONGEST_TEXT), options)) {
        if (signal.aborted) return;
        hasSpoken = true;
        yield piece;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (hasSpoken) throw new HarkError('TTS_UNAVAILABLE', { cause: error });
    }
  }
  throw new HarkError('TTS_UNAVAILABLE');
}
