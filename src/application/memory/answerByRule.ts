import { z } from 'zod';
import type { ToolCall } from '../../gateways/models/gateway.ts';
import { isAssent } from '../../language/requests.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { jsonIn, type RuleAnswer, repliesIn } from '../ruleAnswer.ts';
import { namingIn } from './forgettingByWord.ts';
import type { Heeded } from './heeding.ts';
import { type RuleReplies, ruleReplies } from './ruleReplies.ts';
import { toolNames } from './toolNames.ts';

/* What answers a request of memory where no model does: rules call the same tools, and say what came of it. */

interface Asked {
  readonly heeded: readonly Heeded[];
  readonly said: string;
  /** The turn before this one. */
  readonly before: Exchange | undefined;
}

type Known = Asked & {
  /** In which the user wants to be answered. */
  readonly language: string | undefined;
};

const CALL = 'by-rule-';
const MOST_TOLD = 10;
const ABOUT_ALL = 'the user';

/** Undefined where nothing is asked of memory. `exchange` is the turn so far. */
export function answerByRule(
  { heeded, said, before, language }: Known,
  { steps }: Pick<Exchange, 'steps'>,
): RuleAnswer | undefined {
  const calls = callsFor({ heeded, said, before });
  if (heeded.length === 0 && calls.length === 0) return undefined;
  if (steps.length === 0 && calls.length > 0) return { text: '', calls };
  const [last] = steps;
  if (steps.length > 1 || last?.calls.some(({ callId }) => !callId.startsWith(CALL))) return undefined;
  const replies = repliesIn(language, ruleReplies);
  const told = calls.map(({ id, input }) => {
    const back = last?.returns.find(({ callId }) => callId === id);
    return tellOfResult(replies, String(input.query ?? ''), back?.result ?? null);
  });
  return { text: [...heeded.flatMap((one) => tellOf(replies, one)), ...told].join('\n\n'), calls: [] };
}

function callsFor({ heeded, said, before }: Asked): readonly ToolCall[] {
  const wanted = heeded.flatMap((one): Omit<ToolCall, 'id'>[] => {
    if (one.as === 'asked')
      return [{ name: toolNames.search, input: { query: one.what || ABOUT_ALL, limit: MOST_TOLD } }];
    return one.as === 'unsure' && one.what !== ''
      ? [{ name: toolNames.forget, input: { query: one.what } }]
      : [];
  });
  const naming = heeded.length === 0 && isAssent(said) ? namingIn(before) : undefined;
  const all = naming ? [{ name: toolNames.forget, input: naming }] : wanted;
  return all.map((call, index) => ({ id: `${CALL}${index + 1}`, ...call }));
}

function tellOf(replies: RuleReplies, one: Heeded): readonly string[] {
  switch (one.as) {
    case 'remembered':
    case 'corrected':
    case 'forgotten':
      return [replies[one.as](one.texts)];
    case 'off':
    case 'wrong':
    case 'elsewhere':
    case 'everything':
      return [replies[one.as]];
    case 'unsure':
      return one.what === '' ? [replies.whatToForget] : [];
    case 'asked':
      return [];
  }
}

const text = z.object({ text: z.string() });
const results = z.union([
  z.object({ results: z.array(text.extend({ kind: z.string() })) }),
  z.object({ forgotten: z.array(text), wouldForget: z.array(text) }),
]);

function tellOfResult(replies: RuleReplies, query: string, result: string | null): string {
  const found = results.safeParse(jsonIn(result ?? '')).data;
  if (!found) return result ?? replies.failed;
  if ('results' in found)
    return found.results.length === 0
      ? replies.nothingKnown(query === ABOUT_ALL)
      : replies.known(listed(firstTold(found.results)));
  const { forgotten, wouldForget } = found;
  if (forgotten.length > 0) return replies.gone(listed(forgotten));
  return wouldForget.length === 0 ? replies.nothingOfThat : replies.wouldForget(listed(wouldForget));
}

/** What is believed says it; else how things are related, and else the words of conversations. */
const KINDS = [['profile', 'conclusion'], ['relationship']] as const;

function firstTold<Result extends { readonly kind: string }>(found: readonly Result[]): readonly Result[] {
  for (const kinds of KINDS) {
    const told = found.filter(({ kind }) => kinds.some((one) => one === kind));
    if (told.length > 0) return told;
  }
  return found;
}

function listed(all: readonly z.output<typeof text>[]): string {
  return all.map((one) => `- ${one.text}`).join('\n');
}
