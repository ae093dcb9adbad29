/** What can be found: the summary of an episode, or one turn of its conversation. The turns come in their order. */
export interface IndexDocument {
  readonly id: string;
  readonly episodeId: string;
  readonly kind: 'episode' | 'turn';
  readonly text: string;
  /** Of an episode: what else it is about. */
  readonly keywords?: readonly string[];
  readonly topic?: string;
  readonly at: number;
  /** From 0 to 1. */
  readonly importance: number;
  readonly role?: 'user' | 'assistant' | 'prompt';
  /** Who says it, by name. */
  readonly speaker?: string;
}

/** A summary has the id of its episode, a turn a number behind it. */
export function documentIdOf(episodeId: string, turn?: number): string {
  return turn === undefined ? episodeId : `${episodeId}#${turn}`;
}

/** Of a document its episode, of a statement that with which it is forgotten. */
export function ownerOf(id: string): string {
  return id.split('#', 1)[0] ?? id;
}

export interface SearchRequest {
  readonly query: string;
  /** How many episodes are wanted. */
  readonly limit: number;
  /** How many passages of all episodes together; none unless said. */
  readonly passages?: number;
  /** What "last week" is counted from. */
  readonly now: number;
}

/** A summary or a turn that answers, as a whole, with the part of it that answers best. */
export interface Passage {
  readonly id: string;
  readonly episodeId: string;
  readonly kind: 'episode' | 'turn';
  readonly text: string;
  readonly excerpt: string;
  readonly at: number;
  readonly role?: 'user' | 'assistant' | 'prompt';
  readonly speaker?: string;
  /** Its place among the documents of its episode. */
  readonly order: number;
  /** To be compared within one answer only. */
  readonly score: number;
}

export interface EpisodeHit {
  readonly episodeId: string;
  /** From 0 to 1: how much of what was asked for is there. */
  readonly score: number;
  readonly at: number;
  readonly importance: number;
  readonly best: Passage;
}

/** A passage that was found otherwise than by its words; its score is its weight among passages. */
export interface DescribedPassage {
  readonly passage: Passage;
  readonly episode: Pick<EpisodeHit, 'at' | 'importance'>;
}

export interface SearchResult {
  readonly episodes: readonly EpisodeHit[];
  readonly passages: readonly Passage[];
}
