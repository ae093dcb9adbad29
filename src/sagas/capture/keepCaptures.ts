import { defer, merge, Subject } from 'rxjs';
import type { MakeSense, MediaFiles } from '../../application/capture/ports.ts';
import { rememberWords } from '../../application/capture/remembering.ts';
import type { Clock } from '../../clock.ts';
import { dropMedia, eraseMedia, stopStream } from '../../commands/capture/streams.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { captureStream } from '../../events/capture.ts';
import { capturesState } from '../../folds/capture/captures.ts';
import type { Captures } from '../../folds/capture/state.ts';
import type { Capturing } from '../../projections/capture/capturing.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { Deliveries } from '../../store/port.ts';
import { modelsAway } from '../retryPolicy.ts';
import type { TimedSaga } from '../saga.ts';
import { type Noted, whenDue } from '../whenDue.ts';
import { allThatIsOpen, looksNeeded } from './looksNeeded.ts';
import { type Due, dueNow, nextLook } from './next.ts';

interface KeepContext {
  readonly store: Pick<Deliveries, 'onAppended'>;
  readonly runner: CommandRunner;
  readonly views: UserViews;
  readonly capturing: () => Capturing;
}

interface KeepOptions {
  /** Throws while the log is away. */
  readonly context: () => KeepContext;
  /** With models where they may be asked now. */
  readonly makeSense: MakeSense;
  readonly files: Pick<MediaFiles, 'remove'>;
  readonly clock: Clock;
  readonly retentionMs: () => number;
}

/**
 * Ends streams that say nothing any more, makes episodes of words, and lets media go whose time is over. What there is
 * to do says the log: nothing waits in this process but the moment at which to look.
 */
export function keepCaptures({
  context,
  makeSense,
  files,
  clock,
  retentionMs,
}: KeepOptions): TimedSaga<string> {
  const again = new Subject<Noted<string>>();
  const read = (userId: string) =>
    context().runner.read<Captures>(capturesState, captureStream(userId), userId);

  const act = async (userId: string, due: Due, signal: AbortSignal) => {
    const { runner, views } = context();
    const asked = { userId, correlationId: captureStream(userId) };
    switch (due.is) {
      case 'silence':
        return runner.run(stopStream, { streamId: due.streamId, because: 'silent' }, asked);
      case 'late':
        await runner.run(dropMedia, { segmentIds: due.segmentIds, because: 'not-in-time' }, asked);
        return files.remove(userId, due.segmentIds);
      case 'expiry': {
        const over = overIn(await read(userId), clock());
        await runner.run(eraseMedia, { because: 'expired' }, asked);
        return files.remove(userId, over);
      }
      case 'episode': {
        const expiresAt = clock() + retentionMs();
        return rememberWords(
          { runner, views, makeSense, expiresAt },
          { userId, episodeId: due.episodeId, signal },
        );
      }
    }
  };

  return {
    name: 'keep-captures',
    on: (time) => defer(() => whenDue(merge(looksNeeded(context(), allThatIsOpen), again), time)),
    key: (userId) => userId,
    retry: {
      tries: Number.POSITIVE_INFINITY,
      firstPauseMs: 1_000,
      longestPauseMs: 60_000,
      awaits: modelsAway,
    },
    async react(userId, { signal }) {
      for (const due of dueNow(await read(userId), clock())) {
        if (signal.aborted) return;
        await act(userId, due, signal);
      }
      const at = nextLook(await read(userId), clock());
      if (Number.isFinite(at)) again.next({ at, item: userId });
    },
  };
}

function overIn({ media }: Captures, now: number): readonly string[] {
  return Object.values(media)
    .filter(({ until }) => until <= now)
    .map(({ segmentId }) => segmentId);
}
