import { useResource } from '../../api/resource.ts';
import { Reading } from '../../parts/states.tsx';
import { asItWas } from '../../state/moment.ts';
import { pastTurn } from './turn.ts';
import { TurnView } from './turnView.tsx';
import { words } from './words.ts';

const MOST = 100;

/** A conversation as it was at a moment: to be read alone. */
export function Past({ sessionId }: { readonly sessionId: string }) {
  const read = useResource('GET /api/chat/sessions/:sessionId/turns', {
    sessionId,
    limit: MOST,
    ...asItWas(),
  });
  const turns = read.data.value?.turns;
  return (
    <div class="chat-main">
      <Reading of={read} />
      {turns?.length === 0 ? <p class="quiet">{words.nothingSaidThen}</p> : null}
      <ol class="thread" aria-label={words.conversation}>
        {turns?.map((turn) => (
          <li key={turn.turnId} class="turn">
            <TurnView turn={pastTurn(turn)} onAgain={() => undefined} onLetGo={() => undefined} />
          </li>
        ))}
      </ol>
    </div>
  );
}
