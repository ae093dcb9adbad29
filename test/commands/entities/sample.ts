import {
  type FoundEntity,
  type RecordEntities,
  recordEntities,
} from '../../../src/commands/entities/recordEntities.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { type UserEntities, userEntities } from '../../../src/folds/entities/entities.ts';
import { type WholeEntity, wholeEntities } from '../../../src/folds/entities/whole.ts';
import type { EntityType } from '../../../src/vocabulary.ts';
import { fold, NOW } from '../../support/given.ts';

/** Something found in an episode, with everything that a test does not care about filled in. */
export function found(name: string, given: Partial<FoundEntity> = {}): FoundEntity {
  return { name, type: 'person', aliases: [], mentions: 1, turnIds: [], ...given };
}

export function record(episodeId: string, given: Partial<RecordEntities> = {}): RecordEntities {
  const nothing = { entities: [], relationships: [], erasures: 0 };
  return { episodeId, conversationId: `c-${episodeId}`, seenAt: NOW, by: 'offline', ...nothing, ...given };
}

/** The events after these episodes were read, one after the other; the ids tell the episode. */
export function recorded(...records: readonly RecordEntities[]): readonly NewEvent[] {
  const past: NewEvent[] = [];
  for (const input of records) past.push(...after(past, input));
  return past;
}

export function after(past: readonly NewEvent[], input: RecordEntities): readonly NewEvent[] {
  let ids = 0;
  const newId = () => `${input.episodeId}-${++ids}`;
  const known = fold(userEntities, past);
  return recordEntities.decide(known, { ...input, erasures: known.erasures }, { now: NOW, newId });
}

export function knownAfter(...records: readonly RecordEntities[]): UserEntities {
  return fold(userEntities, recorded(...records));
}

export function oneNamed(known: UserEntities, name: string): WholeEntity | undefined {
  return wholeEntities(known).find((entity) => entity.name === name);
}

export function namesOf(known: UserEntities, type?: EntityType): readonly string[] {
  const all = wholeEntities(known).filter((entity) => type === undefined || entity.type === type);
  return all.map(({ name }) => name);
}
