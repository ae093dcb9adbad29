import type { Finding } from '../../commands/memory/findings.ts';
import { rememberSaid } from '../../commands/memory/userChanges.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { keptOf } from '../../language/remembered.ts';
import { tellingStemsOf, whoseWords } from '../../language/whoseWords.ts';
import type { CallingTurn } from '../callingTurn.ts';

interface Asker {
  readonly userId: string;
  readonly correlationId: string;
  readonly commandId?: string;
  readonly turn: CallingTurn | undefined;
}

interface Parts {
  readonly context: () => { readonly runner: CommandRunner };
  readonly clock: () => number;
}

const BY_MODEL = 0.9;
/** So many turns back the user may have said it. */
const LATELY = 3;

/** What is believed from now on; nothing where it was believed before. */
export async function rememberByWord(
  { context, clock }: Parts,
  text: string,
  { turn, ...whose }: Asker,
): Promise<readonly { readonly conclusionId: string; readonly text: string }[]> {
  const findings = turn ? [ofModel(text, turn)] : ofClient(text, clock());
  const { appended } = await context().runner.run(rememberSaid, { findings }, { ...whose, during: turn });
  return appended.flatMap(({ type, data }) => {
    const { conclusionId, text: drawn } = Object(data);
    return type === 'memory.conclusion.drawn'
      ? [{ conclusionId: String(conclusionId), text: String(drawn) }]
      : [];
  });
}

function ofModel(text: string, { turnId }: CallingTurn): Finding {
  return { text, type: 'explicit', confidence: BY_MODEL, about: null, by: 'model', turnIds: [turnId] };
}

/** The user's own client says what the user wants kept. */
function ofClient(text: string, now: number): readonly Finding[] {
  return keptOf({ what: text.replace(/[.!]$/, ''), told: text }, now).map(
    ({ slot, replaces: _, ...kept }) => {
      return { ...kept, about: slot, by: 'user', turnIds: [] };
    },
  );
}

/** Whether every word that it tells is the user's own, of this turn or of the last few. */
export function isSaidByUser(text: string, { said, earlier }: CallingTurn): boolean {
  if (said === null) return false;
  const before = earlier().flatMap(({ origin, text: told }) =>
    origin === 'user' && told !== null ? [told] : [],
  );
  const { own } = whoseWords([...before.slice(-LATELY), said].map((one) => ({ role: 'user', text: one })));
  const telling = tellingStemsOf(text);
  return telling.length > 0 && telling.every((stem) => own.has(stem));
}
