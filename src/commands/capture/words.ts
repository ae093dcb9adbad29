import { entryOf } from '../../entryOf.ts';
import { type CaptureDataOf, type CaptureEvent, isSince } from '../../events/capture.ts';
import type { Batch, Captures } from '../../folds/capture/state.ts';
import { defineCaptureCommand } from './consent.ts';

/** The words that wait for an episode are all of it: what comes from now on is for another one. */
export const gatherWords = defineCaptureCommand<{ readonly episodeId: string }>({
  name: 'capture.gatherWords',
  decide({ batches }, { episodeId }): CaptureEvent[] {
    const batch = batches.find((one) => one.episodeId === episodeId);
    if (!batch || batch.gathered) return [];
    return [{ type: 'capture.words.gathered', data: { episodeId, streamId: batch.streamId } }];
  },
});

interface SettleWords {
  readonly episodeId: string;
  readonly as: CaptureDataOf<'capture.words.settled'>['as'];
}

export const settleWords = defineCaptureCommand<SettleWords>({
  name: 'capture.settleWords',
  decide({ batches }, { episodeId, as }): CaptureEvent[] {
    const batch = batches.find((one) => one.episodeId === episodeId);
    if (!batch) return [];
    return [{ type: 'capture.words.settled', data: { episodeId, streamId: batch.streamId, as } }];
  },
});

interface ForgetRecent {
  readonly forgetId: string;
  readonly since: number;
}

/**
 * What came, or was recorded, since then. Words from before it lose their key with the others, and are kept again under
 * another one.
 */
export const forgetRecent = defineCaptureCommand<ForgetRecent>({
  name: 'capture.forgetRecent',
  decide(state, { forgetId, since }, { newId }): CaptureEvent[] {
    const touched = state.batches.filter(({ words }) => words.some((one) => isSince(one, since)));
    const words = touched.flatMap((batch) => batch.words.filter((one) => isSince(one, since)));
    const media = Object.values(state.media).filter((one) => isSince(one, since));
    const segmentIds = [...new Set([...words, ...media].map(({ segmentId }) => segmentId))];
    const episodeIds = touched.map(({ episodeId }) => episodeId);
    return [
      { type: 'capture.forgotten', data: { forgetId, since, segmentIds, episodeIds } },
      ...touched.flatMap((batch) => keptAgain(state, batch, since, newId)),
    ];
  },
});

function keptAgain(
  { streams }: Captures,
  { streamId, words }: Batch,
  since: number,
  newId: () => string,
): CaptureEvent[] {
  const left = words.filter((one) => !isSince(one, since));
  const isAmbient = entryOf(streams, streamId)?.mode === 'ambient';
  const episodeId = newId();
  return left.map(({ at: keptAt, described, ...one }) => ({
    type: 'capture.segment.kept',
    data: {
      ...one,
      ...{ streamId, episodeId, keptAt },
      ...(isAmbient ? { summarizedOnly: true as const } : {}),
      ...(described ? { described: true as const } : {}),
    },
  }));
}
