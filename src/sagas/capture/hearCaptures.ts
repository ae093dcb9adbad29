import { defer, EMPTY, merge, Subject } from 'rxjs';
import { engineFor, wordsOf } from '../../application/capture/intake.ts';
import type { MediaFiles, WordEngines } from '../../application/capture/ports.ts';
import type { Clock } from '../../clock.ts';
import { transcribeMedia } from '../../commands/capture/streams.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { isHarkError } from '../../errors.ts';
import { captureStream } from '../../events/capture.ts';
import { capturesState } from '../../folds/capture/captures.ts';
import type { CapturedMedia, Captures } from '../../folds/capture/state.ts';
import type { Capturing } from '../../projections/capture/capturing.ts';
import type { Deliveries } from '../../store/port.ts';
import type { TimedSaga } from '../saga.ts';
import { type Noted, whenDue } from '../whenDue.ts';
import { looksNeeded, recordings } from './looksNeeded.ts';

interface HearContext {
  readonly store: Pick<Deliveries, 'onAppended'>;
  readonly runner: CommandRunner;
  readonly capturing: () => Capturing;
}

interface HearOptions {
  /** Throws while the log is away. */
  readonly context: () => HearContext;
  readonly engines: WordEngines;
  readonly files: Pick<MediaFiles, 'read' | 'remove'>;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** An engine may be there by then. */
const LOOK_EVERY_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** Whatever failed then has been dropped since. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

/**
 * Turns media that wait into words, once there is something that can. In every process: the files lie where they were
 * taken. One that fails is tried again after pauses that grow, until its time is over.
 */
export function hearCaptures(options: HearOptions): TimedSaga<string> {
  const { context, engines, files, clock, onFailure } = options;
  const again = new Subject<Noted<string>>();
  const failures = new Map<string, { readonly count: number; readonly retryAt: number }>();

  const hear = async (userId: string, media: CapturedMedia, signal: AbortSignal) => {
    const { segmentId, modality, mimeType } = media;
    const engine = engineFor(engines, modality);
    if (!engine || !(await engine.isAvailable())) return;
    const bytes = await files.read(userId, segmentId);
    if (!bytes) return;
    const asked = { userId, correlationId: segmentId };
    const words = await engine
      .wordsOf({ is: 'media', bytes, mimeType }, { ...asked, signal })
      .catch((error) => (isHarkError(error, 'REQUEST_REFUSED') ? '' : Promise.reject(error)));
    const input = { segmentId, ...wordsOf(words, modality === 'video') };
    await context().runner.run(transcribeMedia, input, asked);
    const { media: left } = await read(userId);
    if (!Object.hasOwn(left, segmentId)) await files.remove(userId, [segmentId]);
  };

  const read = (userId: string) =>
    context().runner.read<Captures>(capturesState, captureStream(userId), userId);

  const hearAll = async (userId: string, signal: AbortSignal) => {
    for (const media of waitingIn(await read(userId))) {
      const { segmentId } = media;
      if (signal.aborted) return;
      if ((failures.get(segmentId)?.retryAt ?? 0) > clock()) continue;
      try {
        await hear(userId, media, signal);
        failures.delete(segmentId);
      } catch (error) {
        if (isHarkError(error, 'KVSTORE_UNAVAILABLE')) throw error;
        const count = (failures.get(segmentId)?.count ?? 0) + 1;
        if (count === 1) onFailure('capture', error);
        const pause = Math.min(LOOK_EVERY_MS * 2 ** (count - 1), LONGEST_PAUSE_MS);
        failures.set(segmentId, { count, retryAt: clock() + pause });
      }
    }
    if (waitingIn(await read(userId)).length > 0) again.next({ at: clock() + LOOK_EVERY_MS, item: userId });
    for (const [id, { retryAt }] of failures) if (retryAt < clock() - FORGOTTEN_MS) failures.delete(id);
  };

  return {
    name: 'hear-captures',
    everywhere: true,
    on: (time) => defer(() => whenDue(merge(looksNeeded(context(), recordings), again), time)),
    key: (userId) => userId,
    atOnce: 4,
    react: (userId, { signal, onceAmongProcesses }) =>
      onceAmongProcesses(
        `hear-captures-${userId}`,
        (held) => hearAll(userId, AbortSignal.any([signal, held])),
        EMPTY,
      ),
  };
}

/** Copied: the state goes on changing. */
function waitingIn({ media }: Captures): readonly CapturedMedia[] {
  return Object.values(media)
    .filter(({ waits, modality }) => waits && modality !== 'neural')
    .map((one) => ({ ...one }));
}
