import { setImmediate as breath } from 'node:timers/promises';
import type { KeepVectors } from '../../commands/memory/keepVectors.ts';
import { conclusionEmbedded, ofConclusion } from '../../events/conclusions.ts';
import { type NewEvent, readerOf } from '../../events/definition.ts';
import { relationshipsEmbedded } from '../../events/entities.ts';
import { vectorsMade } from '../../events/episodes.ts';
import { profileEmbedded } from '../../events/memory.ts';
import { modelName } from '../../events/providers.ts';
import type { IndexDocument } from '../../projections/memory/index/documents.ts';
import { packed, unpacked } from '../../projections/memory/index/vectors/packed.ts';
import {
  type ModelVectors,
  nameOfSet,
  type VectorEntry,
} from '../../projections/memory/index/vectors/vectorIndex.ts';
import type { VectorsUpTo } from '../../projections/memory/index/vectors/vectorsInStore.ts';
import type { EventBatch } from '../../store/port.ts';
import type { Embedded } from '../models.ts';
import { lineId, vectorIdOf } from './statements.ts';

type Made = KeepVectors[number];

const OPENED_AT_ONCE = 64;
export const vectorTypes: ReadonlySet<string> = new Set([
  vectorsMade.type,
  conclusionEmbedded.type,
  profileEmbedded.type,
  relationshipsEmbedded.type,
]);

/** As they are kept: those of one episode and of one length together. */
export function encoded(
  texts: readonly Pick<IndexDocument, 'id' | 'episodeId'>[],
  { provider, model, vectors }: Embedded,
): readonly Made[] {
  const groups = new Map<string, { episodeId: string; dimensions: number; entries: VectorEntry[] }>();
  for (const [index, { id, episodeId }] of texts.entries()) {
    const vector = vectors[index];
    if (!vector) continue;
    const key = `${vector.length} ${episodeId}`;
    const group = groups.get(key) ?? { episodeId, dimensions: vector.length, entries: [] };
    group.entries.push({ id, vector });
    groups.set(key, group);
  }
  return Array.from(groups.values(), ({ episodeId, dimensions, entries }) => ({
    episodeId,
    provider,
    model,
    ids: entries.map(({ id }) => id),
    dimensions,
    vectors: base64Of(entries, dimensions),
  }));
}

function base64Of(entries: readonly VectorEntry[], dimensions: number): string {
  const numbers = new Float32Array(entries.length * dimensions);
  for (const [index, { vector }] of entries.entries()) numbers.set(vector, index * dimensions);
  return packed(numbers);
}

const readVectors = readerOf([vectorsMade, conclusionEmbedded, profileEmbedded, relationshipsEmbedded]);

/** The vectors that an event tells of; none of what was forgotten. */
export function vectorsIn(stored: NewEvent): ModelVectors | undefined {
  const event = readVectors(stored);
  switch (event?.type) {
    case 'memory.vectors.made':
      return { of: 'passages', model: modelName(event.data), entries: entriesIn(event.data) };
    case 'memory.conclusion.embedded': {
      const { conclusionId, vector, ...by } = event.data;
      const entries =
        vector === null ? [] : [{ id: ofConclusion({ conclusionId }), vector: unpacked(vector) }];
      return { of: 'statements', model: modelName(by), entries };
    }
    case 'memory.profile.embedded': {
      const made = event.data;
      const lines = made.vectors === null ? 0 : unpacked(made.vectors).length / made.dimensions;
      const ids = Array.from({ length: lines }, (_, line) =>
        vectorIdOf({ kind: 'profile', id: lineId(line) }),
      );
      return { of: 'statements', model: modelName(made), entries: entriesIn({ ...made, ids }) };
    }
    case 'entities.relationships.embedded': {
      const ids = event.data.relationshipIds.map((id) => vectorIdOf({ kind: 'relationship', id }));
      return { of: 'statements', model: modelName(event.data), entries: entriesIn({ ...event.data, ids }) };
    }
    default:
      return undefined;
  }
}

function entriesIn({
  ids,
  dimensions,
  vectors,
}: Pick<Made, 'ids' | 'dimensions' | 'vectors'>): VectorEntry[] {
  if (vectors === null) return [];
  const numbers = unpacked(vectors);
  const count = Math.min(ids.length, Math.floor(numbers.length / dimensions));
  return ids.slice(0, count).map((id, index): VectorEntry => {
    return { id, vector: numbers.subarray(index * dimensions, (index + 1) * dimensions) };
  });
}

/** All vectors that these pages have. */
export async function* vectorsOf(pages: AsyncIterable<EventBatch>): AsyncGenerator<VectorsUpTo> {
  for await (const { events, position } of pages) {
    const sets = new Map<string, ModelVectors & { readonly entries: VectorEntry[] }>();
    const made = events.filter(({ type }) => vectorTypes.has(type));
    for (const [index, event] of made.entries()) {
      // Opening and decoding a whole page would hold up everybody else.
      if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await breath();
      const vectors = vectorsIn(event);
      if (!vectors) continue;
      const { entries, ...name } = vectors;
      const set = sets.get(nameOfSet(name));
      if (set) set.entries.push(...entries);
      else sets.set(nameOfSet(name), { ...name, entries: [...entries] });
    }
    yield { position, models: [...sets.values()] };
  }
}
