import { conclusionDrawn } from '../../events/conclusions.ts';
import type { NewEvent } from '../../events/definition.ts';
import { entityMentioned, relationshipStated } from '../../events/entities.ts';
import { conversationImported, episodeCreated } from '../../events/memory.ts';

type Kind = 'episode' | 'conclusion' | 'entity' | 'relationship';

/**
 * What an append brought. Of two imports of the same at once each counts what it brought itself, whatever it had seen
 * before: the commands let each thing in once.
 */
export class ImportedByAppend {
  readonly #things: ReadonlySet<string>;

  constructor(appended: readonly NewEvent[]) {
    this.#things = new Set(appended.flatMap(({ type, data }) => thingIn(type, Object(data)) ?? []));
  }

  has(kind: Kind, id: string): boolean {
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
