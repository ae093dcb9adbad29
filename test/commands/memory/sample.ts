import type { NewEpisode } from '../../../src/commands/memory/episodes.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { NOW } from '../../support/given.ts';

/** An episode with everything that a test does not care about filled in. */
export function episode(given: Partial<NewEpisode> = {}): NewEpisode {
  return {
    type: 'conversation',
    sessionId: 's1',
    conversationId: 'c1',
    turnId: null,
    summary: 'The user moved to Oslo.',
    topic: 'moving',
    keywords: ['oslo', 'moving'],
    importance: 7,
    reasons: ['a fact about the user'],
    happenedAt: NOW,
    expiresAt: NOW + 1_000,
    by: 'offline',
    ...given,
  };
}

export function anEpisode(episodeId: string, given: Partial<NewEpisode> = {}): NewEvent {
  return { type: 'memory.episode.created', data: { episodeId, ...episode(given) } };
}

export function aConclusion(conclusionId: string, given: Record<string, unknown> = {}): NewEvent {
  const data = {
    conclusionId,
    text: `What ${conclusionId} says`,
    type: 'explicit',
    confidence: 0.9,
    sources: [],
    turnIds: [],
    about: null,
    by: 'offline',
    ...given,
  };
  return { type: 'memory.conclusion.drawn', data };
}
