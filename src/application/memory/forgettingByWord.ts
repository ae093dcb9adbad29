import { createHash } from 'node:crypto';
import { z } from 'zod';
import { eraseConclusions } from '../../commands/memory/userChanges.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { activeOnes, type Conclusion } from '../../folds/memory/conclusion.ts';
import { speaksOf } from '../../language/forgotten.ts';
import { isAssent, requestsIn } from '../../language/requests.ts';
import { tellingStemsOf } from '../../language/whoseWords.ts';
import { stemsOf } from '../../language/words.ts';
import { contentOf, type Exchange } from '../../projections/chat/exchange.ts';
import { type Remembered, remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { CallingTurn } from '../callingTurn.ts';
import { toolNames } from './toolNames.ts';

/*
 * Forgetting what is believed, in two steps: the first call says what would be erased, and gives a word that stands for
 * just that; the second brings it back. The word is made of the user, the session and the conclusions as they are, so
 * that it is good for nothing else, in any process, and for a few minutes only.
 *
 * A model's second call counts where the user asked for it in words of their own: in this turn, or with a yes to a
 * reply that told them what it is. So the words of a mail in the result of another tool never erase anything.
 */

export interface Forgetting {
  readonly conclusionId?: string | undefined;
  readonly query?: string | undefined;
  readonly confirm?: string | undefined;
}

interface Asker {
  readonly userId: string;
  readonly correlationId: string;
  readonly commandId?: string;
  readonly sessionId: string | null;
  /** None where the user's own client calls. */
  readonly turn: CallingTurn | undefined;
}

interface Parts {
  readonly context: () => { readonly runner: CommandRunner; readonly views: UserViews };
  readonly clock: () => number;
}

interface Named {
  readonly conclusionId: string;
  readonly text: string;
}

export interface Forgotten {
  readonly forgotten: readonly Named[];
  readonly wouldForget: readonly Named[];
  /** How many more there are, which can be named once these are gone. */
  readonly more: number;
  /** With what it is to be called again. */
  readonly next: Forgetting | null;
  readonly note: string;
}

const MOST_NAMED = 20;
const WINDOW_MS = 10 * 60_000;
const CODE_LENGTH = 10;
/** Of what is to be forgotten, so much has to stand in the reply that a yes answers. */
const MOSTLY = 0.5;

export async function forgetByWord(parts: Parts, asked: Forgetting, asker: Asker): Promise<Forgotten> {
  const { runner, views } = parts.context();
  const { conclusions } = await views.of(remembered, asker.userId);
  const all = foundFor(asked, conclusions);
  const items = all.slice(0, MOST_NAMED);
  const named = items.map(({ id, text }) => ({ conclusionId: id, text: text ?? '' }));
  const answer = { forgotten: [], wouldForget: named, more: all.length - items.length, next: null };
  if (items.length === 0) return { ...answer, note: 'Nothing of that is remembered.' };
  const now = parts.clock();
  const isConfirmed = [now, now - WINDOW_MS].some((at) => asked.confirm === codeOf(asker, items, at));
  const code = codeOf(asker, items, now);
  const next = { ...without(asked), confirm: code };
  if (asked.confirm === undefined || !isConfirmed) return { ...answer, next, note: NAMED };
  if (!isAskedFor(asker.turn, items, code)) return { ...answer, next, note: NOT_ASKED_FOR };
  const { userId, correlationId, commandId } = asker;
  const whose = { userId, correlationId, ...(commandId === undefined ? {} : { commandId }) };
  // Of two who ask for the same, the second finds it gone.
  await runner.run(eraseConclusions, { conclusionIds: items.map(({ id }) => id) }, whose).catch((error) => {
    if (!isHarkError(error, 'CONCLUSION_UNKNOWN')) throw error;
  });
  return { ...answer, forgotten: named, wouldForget: [], note: FORGOTTEN };
}

const NAMED = 'Nothing is forgotten yet. Call again with what `next` says, if the user asked for just this.';
const NOT_ASKED_FOR =
  'Nothing is forgotten: the user did not ask for this in this turn. Tell them word for word what would be forgotten, ' +
  'ask whether to forget it, and call again with what `next` says once they have said yes.';
const FORGOTTEN = 'It is forgotten for good. The conversations in which it was said are still remembered.';

function without({ conclusionId, query }: Forgetting): Forgetting {
  return {
    ...(conclusionId === undefined ? {} : { conclusionId }),
    ...(query === undefined ? {} : { query }),
  };
}

function foundFor(
  { conclusionId, query }: Forgetting,
  conclusions: Readonly<Record<string, Conclusion>>,
): readonly Conclusion[] {
  if (conclusionId !== undefined) {
    const conclusion = entryOf(conclusions, conclusionId);
    if (conclusion?.status !== 'active' || conclusion.text === null)
      throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
    return [conclusion];
  }
  const wanted = query ?? '';
  const told = activeOnes({ conclusions }).filter(({ text }) => text !== null);
  const whole = told.filter(({ text }) => speaksOf(text ?? '', wanted));
  const found = whole.length > 0 ? whole : told.filter(({ text }) => share(text ?? '', wanted) > 0);
  return found.toSorted((one, other) => other.lastEvidenceAt - one.lastEvidenceAt);
}

/** Whether anything that is believed speaks of what somebody wants forgotten; of what was said last, nobody knows. */
export function isSpokenOf(what: string, { conclusions }: Pick<Remembered, 'conclusions'>): boolean {
  return what === '' || foundFor({ query: what }, conclusions).length > 0;
}

/** For these conclusions as they are, of this user, in this session. */
function codeOf({ userId, sessionId }: Asker, items: readonly Conclusion[], at: number): string {
  const what = items.map(({ id, text, updatedAt }) => [id, text, updatedAt]);
  const window = Math.floor(at / WINDOW_MS);
  const hash = createHash('sha256').update(JSON.stringify([userId, sessionId, window, what]));
  return hash.digest('hex').slice(0, CODE_LENGTH);
}

/** Whether the user asked for it, and not only somebody whose words a model has read. */
function isAskedFor(turn: CallingTurn | undefined, items: readonly Conclusion[], code: string): boolean {
  if (!turn) return true;
  const { said, earlier } = turn;
  if (said === null) return false;
  const before = earlier().at(-1);
  const wishes = requestsIn(said).flatMap(({ kind, what }) => (kind === 'forget' ? [what] : []));
  const lately = before ? `${before.text ?? ''}\n${contentOf(before)}` : '';
  const isMeant = ({ text }: Conclusion) =>
    text !== null && wishes.some((what) => share(text, what === '' ? lately : what) > 0);
  return items.every(isMeant) || (isAssent(said) && hasTold(before, items, code));
}

/** Whether the last reply told the user what they say yes to. */
function hasTold(before: Exchange | undefined, items: readonly Conclusion[], code: string): boolean {
  if (before?.end?.as !== 'replied' || namingIn(before)?.confirm !== code) return false;
  const told = contentOf(before);
  return items.every(({ text }) => text !== null && share(told, text) >= MOSTLY);
}

/** How much of what something is about another text speaks of. */
function share(text: string, what: string): number {
  const telling = tellingStemsOf(what);
  const wanted = new Set(telling.length > 0 ? telling : stemsOf(what));
  const shared = wanted.intersection(new Set(stemsOf(text))).size;
  return wanted.size === 0 ? 0 : shared / wanted.size;
}

const next = z.object({
  conclusionId: z.string().exactOptional(),
  query: z.string().exactOptional(),
  confirm: z.string(),
});

/** What the turn named as what would be forgotten, last of all. */
export function namingIn(exchange: Exchange | undefined): z.output<typeof next> | undefined {
  const last = exchange && resultsIn(exchange).at(-1);
  return z.object({ next }).safeParse(last).data?.next;
}

const erased = z.object({ forgotten: z.array(z.object({ text: z.string() })) });

/** What was forgotten in the turn: said before in the same conversation, it is not to come back from there. */
export function forgottenIn(exchange: Exchange): readonly string[] {
  const all = resultsIn(exchange).flatMap((result) => erased.safeParse(result).data?.forgotten ?? []);
  return all.map(({ text }) => text);
}

function resultsIn({ steps }: Exchange): readonly unknown[] {
  return steps.flatMap(({ calls, returns }) =>
    calls.flatMap(({ callId, name }) =>
      name === toolNames.forget
        ? returns
            .filter((back) => back.callId === callId && !back.failed)
            .map(({ result }) => jsonIn(result ?? ''))
        : [],
    ),
  );
}

function jsonIn(told: string): unknown {
  try {
    return JSON.parse(told);
  } catch {
    return undefined;
  }
}
