import { z } from 'zod';
import type { ToolCall } from '../../gateways/models/gateway.ts';
import { isAssent } from '../../language/requests.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import type { RuleAnswer } from '../ruleAnswer.ts';
import { namingIn, toolNames } from './forgettingByWord.ts';
import type { Heeded } from './heeding.ts';

/* What answers a request of memory where no model does: rules call the same tools, and say what came of it. */

interface Asked {
  readonly heeded: readonly Heeded[];
  readonly said: string;
  /** The turn before this one. */
  readonly before: Exchange | undefined;
}

const CALL = 'by-rule-';
const MOST_TOLD = 10;
const ABOUT_ALL = 'the user';

/** Undefined where nothing is asked of memory. `exchange` is the turn so far. */
export function answerByRule(
  { heeded, said, before }: Asked,
  { steps }: Pick<Exchange, 'steps'>,
): RuleAnswer | undefined {
  const calls = callsFor({ heeded, said, before });
  if (heeded.length === 0 && calls.length === 0) return undefined;
  if (steps.length === 0 && calls.length > 0) return { text: '', calls };
  const [last] = steps;
  if (steps.length > 1 || last?.calls.some(({ callId }) => !callId.startsWith(CALL))) return undefined;
  const told = calls.map(({ id, input }) => {
    const back = last?.returns.find(({ callId }) => callId === id);
    return tellOfResult(String(input.query ?? ''), back?.result ?? null);
  });
  return { text: [...heeded.flatMap(tellOf), ...told].join('\n\n'), calls: [] };
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

function tellOf(one: Heeded): readonly string[] {
  switch (one.as) {
    case 'remembered':
      return [`I will remember that: ${one.texts.join(' ')}`];
    case 'corrected':
      return [`I have put that right: ${one.texts.join(' ')}`];
    case 'forgotten':
      return [`I have forgotten: ${one.texts.join(' ')}`];
    case 'off':
      return ['I remember nothing: you have memory turned off (preference persistMemory).'];
    case 'wrong':
      return ['What is right, then? Say it in a sentence, as in "That is wrong, I live in Bergen."'];
    case 'elsewhere':
      return ['I have erased nothing: a device may not. Ask me elsewhere, or run `hark memory forget`.'];
    case 'everything':
      return [
        'I have erased nothing: a word in a chat is not enough for that. To erase everything that I know about you, ' +
          'run `hark memory forget --all`, or send DELETE /api/memory.',
      ];
    case 'unsure':
      return one.what === ''
        ? ['What shall I forget? Say it in its words, as in "Forget that I love coffee."']
        : [];
    case 'asked':
      return [];
  }
}

const text = z.object({ text: z.string() });
const results = z.union([
  z.object({ results: z.array(text) }),
  z.object({ forgotten: z.array(text), wouldForget: z.array(text) }),
]);

function tellOfResult(query: string, result: string | null): string {
  const found = results.safeParse(jsonIn(result ?? '')).data;
  if (!found) return result ?? 'That did not work.';
  const about = query === ABOUT_ALL ? 'about you' : 'about that';
  if ('results' in found)
    return found.results.length === 0 ? `I know nothing ${about}.` : `I know this:\n${listed(found.results)}`;
  const { forgotten, wouldForget } = found;
  if (forgotten.length > 0) return `I have forgotten:\n${listed(forgotten)}`;
  if (wouldForget.length === 0) return 'I remember nothing of that.';
  return `I would forget this for good:\n${listed(wouldForget)}\nShall I? Say yes.`;
}

function listed(all: readonly z.output<typeof text>[]): string {
  return all.map((one) => `- ${one.text}`).join('\n');
}

function jsonIn(told: string): unknown {
  try {
    return JSON.parse(told);
  } catch {
    return undefined;
  }
}
