import { type RelationshipStatement, relationshipStatements } from '../../commands/entities/statements.ts';
import { entryOf } from '../../entryOf.ts';
import { ofConclusion } from '../../events/conclusions.ts';
import { RELATIONSHIPS } from '../../events/entities.ts';
import { PROFILE } from '../../events/memory.ts';
import type { UserEntities } from '../../folds/entities/entities.ts';
import { activeOnes, type Conclusion } from '../../folds/memory/conclusion.ts';
import { ownerOf } from '../../projections/memory/index/documents.ts';
import type { Remembered } from '../../projections/memory/remembered.ts';
import { PROFILE_ITEM, profileLines } from './profileLines.ts';

/** Something that is believed, in a sentence. */
export interface Belief {
  readonly kind: 'profile' | 'conclusion' | 'relationship';
  readonly id: string;
  readonly text: string;
  /** When it was last said; 0 where that says nothing. */
  readonly at: number;
  readonly confidence: number;
  /** Episodes that it rests on. */
  readonly sources: readonly string[];
}

/** The id of its vector begins with what it is forgotten with. */
export function vectorIdOf({ kind, id }: Pick<Belief, 'kind' | 'id'>): string {
  switch (kind) {
    case 'profile':
      return `${PROFILE}#${id}`;
    case 'relationship':
      return `${RELATIONSHIPS}#${id}`;
    case 'conclusion':
      return ofConclusion({ conclusionId: id });
  }
}

/** Lines of the profile are known by their place. */
export function lineId(line: number): string {
  return `${PROFILE_ITEM}${line}`;
}

/** What is believed about a user now. */
export class Statements {
  readonly memory: Remembered;
  readonly entities: UserEntities;

  constructor(memory: Remembered, entities: UserEntities) {
    this.memory = memory;
    this.entities = entities;
  }

  /** Neither said nor believed, as far as could be found. */
  get areNone(): boolean {
    const { episodes, conclusions } = this.memory;
    return isEmpty(episodes) && isEmpty(conclusions) && this.profile.length === 0;
  }

  get profile(): readonly Belief[] {
    return profileLines(this.memory.profile).map((text, index) => {
      return { kind: 'profile', id: lineId(index), text, at: 0, confidence: 1, sources: [] };
    });
  }

  get conclusions(): readonly Belief[] {
    return activeOnes(this.memory).flatMap((conclusion) => statementOf(conclusion) ?? []);
  }

  get relationships(): readonly RelationshipStatement[] {
    return relationshipStatements(this.entities);
  }

  /** All are put into words to find one: not for an id that is of none. */
  relationship(id: string): Belief | undefined {
    if (entryOf(this.entities.relationships, id) === undefined) return undefined;
    return this.relationships.find((one) => one.id === id);
  }

  /** Whether the model has made vectors of any. */
  haveVectors(model: string): boolean {
    const { embeddedConclusions, embeddedProfile } = this.memory;
    const made = [entryOf(embeddedConclusions, model), entryOf(this.entities.embedded, model)];
    const isMade = made.some((some) => some !== undefined && !isEmpty(some));
    return isMade || entryOf(embeddedProfile, model) !== undefined;
  }

  /** Those of which the model has made no vectors, or of what they said before. */
  withoutVector(model: string): readonly Belief[] {
    const { embeddedConclusions, embeddedProfile } = this.memory;
    const embedded = entryOf(embeddedConclusions, model) ?? {};
    return [
      ...activeOnes(this.memory)
        .filter(({ id }) => entryOf(embedded, id) !== true)
        .flatMap((conclusion) => statementOf(conclusion) ?? []),
      ...(entryOf(embeddedProfile, model) ? [] : this.profile),
      ...this.relationships.filter((one) => !this.#isMeant(one, model)),
    ];
  }

  /** Whether a conclusion has its vector, or is not believed: the same for one, without looking at all the others. */
  needsNoVector(vectorId: string, model: string): boolean {
    const { embeddedConclusions } = this.memory;
    const conclusion = this.#conclusionOf(vectorId);
    return !conclusion || entryOf(entryOf(embeddedConclusions, model) ?? {}, conclusion.id) === true;
  }

  /** What the vector of this id was made of, if that is believed now. */
  byVectorId(vectorId: string, model: string): Belief | undefined {
    switch (ownerOf(vectorId)) {
      case PROFILE:
        if (!entryOf(this.memory.embeddedProfile, model)) return undefined;
        return this.profile.find((one) => vectorIdOf(one) === vectorId);
      case RELATIONSHIPS:
        return this.relationships.find((one) => vectorIdOf(one) === vectorId && this.#isMeant(one, model));
      default:
        return this.#conclusionOf(vectorId);
    }
  }

  #conclusionOf(vectorId: string): Belief | undefined {
    const id = vectorId.slice(ofConclusion({ conclusionId: '' }).length);
    const conclusion = entryOf(this.memory.conclusions, id);
    return conclusion?.status === 'active' ? statementOf(conclusion) : undefined;
  }

  #isMeant({ id, text }: Belief, model: string): boolean {
    return entryOf(entryOf(this.entities.embedded, model) ?? {}, id) === text;
  }
}

const statements = new WeakMap<Conclusion, Belief>();

/** The same for the same, so that what is known of it is known of both. */
export function statementOf(conclusion: Conclusion): Belief | undefined {
  const made = statements.get(conclusion);
  if (made || conclusion.text === null) return made;
  const { id, text, lastEvidenceAt: at, confidence, sources } = conclusion;
  const statement = { kind: 'conclusion', id, text, at, confidence, sources } as const;
  statements.set(conclusion, statement);
  return statement;
}

/** In which something was found: to begin to name what is in one of ten thousand takes a millisecond. */
const notEmpty = new WeakSet<object>();

/** Of what was emptied since, it says no: then that is searched in vain. */
function isEmpty(entries: Readonly<Record<string, unknown>>): boolean {
  if (notEmpty.has(entries)) return false;
  for (const _one in entries) {
    notEmpty.add(entries);
    return false;
  }
  return true;
}
