import { Corpus } from '../../../../src/projections/memory/index/corpus.ts';
import type { IndexDocument, SearchRequest } from '../../../../src/projections/memory/index/documents.ts';
import { searchCorpus } from '../../../../src/projections/memory/index/searching.ts';

export const NOON = Date.UTC(2026, 5, 15, 12);
export const DAY = 86_400_000;

/** Turns of one episode, each "Name: what is said" or only what is said. */
export function episode(episodeId: string, lines: readonly string[], at = NOON): readonly IndexDocument[] {
  return lines.map((line, index) => {
    const [, speaker, said] = /^(\p{Lu}\p{L}+): (.*)$/su.exec(line) ?? [];
    return {
      id: `${episodeId}:${index}`,
      episodeId,
      kind: 'turn',
      text: said ?? line,
      at,
      importance: 0.5,
      ...(speaker !== undefined && { speaker }),
    };
  });
}

export function corpusOf(...episodes: readonly (readonly IndexDocument[])[]): Corpus {
  const corpus = new Corpus();
  for (const documents of episodes) corpus.add(documents);
  return corpus;
}

/** The ids of the episodes that a query finds, best first. */
export function found(corpus: Corpus, query: string, more: Partial<SearchRequest> = {}): readonly string[] {
  return searchCorpus(corpus, { query, limit: 10, now: NOON, ...more }).episodes.map(
    ({ episodeId }) => episodeId,
  );
}
