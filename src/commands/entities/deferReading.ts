import { entryOf } from '../../entryOf.ts';
import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';

/** The model that reads what an episode names is away; how often that was waited for is counted. */
export const deferReading = defineCommand<{ readonly episodeId: string }, UserEntities>({
  name: 'entities.deferReading',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide({ read, deferrals }, { episodeId }): EntityEvent[] {
    if (Object.hasOwn(read, episodeId)) return [];
    const attempt = (entryOf(deferrals, episodeId) ?? 0) + 1;
    return [{ type: 'entities.reading.deferred', data: { episodeId, attempt } }];
  },
});
