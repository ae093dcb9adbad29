import type { Standing } from '../../events/conclusions.ts';
import type { MemoryEvent } from '../../events/memory.ts';

export type DataOf<Type extends MemoryEvent['type']> = Extract<MemoryEvent, { type: Type }>['data'];

/** What was forgotten is not there any more; text is null only for a moment, between the key and the event. */
export interface Episode extends DataOf<'memory.episode.created'> {
  readonly createdAt: number;
  readonly flagged: boolean;
}

/** The conversation that it tells of, here or where it came from; null where there is none that others tell of. */
export function talkOf({
  conversationId,
  formerConversationId,
}: Pick<Episode, 'conversationId' | 'formerConversationId'>): string | null {
  return conversationId ?? formerConversationId ?? null;
}

export interface Conclusion
  extends Omit<DataOf<'memory.conclusion.drawn'>, 'conclusionId' | 'saidAt' | 'standing'>,
    Omit<Standing, 'tended'> {
  readonly id: string;
}

export function change(
  conclusions: Record<string, Conclusion>,
  id: string,
  at: number,
  changes: Partial<Conclusion>,
): void {
  const known = conclusions[id];
  if (known) conclusions[id] = { ...known, ...changes, updatedAt: at };
}
