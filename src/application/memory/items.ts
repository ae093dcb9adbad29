import { entryOf } from '../../entryOf.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import type { Statements } from './statements.ts';

export type Recallable = Pick<Statements, 'memory' | 'relationships' | 'profile'>;

/** What is remembered under an id by which a turn says that it was recalled. */
export interface MemoryItem {
  readonly id: string;
  readonly kind: 'conclusion' | 'episode' | 'relationship' | 'profile';
  readonly text: string;
  /** Of a conclusion. */
  readonly status?: Conclusion['status'] | undefined;
  /** Which a relationship is about. */
  readonly entityId?: string | undefined;
}

/** Undefined for what is not remembered any more. */
export function itemOf(id: string, { memory, relationships, profile }: Recallable): MemoryItem | undefined {
  const { episodes, conclusions } = memory;
  const episode = entryOf(episodes, id)?.summary;
  if (episode) return { id, kind: 'episode', text: episode };
  const { text, status } = entryOf(conclusions, id) ?? {};
  if (text) return { id, kind: 'conclusion', text, status };
  const line = profile.find((one) => one.id === id);
  if (line) return { id, kind: 'profile', text: line.text };
  const relationship = relationships.find((one) => one.id === id);
  return (
    relationship && { id, kind: 'relationship', text: relationship.text, entityId: relationship.entityId }
  );
}
