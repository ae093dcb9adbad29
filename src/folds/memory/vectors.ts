import { entryOf } from '../../entryOf.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import { modelName } from '../../events/providers.ts';

/** By model, what it has made vectors of; the vectors themselves are in the log. */
type ByModel = Record<string, Record<string, true>>;

export interface VectorsMade {
  /** Of episodes. */
  readonly embedded: ByModel;
  readonly embeddedConclusions: ByModel;
  /** By model, whether it has made those of the profile as it is. */
  readonly embeddedProfile: Record<string, true>;
}

export function noVectors(): VectorsMade {
  return { embedded: {}, embeddedConclusions: {}, embeddedProfile: {} };
}

export function isEmbedded(embedded: VectorsMade['embedded'], model: string, episodeId: string): boolean {
  const ofModel = entryOf(embedded, model);
  return ofModel !== undefined && entryOf(ofModel, episodeId) === true;
}

/** What an event means for which vectors there are. Changes it in place; other events mean nothing here. */
export function applyToVectors(made: VectorsMade, event: MemoryEvent): void {
  const { embedded, embeddedConclusions, embeddedProfile } = made;
  switch (event.type) {
    case 'memory.vectors.made':
      mark(embedded, modelName(event.data), event.data.episodeId);
      return;
    case 'memory.conclusion.embedded':
      mark(embeddedConclusions, modelName(event.data), event.data.conclusionId);
      return;
    case 'memory.profile.embedded':
      embeddedProfile[modelName(event.data)] = true;
      return;
    case 'memory.episodes.erased':
    case 'memory.episodes.expired':
      for (const { episodeId } of event.data.episodes) unmark(embedded, episodeId);
      return;
    case 'memory.conclusions.erased':
      for (const id of event.data.conclusionIds) unmark(embeddedConclusions, id);
      return;
    case 'memory.profile.changed':
      for (const model of Object.keys(embeddedProfile)) delete embeddedProfile[model];
      return;
    case 'memory.erased':
      Object.assign(made, noVectors());
  }
}

function mark(byModel: ByModel, model: string, id: string): void {
  const ofModel = byModel[model] ?? {};
  ofModel[id] = true;
  byModel[model] = ofModel;
}

function unmark(byModel: ByModel, id: string): void {
  for (const ofModel of Object.values(byModel)) delete ofModel[id];
}
