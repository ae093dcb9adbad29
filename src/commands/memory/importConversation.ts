import { entryOf } from '../../entryOf.ts';
import type { ImportedTurn, MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { createEpisode, type NewEpisode } from './episode.ts';
import type { KnownEpisodes } from './episodes.ts';
import { type Finding, settleFindings } from './findings.ts';
import { defineMemoryCommand } from './state.ts';

export interface ImportConversation {
  /** Made from what is imported, so that the same again is known. */
  readonly episodeId: string;
  readonly sessionId: string;
  readonly turns: readonly ImportedTurn[];
  readonly episode: NewEpisode;
  readonly findings: readonly Finding[];
}

/** A conversation from elsewhere: its words, and what they came to. */
export const importConversation = defineMemoryCommand<ImportConversation>({
  name: 'memory.importConversation',
  decide(
    memory: KnownEpisodes & Conclusions,
    { episodeId, sessionId, turns, episode, findings },
    { newId, now },
  ): MemoryEvent[] {
    if (entryOf(memory.episodes, episodeId)) return [];
    const saidAt = ({ turnIds }: Finding) => {
      const told = turnIds.flatMap((index) => turns[Number(index)]?.at ?? []);
      // Nobody has said anything yet that is still to come.
      return Math.min(now, told.length > 0 ? Math.max(...told) : episode.happenedAt);
    };
    const evidence = { episodeId, conversationId: null, saidAt };
    return [
      { type: 'memory.conversation.imported', data: { episodeId, sessionId, turns } },
      createEpisode(episodeId, episode),
      ...settleFindings(memory, findings, evidence, newId),
    ];
  },
});
