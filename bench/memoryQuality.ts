import { readConversation } from '../src/language/readConversation.ts';
import { Corpus } from '../src/projections/memory/index/corpus.ts';
import type { IndexDocument } from '../src/projections/memory/index/documents.ts';
import { searchCorpus } from '../src/projections/memory/index/searching.ts';
import { packContext } from '../src/projections/memory/packContext.ts';
import { assistant, friends } from './support/chats.ts';
import {
  assisted,
  type Conversation,
  conversations,
  requested,
  type Session,
  threaded,
  written,
} from './support/conversations.ts';
import { type Benchmark, type Row, shareRow } from './support/table.ts';

const BUDGET = 1_000;
const AMONG = 5;
const PASSAGES = 80;

/** How much of what was told is found again, by its words alone. */
export const memoryQuality: Benchmark = {
  title: 'What memory finds with no model: questions on conversations of 32 sessions',
  async run() {
    return [
      ...rowsOf('two friends', conversations().flatMap(judged)),
      ...rowsOf('friends and their threads', threaded().flatMap(judged)),
      ...rowsOf('an assistant', assisted().flatMap(judged)),
      ...rowsOf('two friends, asked by a reader', written().flatMap(judged)),
      ...rowsOf('requests to an assistant', requested().flatMap(judged)),
      ...rowsOf('practised, friends', friends.practised().flatMap(judged)),
      ...rowsOf('practised, an assistant', assistant.practised().flatMap(judged)),
      ...rowsOf('held out, friends', friends.heldOut().flatMap(judged)),
      ...rowsOf('held out, an assistant', assistant.heldOut().flatMap(judged)),
    ];
  },
};

function rowsOf(who: string, seen: readonly Judged[]): readonly Row[] {
  const share = (shares: boolean, is: (one: Judged) => boolean) => {
    const of = seen.filter((one) => one.shares === shares);
    return of.filter(is).length / of.length;
  };
  const isAskedOtherwise = seen.some(({ shares }) => !shares);
  const row = (what: string, least: number, is: (one: Judged) => boolean) =>
    shareRow(
      `${who}: ${what}`,
      share(true, is),
      least,
      isAskedOtherwise ? `in other words: ${(100 * share(false, is)).toFixed(0)} %` : '–',
    );
  return [
    row('the session is first', 0.75, ({ place }) => place === 0),
    row(`the session is among the first ${AMONG}`, 0.9, ({ place }) => place >= 0 && place < AMONG),
    row(`the turn is in a context of ${BUDGET} tokens`, 0.8, ({ isPacked }) => isPacked),
  ];
}

interface Judged {
  readonly question: string;
  readonly shares: boolean;
  /** Of the session that has the answer; -1 when it was not found. */
  readonly place: number;
  readonly isPacked: boolean;
}

export function judged({ sessions, questions }: Conversation): readonly Judged[] {
  const corpus = new Corpus();
  for (const session of sessions) corpus.add(documentsOf(session));
  const now = (sessions.at(-1)?.startedAt ?? 0) + 86_400_000;
  return questions.map(({ text, shares, session, turn }) => {
    const { episodes, passages } = searchCorpus(corpus, { query: text, limit: 10, passages: PASSAGES, now });
    const items = passages.map((passage) => ({ ...passage, group: passage.episodeId }));
    const { groups } = packContext(items, { budget: BUDGET, tokensOf: estimatedTokens });
    const packed = groups.flatMap((group) => group.items.map(({ item }) => item.id));
    return {
      question: text,
      shares,
      place: episodes.findIndex(({ episodeId }) => episodeId === session),
      isPacked: packed.includes(turn),
    };
  });
}

/** As an import would have them: what was said, and a summary of it. */
function documentsOf({ id, startedAt, turns }: Session): readonly IndexDocument[] {
  const shared = { episodeId: id, at: startedAt, importance: 0.5 };
  const { summary, topic, keywords } = readConversation({
    turns: turns.map(({ role, text, speaker = null }) => ({ role, text, name: speaker, at: startedAt })),
  });
  return [
    { ...shared, id, kind: 'episode', text: summary, keywords, ...(topic === null ? {} : { topic }) },
    ...turns.map((turn) => ({ ...turn, ...shared, kind: 'turn' as const })),
  ];
}

/** English has about four characters a token. */
function estimatedTokens(text: string): number {
  return Math.ceil(text.length / 4) + 1;
}
