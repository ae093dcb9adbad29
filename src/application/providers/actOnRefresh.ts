import { z } from 'zod';
import { requestRefresh } from '../../commands/providers/catalog.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { catalogRefreshRequested } from '../../events/providers.ts';
import { providerIds } from '../../vocabulary.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';

/** Asks for a fetch of the catalogs, or of one; a fetch that fails is tried again by those who fetch. */
export function actOnRefresh(runner: () => CommandRunner): TopicActor {
  return defineActor({
    topic: catalogRefreshRequested.type,
    payload: z.object({ providerId: z.enum(providerIds).optional() }),
    async act({ providerId }, { userId, id: commandId, correlationId }) {
      await runner().run(requestRefresh, { providerId }, { userId, correlationId, commandId });
    },
  });
}
