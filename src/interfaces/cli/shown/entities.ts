import { entitiesStream, userEntities } from '../../../commands/entities/state.ts';
import { wholeEntities } from '../../../commands/entities/whole.ts';
import { entityChanges, touchedBy } from '../../../projections/entities/touched.ts';
import type { Fields, Shown } from './shown.ts';

export const shownEntities: Shown = {
  name: 'entities',
  about: 'who and what was known by name',
  key: 'entity',
  handles: entityChanges,
  keysOf: touchedBy,
  async entriesAt(store, until, userId) {
    let known = userEntities.initial;
    for await (const events of store.readStream(entitiesStream(userId), { untilPosition: until }))
      for (const event of events) known = userEntities.evolve(known, event);
    return new Map<string, Fields>(
      wholeEntities(known).map(({ id, name, type, aliases, mentions, lastSeenAt }) => [
        id,
        { name, type, aliases: aliases.join(', '), mentions, lastSeenAt },
      ]),
    );
  },
};
