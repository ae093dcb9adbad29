import type { MemoryDataOf } from '../../events/memory.ts';

/** The conversation that an episode tells of, here or where it came from; null where there is none that others tell of. */
export function talkOf({
  conversationId,
  formerConversationId,
}: Pick<MemoryDataOf<'memory.episode.created'>, 'conversationId' | 'formerConversationId'>): string | null {
  return conversationId ?? formerConversationId ?? null;
}
