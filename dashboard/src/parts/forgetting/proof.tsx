import type { ComponentChildren } from 'preact';
import { Go } from '../go.tsx';
import { Time } from '../time.tsx';
import type { Erasing, Receipt } from './erasure.ts';
import { words } from './words.ts';

interface ProofProps {
  readonly receipt: Receipt;
  /** By which the log says that it was erased. */
  readonly events: readonly Erasing[];
  readonly onDone: () => void;
  readonly children: ComponentChildren;
}

/** What was erased, and how one can tell. */
export function Proof({ receipt: { at, left, wordsIn }, events, onDone, children }: ProofProps) {
  return (
    <div role="status">
      <p>
        <strong>{words.erasedAt}</strong> · <Time at={at} exact />
      </p>
      <p>{words.gone}</p>
      {children}
      <p class={left === 0 ? 'state healthy' : 'wrong'}>
        {left === 0 ? `✓ ${words.askedAgain}` : words.stillThere(left)}
      </p>
      {wordsIn > 0 ? <p class="wrong">{words.wordsLeft(wordsIn)}</p> : null}
      {events.length > 0 ? (
        <>
          <p>{words.log}</p>
          <table aria-label={words.log}>
            <thead>
              <tr>
                <th scope="col" class="number">
                  {words.position}
                </th>
                <th scope="col">{words.what}</th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={event.position}>
                  <td class="number">
                    <Go to={`/events?event=${event.position}`}>{event.position}</Go>
                  </td>
                  <td>
                    <code>{event.type}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      ) : null}
      <div class="actions end">
        <button type="button" class="main" onClick={onDone}>
          {words.done}
        </button>
      </div>
    </div>
  );
}
