import { Best, type Scored } from './best.ts';
import { worthOf } from './concepts.ts';
import type { Corpus, IndexedEpisode } from './corpus.ts';
import type { EpisodeHit, Passage, SearchRequest, SearchResult } from './documents.ts';
import { excerptOf, type Worth } from './excerpt.ts';
import type { Period } from './period.ts';
import { parseQuery } from './query.ts';
import { type QueryScores, Ranking } from './ranking.ts';

const DAY = 86_400_000;
/** How an episode's score comes about: from itself as a whole, from its best turn, from the next best ones. */
const WHOLE = 0.35;
const BEST = 0.4;
const OTHERS = 0.35;
const OTHERS_COUNTED = 3;
const ALONE = 0.5;

/* Bounded biases. */
const IN_PERIOD = 0.2;
const SOON_AFTER_PERIOD = 0.08;
const SOON_AFTER_DAYS = 31;
const RECENT = 0.03;
const RECENT_DAYS = 30;
const IMPORTANT = 0.04;
/** How far a passage is lifted by the episode that it stands in. */
const LIFTED_BY_EPISODE = 0.5;
/** A summary tells again what the turns beside it tell in full. */
export const REPEATED = 0.25;

/** Finds episodes, and passages of them, by the words of a query. */
export function searchCorpus(corpus: Corpus, request: SearchRequest): SearchResult {
  const query = parseQuery(request.query, corpus.present(request.now));
  if (query.wanted.length === 0 || corpus.documents.length === 0) return { episodes: [], passages: [] };
  const ranking = new Ranking(corpus, query);
  const ranked = ranking.run();
  const episodes = scoredEpisodes(corpus, ranked, query.period, request.now);
  const worth = worthOf(ranking.concepts, corpus);
  const passageOf = (document: number, score: number) => toPassage(corpus, document, score, worth);
  const best = new Best(request.limit);
  for (const episode of ranked.touchedEpisodes) best.offer(episode, episodes[episode] ?? 0);
  return {
    episodes: best.sorted().flatMap(({ item, score }): EpisodeHit[] => {
      const entry = corpus.episodes[item];
      const [passage] = bestOf(entry?.members ?? [], ranked, 1);
      if (!passage || !entry) return [];
      const { id, at, importance } = entry;
      return [
        {
          episodeId: id,
          score: Math.min(1, score),
          at,
          importance,
          best: passageOf(passage.item, passage.score),
        },
      ];
    }),
    passages: passagesOf(corpus, ranked, episodes, request.passages ?? 0).map(({ item, score }) =>
      passageOf(item, score),
    ),
  };
}

function bestOf(members: readonly number[], { documents }: QueryScores, most: number): readonly Scored[] {
  const best = new Best(most);
  for (const document of members) best.offer(document, documents[document] ?? 0);
  return best.sorted();
}

function scoredEpisodes(
  corpus: Corpus,
  ranked: QueryScores,
  period: Period | undefined,
  now: number,
): Float32Array {
  const { touchedEpisodes, whole } = ranked;
  for (let index = 0; index < touchedEpisodes.length; index++) {
    const episode = touchedEpisodes[index] ?? 0;
    const entry = corpus.episodes[episode];
    if (!entry) continue;
    const score = withParts(WHOLE * (ranked.episodes[episode] ?? 0), entry.members, ranked);
    whole[episode] = score * (1 + biasOf(entry, period, now));
  }
  return whole;
}

/** With the best score of its members, and a share of the next best ones. What stands alone is no worse for it. */
function withParts(score: number, members: readonly number[], ranked: QueryScores): number {
  const [first = 0] = members;
  if (members.length === 1) {
    const alone = ranked.documents[first] ?? 0;
    return score + BEST * alone + OTHERS * (ALONE * alone);
  }
  const [best, ...others] = bestOf(members, ranked, 1 + OTHERS_COUNTED);
  const rest = others.reduce((sum, one) => sum + one.score, 0) / OTHERS_COUNTED;
  return score + BEST * (best?.score ?? 0) + OTHERS * rest;
}

function passagesOf(
  corpus: Corpus,
  { documents, touched, touchedEpisodes }: QueryScores,
  episodes: Float32Array,
  most: number,
): readonly Scored[] {
  if (most === 0) return [];
  let highest = 1e-6;
  for (let index = 0; index < touchedEpisodes.length; index++)
    highest = Math.max(highest, episodes[touchedEpisodes[index] ?? 0] ?? 0);
  const best = new Best(most);
  for (let index = 0; index < touched.length; index++) {
    const document = touched[index] ?? 0;
    const episode = corpus.episodeOf(document);
    const lift = 1 + LIFTED_BY_EPISODE * ((episodes[episode] ?? 0) / highest);
    const isRepeated = !corpus.isTurn(document) && (corpus.episodes[episode]?.members.length ?? 0) > 1;
    best.offer(document, (documents[document] ?? 0) * lift * (isRepeated ? REPEATED : 1));
  }
  return best.sorted();
}

function biasOf(
  { at, importance }: Pick<IndexedEpisode, 'at' | 'importance'>,
  period: Period | undefined,
  now: number,
): number {
  const age = Math.max(0, now - at) / DAY;
  return (
    RECENT * 2 ** (-age / RECENT_DAYS) +
    IMPORTANT * Math.min(1, Math.max(0, importance || 0)) +
    (period ? inPeriod(at, period) : 0)
  );
}

function inPeriod(at: number, { from, until }: Period): number {
  if (at >= from && at < until) return IN_PERIOD;
  return at >= until && at < until + SOON_AFTER_DAYS * DAY ? SOON_AFTER_PERIOD : 0;
}

export function toPassage(corpus: Corpus, number: number, score: number, worth: Worth): Passage {
  const document = corpus.documents[number];
  if (!document) throw new Error(`There is no document ${number}`);
  const { id, episodeId, kind, text, at, role, speaker } = document;
  return {
    id,
    episodeId,
    kind,
    text,
    excerpt: excerptOf(text, worth),
    at,
    ...(role && { role }),
    ...(speaker !== undefined && { speaker }),
    order: corpus.orderOf(number),
    score,
  };
}
