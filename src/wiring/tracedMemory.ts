import type { Caller } from '../interfaces/operation.ts';
import { named } from '../tracing/context.ts';
import { traced } from '../tracing/live.ts';

/** Told where somebody asked memory, beside the turns, which tell it themselves. */
export function searchedMemory<Found>(
  { correlationId, tool }: Pick<Caller, 'correlationId' | 'tool'>,
  search: () => Promise<Found>,
  countOf: (found: Found) => number,
): Promise<Found> {
  const within = tool?.turn && named.turn(tool.turn.turnId);
  const attributes = { 'gen_ai.operation.name': 'search_memory', 'gen_ai.provider.name': 'hark' };
  return traced(
    () => ({ name: 'search_memory memory', kind: 'internal', correlationId, within, attributes }),
    search,
    (found) => ({
      attributes: { 'gen_ai.memory.store.id': 'memory', 'gen_ai.memory.record.count': countOf(found) },
    }),
  );
}

export interface Cause {
  readonly correlationId: string;
  readonly within?: string;
}

/** The search of the index itself. */
export function retrieved<Found>(
  cause: Cause | undefined,
  limit: number,
  search: () => Promise<Found>,
): Promise<Found> {
  if (!cause) return search();
  const attributes = {
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.provider.name': 'hark',
    'gen_ai.data_source.id': 'memory',
    'gen_ai.retrieval.top_k': limit,
  };
  return traced(() => ({ name: 'retrieval memory', kind: 'internal', ...cause, attributes }), search);
}
