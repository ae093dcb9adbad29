import type { PastEvent } from '../../events/definition.ts';
import { memoryStream, type Profile } from '../../events/memory.ts';
import { applyToConclusions, type Conclusions, noConclusions } from '../../folds/memory/conclusions.ts';
import { readFolded } from '../../folds/memory/readFolded.ts';
import { applyToVectors, noVectors, type VectorsMade } from '../../folds/memory/vectors.ts';
import type { UserProjection } from '../projection.ts';
import { applyToEpisodes, type Episodes } from './episodes.ts';
import { applyToReports, type Reports } from './reports.ts';

/** What is remembered of one user, as it is shown, searched and told to models. */
export interface Remembered extends Episodes, Conclusions, VectorsMade, Reports {
  profile: Profile;
}

/** One of all parts, since most who read one need another, and they are read from the log in one pass. */
export const remembered: UserProjection<Remembered> = {
  name: 'remembered',
  version: 2,
  stream: memoryStream,
  get initial(): Remembered {
    return { episodes: {}, ...noConclusions(), ...noVectors(), reports: [], profile: {} };
  },
  evolve(memory: Remembered, stored: PastEvent): Remembered {
    const event = readFolded(stored);
    if (!event) return memory;
    applyToEpisodes(memory, event, stored.at);
    applyToConclusions(memory, event, stored.at);
    applyToVectors(memory, event);
    applyToReports(memory, event, stored.at);
    if (event.type === 'memory.profile.changed')
      memory.profile = { ...memory.profile, ...event.data.profile };
    if (event.type === 'memory.erased') memory.profile = {};
    return memory;
  },
};
