import type { SaidIn } from '../../commands/memory/conversations.ts';
import type { Finding } from '../../commands/memory/findings.ts';
import { rememberSaid } from '../../commands/memory/userChanges.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { keptOf } from '../../language/remembered.ts';
import { tellingStemsOf, whoseWords } from '../../language/whoseWords.ts';
import type { EventLog } from '../../store/port.ts';
import type { CallingTurn } from '../callingTurn.ts';

interface Asker {
  readonly userId: string;
  readonly correlationId: string;
  readonly commandId?: string;
  readonly turn: CallingTurn | undefined;
}

interface Parts {
  readonly context: () => { readonly runner: CommandRunner; readonly store: Pick<EventLog, 'delivered'> };
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
  const { runner, store } = context();
  const said = turn && saidIn(turn, { store });
  const { appended } = await runner.run(rememberSaid, { findings, said }, whose);
  return appended.flatMap(({ type, data }) => {
    const { conclusionId, text: drawn } = Object(data);
    return type === 'memory.conclusion.drawn'
      ? [{ conclusionId: String(conclusionId), text: String(drawn) }]
      : [];
  });
}

/** As far as an erasure has to know it. Of a turn that the log did not know when it began, this is the first moment. */
export function saidIn(
  { turnId, conversationId, receivedAt }: Pick<CallingTurn, 'turnId' | 'conversationId' | 'receivedAt'>,
  { store }: { readonly store: Pick<EventLog, 'delivered'> },
): SaidIn {
  return { turnId, conversationId, since: receivedAt ?? store.delivered };
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
