import { entryOf } from '../../entryOf.ts';
import { isRunning, runningStreams, silentFrom } from '../../folds/capture/questions.ts';
import type { Batch, Captures } from '../../folds/capture/state.ts';

/** What is to be done about what a user captures. */
export type Due =
  | { readonly is: 'silence'; readonly streamId: string }
  | { readonly is: 'late'; readonly segmentIds: readonly string[] }
  | { readonly is: 'expiry' }
  | { readonly is: 'episode'; readonly episodeId: string };

const EVERY_MS = 10 * 60_000;
const MOST_WORDS = 200;

/** What is due now, of a state that it does not keep. */
export function dueNow(state: Captures, now: number): readonly Due[] {
  const silent = runningStreams(state).filter((stream) => silentFrom(state, stream) <= now);
  const over = Object.values(state.media).filter(({ until }) => until <= now);
  const late = over.filter(({ waits, keeps }) => waits && !keeps).map(({ segmentId }) => segmentId);
  return [
    ...silent.map(({ streamId }) => ({ is: 'silence' as const, streamId })),
    ...(late.length > 0 ? [{ is: 'late' as const, segmentIds: late }] : []),
    ...(over.length > late.length ? [{ is: 'expiry' as const }] : []),
    ...state.batches
      .filter((batch) => isDue(state, batch, now))
      .map(({ episodeId }) => ({ is: 'episode' as const, episodeId })),
  ];
}

/** When to look again; infinite where nothing is to come. */
export function nextLook(state: Captures, now: number): number {
  const moments = [
    ...runningStreams(state).map((stream) => silentFrom(state, stream)),
    ...Object.values(state.media).map(({ until }) => until),
    ...state.batches.map(({ since }) => since + EVERY_MS),
  ];
  return Math.min(Number.POSITIVE_INFINITY, ...moments.filter((at) => at > now));
}

/** Every ten minutes, and when the stream has stopped and no more words are to be expected. */
function isDue(state: Captures, { gathered, since, words, streamId }: Batch, now: number): boolean {
  if (gathered || since + EVERY_MS <= now || words.length >= MOST_WORDS) return true;
  const stream = entryOf(state.streams, streamId);
  const isOver = !stream || !isRunning(stream);
  return isOver && !Object.values(state.media).some((one) => one.streamId === streamId && mayBeWords(one));
}

function mayBeWords({ waits, modality }: Captures['media'][string]): boolean {
  return waits && modality !== 'neural';
}
