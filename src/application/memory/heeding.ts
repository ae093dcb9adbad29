import type { Finding } from '../../commands/memory/findings.ts';
import { isSameFact } from '../../commands/memory/replacing.ts';
import { eraseConclusions, rememberSaid } from '../../commands/memory/userChanges.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { isHarkError } from '../../errors.ts';
import { activeOnes, type Conclusion } from '../../folds/memory/conclusion.ts';
import { speaksOf } from '../../language/forgotten.ts';
import { correctedBy, type Kept, keptOf } from '../../language/remembered.ts';
import { type MemoryRequest, requestsIn } from '../../language/requests.ts';
import { isPlayAfter } from '../../language/statements/fiction.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import type { CallingTurn } from '../callingTurn.ts';
import { isSpokenOf } from './forgettingByWord.ts';

/*
 * What a user asks of memory in plain words is done at once where rules are certain of it: before the model is asked,
 * and where there is none. What is not certain is left to the model and its tools, or to a question.
 */

/** What came of one request. */
export type Heeded =
  | { readonly as: 'remembered' | 'corrected' | 'forgotten'; readonly texts: readonly string[] }
  /** The user keeps no memory. */
  | { readonly as: 'off' }
  /** Something is to be forgotten; of what exactly, the user has to be asked. `isUnknown`: nothing speaks of it. */
  | { readonly as: 'unsure'; readonly what: string; readonly isUnknown: boolean }
  /** A device may erase nothing. */
  | { readonly as: 'elsewhere' }
  /** All of it is never erased by a word. */
  | { readonly as: 'everything' }
  /** That something is wrong is said, and not what is right. */
  | { readonly as: 'wrong' }
  | { readonly as: 'asked'; readonly what: string };

export interface HeedRequest extends Pick<CallingTurn, 'turnId' | 'conversationId' | 'receivedAt'> {
  readonly userId: string;
  readonly correlationId: string;
  /** By which the user asks, where that is one. */
  readonly deviceId?: string | undefined;
  /** What the user says in this turn. */
  readonly text: string;
  /** What they said before in the same conversation, oldest first. */
  readonly before: () => readonly string[];
}

export interface HeedParts {
  readonly context: () => {
    readonly runner: CommandRunner;
    readonly views: UserViews;
  };
  readonly clock: () => number;
}

/** Does what is certain. Nothing where nothing is asked of memory, which costs next to nothing to find out. */
export async function heed(parts: HeedParts, request: HeedRequest): Promise<readonly Heeded[]> {
  const requests = requestsIn(request.text);
  if (requests.length === 0 || isPlayed(request)) return [];
  const { views } = parts.context();
  const { effective } = await views.of(preferences, request.userId);
  const heeded: Heeded[] = [];
  for (const [index, one] of requests.entries()) {
    if (keeps(one) && !effective.persistMemory) heeded.push({ as: 'off' });
    else heeded.push(await heedOne(parts, request, one, index));
  }
  return heeded;
}

function keeps({ kind }: MemoryRequest): boolean {
  return kind === 'remember' || kind === 'correct';
}

/** In a game the user is somebody else. */
function isPlayed({ before, text }: HeedRequest): boolean {
  const wasPlay = before().reduce((isPlay, said) => isPlayAfter(said, isPlay), false);
  return wasPlay && isPlayAfter(text, wasPlay);
}

async function heedOne(
  { context, clock }: HeedParts,
  { userId, correlationId, deviceId, ...turn }: HeedRequest,
  request: MemoryRequest,
  index: number,
): Promise<Heeded> {
  const { runner, views } = context();
  const { turnId } = turn;
  const whose = { userId, correlationId, commandId: `heed:${turnId}:${index}`, during: turn };
  const keep = async (as: 'remembered' | 'corrected', kept: readonly Kept[]): Promise<Heeded> => {
    const findings = kept.map((one) => findingOf(one, turnId));
    await runner.run(rememberSaid, { findings }, whose);
    return { as, texts: kept.map(({ text }) => text) };
  };
  const { kind, what } = request;
  switch (kind) {
    case 'remember':
      return keep('remembered', keptOf(request, clock()));
    case 'correct': {
      const kept = correctedBy(request, clock());
      return kept.length === 0 ? { as: 'wrong' } : keep('corrected', kept);
    }
    case 'about':
      return { as: 'asked', what };
    case 'forget-all':
      return { as: 'everything' };
    case 'forget': {
      if (deviceId !== undefined) return { as: 'elsewhere' };
      const memory = await views.of(remembered, userId);
      const certain = namedBy(request, activeOnes(memory), clock());
      if (certain.length === 0) return { as: 'unsure', what, isUnknown: !isSpokenOf(what, memory) };
      const conclusionIds = certain.map(({ id }) => id);
      // Somebody else may have been quicker: it is forgotten all the same.
      await runner.run(eraseConclusions, { conclusionIds }, whose).catch((error) => {
        if (!isHarkError(error, 'CONCLUSION_UNKNOWN')) throw error;
      });
      return { as: 'forgotten', texts: certain.map(({ text }) => text ?? '') };
    }
  }
}

function findingOf({ slot, replaces, ...kept }: Kept, turnId: string): Finding {
  const found = { ...kept, about: slot, by: 'user', turnIds: [turnId] } as const;
  return replaces === undefined ? found : { ...found, replaces };
}

/** What somebody wants forgotten, where they say just that: of "about coffee" nobody knows how much is meant. */
function namedBy(
  request: MemoryRequest,
  conclusions: readonly Conclusion[],
  now: number,
): readonly Conclusion[] {
  const facts = keptOf(request, now).map(({ slot: about, text, value, negated }) => ({
    about,
    text,
    value,
    negated,
  }));
  return conclusions.filter(
    (known) =>
      known.text !== null &&
      speaksOf(known.text, request.what) &&
      facts.some((fact) => isSameFact(fact, known) || isSameValue(fact, known)),
  );
}

function isSameValue(
  fact: Pick<Conclusion, 'about' | 'value' | 'negated'>,
  { about, value, negated }: Conclusion,
): boolean {
  const isAlike = (fact.negated ?? false) === (negated ?? false);
  return fact.about === about && isAlike && fact.value?.toLowerCase() === value?.toLowerCase();
}

/** What the model is told of it, so that it neither does it again nor says that it cannot. */
export function notesOn(heeded: readonly Heeded[]): readonly string[] {
  return heeded.flatMap((one): readonly string[] => {
    switch (one.as) {
      case 'remembered':
        return one.texts.map((text) => `Remembered at the user's word just now: ${text}`);
      case 'corrected':
        return one.texts.map((text) => `Put right at the user's word just now: ${text}`);
      case 'forgotten':
        return one.texts.map((text) => `Forgotten at the user's word just now: ${text}`);
      case 'off':
        return ['Nothing was remembered: the user keeps no memory (preference persistMemory).'];
      case 'elsewhere':
        return [
          'Nothing was erased: a device may not. The user erases it in a chat elsewhere, or with `hark memory forget`.',
        ];
      case 'everything':
        return [HOW_TO_ERASE_ALL];
      case 'unsure':
        return one.isUnknown ? [`${NOTHING_OF_IT} ${one.what.slice(0, LONGEST_TOLD)}`] : [];
      default:
        return [];
    }
  });
}

const LONGEST_TOLD = 300;
const NOTHING_OF_IT = 'Nothing was forgotten, and nothing that is believed of the user speaks of this:';
const HOW_TO_ERASE_ALL =
  'Nothing was erased. The user erases everything with `hark memory forget --all`, or DELETE /api/memory.';
