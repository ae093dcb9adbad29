import { forgetEpisodes } from '../../commands/entities/forgetting.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { isEvent } from '../../events/definition.ts';
import { episodesErased } from '../../events/episodes.ts';
import { memoryErased, memoryStream } from '../../events/memory.ts';
import type { EventReader } from '../../store/port.ts';

interface Erasure {
  readonly userId: string;
  readonly correlationId: string;
  /** Of the memory's stream, right after the erasure. */
  readonly version: number;
}

/** An erasure of one episode is told in so many events at most. */
const MOST_EVENTS = 2;

/**
 * Forgets what has just been erased from memory, before anybody is told that it was. After a crash in between, the
 * saga does it.
 */
export async function forgetWhatWasErased(
  { store, runner }: { readonly store: EventReader; readonly runner: CommandRunner },
  { userId, correlationId, version }: Erasure,
): Promise<void> {
  const fromVersion = Math.max(1, version + 1 - MOST_EVENTS);
  for await (const events of store.readStream(memoryStream(userId), { fromVersion }))
    for (const event of events) {
      if (isEvent(event, memoryErased))
        await runner.run(forgetEpisodes, { episodeIds: 'all' }, { userId, correlationId });
      if (!isEvent(event, episodesErased)) continue;
      const episodeIds = event.data.episodes.map(({ episodeId }) => episodeId);
      await runner.run(forgetEpisodes, { episodeIds }, { userId, correlationId });
    }
}
