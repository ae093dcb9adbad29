import { wholeEntities } from '../../../folds/entities/whole.ts';
import { foldedUntil } from '../../../folds/streamFold.ts';
import { knownEntities } from '../../../projections/entities/knownEntities.ts';
import { entityChanges, touchedBy } from '../../../projections/entities/touched.ts';
import type { Fields, Shown } from './shown.ts';

export const shownEntities: Shown = {
  name: 'entities',
  about: 'who and what was known by name',
  key: 'entity',
  handles: entityChanges,
  keysOf: touchedBy,
  async entriesAt(store, until, userId) {
    const known = await foldedUntil(store, knownEntities, knownEntities.stream(userId), { position: until });
    return new Map<string, Fields>(
      wholeEntities(known).map(({ id, name, type, aliases, mentions, lastSeenAt }) => [
        id,
        { name, type, aliases: aliases.join(', '), mentions, lastSeenAt },
      ]),
    );
  },
};
