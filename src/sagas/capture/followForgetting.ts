import { forgetDrawn } from '../../application/capture/forgetting.ts';
import type { MakeSense, MediaFiles } from '../../application/capture/ports.ts';
import { eraseMedia, stopDevice } from '../../commands/capture/streams.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { captureForgotten, captureStream, mediaErased } from '../../events/capture.ts';
import { isEvent } from '../../events/definition.ts';
import { deviceDeleted, deviceStatusChanged } from '../../events/devices.ts';
import { episodesErased, episodesExpired } from '../../events/episodes.ts';
import { memoryErased } from '../../events/memory.ts';
import type { Capturing } from '../../projections/capture/capturing.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { EventReader } from '../../store/port.ts';
import { looks } from '../dueTimes.ts';
import { defineSaga, type Saga, type TimedSaga } from '../saga.ts';

interface FollowOptions {
  /** What stands while the saga runs. */
  readonly context: () => {
    readonly store: EventReader;
    readonly runner: CommandRunner;
    readonly views: UserViews;
    readonly capturing: () => Capturing;
  };
  /** Without a model. */
  readonly makeSense: MakeSense;
  readonly files: MediaFiles;
}

/** A device that may nothing any more captures nothing any more, for nobody. */
export function stopGoneDevices(
  context: () => { readonly runner: CommandRunner; readonly capturing: () => Capturing },
): Saga {
  return defineSaga({
    name: 'stop-captures-of-gone-devices',
    on: [deviceStatusChanged, deviceDeleted],
    key: ({ data }) => data.deviceId,
    async react(event, { run }) {
      const { deviceId } = event.data;
      if (isEvent(event, deviceStatusChanged) && event.data.status === 'active') return;
      for (const { userId, streams } of Object.values(context().capturing().byStream))
        if (streams.length > 0) await run(stopDevice, { deviceId }, { step: userId, userId });
    },
  });
}

/**
 * What is forgotten of captures is forgotten of memory, also where a crash came in between; and with an episode go the
 * recordings that it is of.
 */
export function followForgetting({ context, makeSense, files }: FollowOptions): Saga {
  return defineSaga({
    name: 'follow-forgotten-captures',
    on: [captureForgotten, episodesErased, episodesExpired, memoryErased],
    key: ({ owner }) => owner,
    async react(event, { run, signal }) {
      const userId = event.owner;
      const { store, runner, views, capturing } = context();
      if (isEvent(event, captureForgotten)) {
        const { forgetId, since } = event.data;
        const asked = { userId, correlationId: event.correlationId, forgetId, since, signal };
        await forgetDrawn({ store, runner, views, makeSense }, asked);
        return;
      }
      const open = capturing().byStream[captureStream(userId)];
      if (!open || open.media.length === 0) return;
      const input = isEvent(event, memoryErased)
        ? { because: 'memory-erased' as const }
        : { because: 'episode-erased' as const, episodeIds: event.data.episodes.map((one) => one.episodeId) };
      const { appended } = await run(eraseMedia, input);
      const erased = appended.flatMap((one) => (isEvent(one, mediaErased) ? one.data.segmentIds : []));
      await files.remove(userId, erased);
    },
  });
}

const SWEEP_EVERY_MS = 60 * 60_000;

/** Files that a crash left, and that nothing in the log tells of. */
export function sweepFiles({
  files,
  capturing,
  liveOf,
}: {
  readonly files: Pick<MediaFiles, 'sweep'>;
  /** Throws while the log is away. */
  readonly capturing: () => Capturing;
  readonly liveOf: (userId: string) => Promise<(segmentId: string) => boolean>;
}): TimedSaga<string> {
  return {
    name: 'sweep-capture-files',
    everywhere: true,
    on: looks((now) => ({ due: ['files'], again: now + SWEEP_EVERY_MS })),
    retry: { tries: 1 },
    key: (what) => what,
    react: () => files.sweep(() => Object.values(capturing().byStream).map(({ userId }) => userId), liveOf),
  };
}
