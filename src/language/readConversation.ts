import type { ConversationReading, SpokenConversation } from './conversation.ts';
import { forgettingIn } from './forgotten.ts';
import { importanceOf, responseImportance } from './importance.ts';
import { keywordsOf, topicOf } from './keywords.ts';
import { withStated } from './names/stated.ts';
import { namesIn } from './names.ts';
import { sameFact } from './sameFact.ts';
import { isPlayAfter } from './statements/fiction.ts';
import { statementsOf } from './statements.ts';
import { summaryOf } from './summary.ts';

type Found = ConversationReading['statements'][number];

/** Of a turn, and of a conversation, so much is read; what comes after it is left out. */
const LONGEST_TURN = 20_000;
const LONGEST_CONVERSATION = 400_000;

/** All that can be told of a conversation without a model. Takes some ten milliseconds and more: for the thread. */
export function readConversation(given: SpokenConversation): ConversationReading {
  const turns = bounded(given.turns);
  const mine = ownTurns(turns);
  const isForgotten = forgettingIn(turns);
  const statements: Found[] = [];
  for (const { index, text, at } of mine) {
    const found = statementsOf(text, at)
      .filter((one) => !isForgotten(one.text, index))
      .map((statement) => ({ ...statement, turn: index }));
    statements.push(...found.filter((one) => !isRepeated(one, statements)));
  }
  const keywords = keywordsOf(turns);
  return {
    summary: summaryOf(turns),
    topic: topicOf(keywords),
    keywords,
    ...importanceOf(turns, statements),
    statements,
    ...withStated(namesIn(mine.map(({ text }) => text)), statements),
    answer: answerIn(turns),
  };
}

function bounded(turns: SpokenConversation['turns']): SpokenConversation['turns'] {
  let left = LONGEST_CONVERSATION;
  return turns.map((turn) => {
    const text = turn.text.slice(0, Math.min(LONGEST_TURN, left));
    left -= text.length;
    return { ...turn, text };
  });
}

function answerIn(turns: SpokenConversation['turns']): ConversationReading['answer'] {
  const [asked, answered] = turns.slice(-2);
  if (asked?.role !== 'user' || answered?.role !== 'assistant') return null;
  const { importance, reasons } = responseImportance(asked.text, answered.text);
  return { importance, reasons };
}

/** What the user said as himself: not while a game was played in which he is somebody else. */
function ownTurns(
  turns: SpokenConversation['turns'],
): readonly { index: number; text: string; at: number }[] {
  let isPlay = false;
  return turns.flatMap(({ role, text, at }, index) => {
    if (role !== 'user') return [];
    const wasPlay = isPlay;
    isPlay = isPlayAfter(text, wasPlay);
    return wasPlay && isPlay ? [] : [{ index, text, at }];
  });
}

/** Said before in the same conversation, and nothing else of the kind since. */
function isRepeated(later: Found, known: readonly Found[]): boolean {
  const earlier = known.findLast(({ slot }) => slot === later.slot);
  return earlier !== undefined && sameFact(earlier, later);
}
