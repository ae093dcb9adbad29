import { setImmediate as breath } from 'node:timers/promises';
import type { KeepVectors } from '../../commands/memory/keepVectors.ts';
import { modelName } from '../../commands/memory/state.ts';
import { vectorsMade } from '../../events/memory.ts';
import type { IndexDocument } from '../../projections/memory/index/documents.ts';
import { packed, unpacked } from '../../projections/memory/index/vectors/packed.ts';
import type { ModelVectors, VectorEntry } from '../../projections/memory/index/vectors/vectorIndex.ts';
import type { VectorsUpTo } from '../../projections/memory/index/vectors/vectorsInStore.ts';
import type { EventBatch } from '../../store/port.ts';
import type { Embedded } from '../models.ts';

type Made = KeepVectors[number];

const OPENED_AT_ONCE = 64;
export const vectorTypes: ReadonlySet<string> = new Set([vectorsMade.type]);

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

/** Nothing of what was forgotten. */
export function decoded({ provider, model, ids, dimensions, vectors }: Made): ModelVectors {
  if (vectors === null) return { model: modelName({ provider, model }), entries: [] };
  const numbers = unpacked(vectors);
  const count = Math.min(ids.length, Math.floor(numbers.length / dimensions));
  const entries = ids.slice(0, count).map((id, index): VectorEntry => {
    return { id, vector: numbers.subarray(index * dimensions, (index + 1) * dimensions) };
  });
  return { model: modelName({ provider, model }), entries };
}

/** All vectors that these pages have. */
export async function* vectorsOf(pages: AsyncIterable<EventBatch>): AsyncGenerator<VectorsUpTo> {
  for await (const { events, position } of pages) {
    const byModel = new Map<string, VectorEntry[]>();
    const made = events.filter(({ type }) => type === vectorsMade.type);
    for (const [index, { data }] of made.entries()) {
      // Opening and decoding a whole page would hold up everybody else.
      if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await breath();
      const { model, entries } = decoded(vectorsMade.data.parse(data));
      const known = byModel.get(model);
      if (known) known.push(...entries);
      else byModel.set(model, [...entries]);
    }
    yield { position, models: Array.from(byModel, ([model, entries]) => ({ model, entries })) };
  }
}
