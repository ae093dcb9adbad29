import type { EventOf } from '../../events/definition.ts';
import { type EntityEvent, entitiesStream, type relationshipsEmbedded } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';

interface KeepRelationshipVectors {
  readonly made: EventOf<typeof relationshipsEmbedded>['data'];
  /** As they were when the sentences were drawn up: what was erased since may stand in them. */
  readonly erasures: number;
}

export const keepRelationshipVectors = defineCommand<KeepRelationshipVectors, UserEntities>({
  name: 'entities.keepRelationshipVectors',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide: (known, { made, erasures }): EntityEvent[] =>
    known.erasures === erasures ? [{ type: 'entities.relationships.embedded', data: made }] : [],
});
