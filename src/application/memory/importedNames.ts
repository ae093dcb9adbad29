import { createHash } from 'node:crypto';
import { gistOf } from '../../commands/memory/findings.ts';
import { entryOf } from '../../entryOf.ts';
import { conclusionDrawn, contradictionImported } from '../../events/conclusions.ts';
import type { NewEvent } from '../../events/definition.ts';
import { entityMentioned, relationshipStated } from '../../events/entities.ts';
import { conversationImported, episodeCreated } from '../../events/episodes.ts';
import { isToldOf, pairOf } from '../../folds/memory/contradictions.ts';
import type { Remembered } from '../../projections/memory/remembered.ts';
import type { ConclusionRecord, ContradictionRecord, EpisodeRecord } from './records.ts';

type Kind = 'episode' | 'conclusion';

/** Under which ids the records are known here, or will be. */
export class ImportedNames {
  readonly #memory: Remembered;
  readonly #byId = new Map<string, string>();
  readonly #known = new Set<string>();
  /** Of which this import brings a contradiction. */
  readonly #opposed = new Set<string>();

  constructor(memory: Remembered, records: readonly (EpisodeRecord | ConclusionRecord)[]) {
    this.#memory = memory;
    const believed = new Map<string, string>();
    for (const { id, text, status } of Object.values(memory.conclusions))
      if (status === 'active') believed.set(gistOf(text ?? ''), id);
    for (const record of records) {
      const name = `${record.kind}-${record.id}`;
      const own = record.kind === 'episode' ? this.#episode(record) : this.#conclusion(record, believed);
      this.#byId.set(name, own);
      if (this.#holds(record.kind, own)) this.#known.add(name);
    }
  }

  /** There already, or brought by this import before. */
  isKnown(kind: Kind, id: string): boolean {
    return this.#known.has(`${kind}-${id}`);
  }

  brings(kind: Kind, id: string): void {
    this.#known.add(`${kind}-${id}`);
  }

  /** Of something that the same import brings, or an earlier one brought. */
  of(kind: Kind, id: string): string {
    const own = this.#byId.get(`${kind}-${id}`);
    if (own !== undefined) return own;
    return this.#holds(kind, otherId(id)) ? otherId(id) : id;
  }

  isThere(episodeId: string): boolean {
    return this.#holds('episode', episodeId);
  }

  /** Two conclusions by the ids that they have here; undefined where they are one here, or are not both there. */
  bothOf({ conclusionId, contradicts }: ContradictionRecord): readonly [string, string] | undefined {
    const isHere = (id: string) =>
      this.isKnown('conclusion', id) || this.#holds('conclusion', this.of('conclusion', id));
    const [one, other] = [this.of('conclusion', conclusionId), this.of('conclusion', contradicts)];
    return isHere(conclusionId) && isHere(contradicts) && one !== other ? [one, other] : undefined;
  }

  /** Whether a contradiction of the two is told of here already. */
  areOpposed(pair: string): boolean {
    return this.#opposed.has(pair) || isToldOf(this.#memory, pair);
  }

  oppose(pair: string): void {
    this.#opposed.add(pair);
  }

  #holds(kind: Kind, id: string): boolean {
    const { episodes, conclusions } = this.#memory;
    return entryOf<unknown>(kind === 'episode' ? episodes : conclusions, id) !== undefined;
  }

  #episode({ id, summary, happenedAt }: EpisodeRecord): string {
    const holder = entryOf(this.#memory.episodes, id);
    const isSame = holder?.summary === summary && holder.happenedAt === happenedAt;
    return !holder || isSame ? id : otherId(id);
  }

  /** What says the same as something that is believed already is that. */
  #conclusion({ id, text, status }: ConclusionRecord, believed: ReadonlyMap<string, string>): string {
    const holder = entryOf(this.#memory.conclusions, id);
    if (holder) return holder.text === text ? id : otherId(id);
    return (status === 'active' ? believed.get(gistOf(text)) : undefined) ?? id;
  }
}

/** For what comes under an id that another thing has; the same each time. */
export function otherId(id: string): string {
  return createHash('sha256').update(`imported:${id}`).digest('hex').slice(0, 32);
}

type ThingKind = 'episode' | 'conclusion' | 'contradiction' | 'entity' | 'relationship';

/**
 * What an append brought. Of two imports of the same at once each counts what it brought itself, whatever it had seen
 * before: the commands let each thing in once.
 */
export class ImportedByAppend {
  readonly #things: ReadonlySet<string>;

  constructor(appended: readonly NewEvent[]) {
    this.#things = new Set(appended.flatMap(({ type, data }) => thingIn(type, Object(data)) ?? []));
  }

  has(kind: ThingKind, id: string): boolean {
    return this.#things.has(`${kind}-${id}`);
  }

  hasSlice(episodeId: string, number: number): boolean {
    return this.#things.has(sliceOf(episodeId, number));
  }
}

function thingIn(type: string, data: Readonly<Record<string, unknown>>): string | undefined {
  switch (type) {
    case episodeCreated.type:
      return `episode-${data.episodeId}`;
    case conversationImported.type:
      return sliceOf(data.episodeId, Object(data.slice).number);
    case conclusionDrawn.type:
      return `conclusion-${data.conclusionId}`;
    case contradictionImported.type:
      return `contradiction-${pairOf(String(data.conclusionId), String(data.contradicts))}`;
    case entityMentioned.type:
      return `entity-${data.entityId}`;
    case relationshipStated.type:
      return `relationship-${data.relationshipId}`;
    default:
      return undefined;
  }
}

function sliceOf(episodeId: unknown, number: unknown): string {
  return `slice-${number}-${episodeId}`;
}
