import { z } from 'zod';
import type { WholeEntity, WholeRelationship } from '../../folds/entities/whole.ts';
import { lazily } from '../../lazily.ts';
import { entityTypes } from '../../vocabulary.ts';

export const entityType = lazily(() => z.enum(entityTypes));

export const entityView = lazily(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    type: entityType(),
    aliases: z.array(z.string()).readonly(),
    mentions: z.int(),
    firstSeenAt: z.number(),
    lastSeenAt: z.number(),
    episodeIds: z.array(z.string()).readonly(),
  }),
);

export const relationshipView = lazily(() =>
  z.object({
    id: z.string(),
    from: z.string().describe('Id of an entity, or `user`: the one whose memory this is'),
    to: z.string(),
    type: z.string(),
    confidence: z.number(),
    sources: z.array(z.string()).readonly().describe('Ids of the episodes that state it'),
  }),
);

export function entityToWire({
  turnIds: _turnIds,
  ...shown
}: WholeEntity): z.output<ReturnType<typeof entityView>> {
  return shown;
}

export function relationshipToWire({
  statedIn: _statedIn,
  ...shown
}: WholeRelationship): z.output<ReturnType<typeof relationshipView>> {
  return shown;
}
