import { useEffect, useState } from 'preact/hooks';
import { ask, Refusal } from '../../api/ask.ts';
import { Plain } from '../../parts/plain.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { durationText, numberText } from '../../words/format.ts';
import type { LogEvent } from './eventDialog.tsx';
import { words } from './words.ts';

/** What belongs together lies together in the log; so far before an event its cause is looked for. */
const BEFORE = 5_000;
/** Of 20,000 events at most each; what lies behind them is looked at when somebody wants it. */
const PAGES = 5;

interface WaterfallProps {
  readonly of: LogEvent;
  readonly onOpen: (position: number) => void;
}

/** Everything with the cause of an event, indented by what followed from what, with bars for the time since the one before. */
export function Waterfall({ of, onOpen }: WaterfallProps) {
  const [looked, setLooked] = useState<Looked | Refusal>();
  const [from, setFrom] = useState<Looked>();
  useEffect(() => {
    const abort = new AbortController();
    const begun = from ?? { events: [], next: Math.max(0, of.position - BEFORE), isWhole: false };
    sharingCause(of, begun, abort.signal)
      .then(setLooked)
      .catch((error: unknown) => {
        if (!abort.signal.aborted) setLooked(error instanceof Refusal ? error : new Refusal(0, {}));
      });
    return () => abort.abort();
  }, [of.position, from]);
  if (looked instanceof Refusal) return <Failure refusal={looked} />;
  if (!looked) return <Loading />;
  const { events: found, next, isWhole } = looked;
  const begin = found[0]?.at ?? of.at;
  const length = Math.max(1, (found.at(-1)?.at ?? of.at) - begin);
  return (
    <>
      <h3>{words.followed}</h3>
      <p class="quiet small">{words.followedAbout}</p>
      <Scroll label={words.followed}>
        <table class="waterfall">
          <thead>
            <tr>
              <th scope="col">{words.type}</th>
              <th scope="col" class="number">
                {words.after}
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {nested(found).map(({ event: { position, type, at, data }, depth, before }) => (
              <tr key={position} aria-current={position === of.position ? 'true' : undefined}>
                <th scope="row" style={{ paddingInlineStart: `${depth}rem` }}>
                  <button type="button" class="link" onClick={() => onOpen(position)}>
                    {type}
                  </button>{' '}
                  <span class="quiet small">
                    <Plain text={nameIn(data)} most={80} />
                  </span>
                </th>
                <td class="number">{durationText(at - begin)}</td>
                <td class="track" aria-hidden="true">
                  <span
                    class="bar"
                    style={{
                      insetInlineStart: `${(98 * (before - begin)) / length}%`,
                      width: `${(98 * (at - before)) / length}%`,
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="quiet small">
        {words.lookedAt(numberText(Math.max(0, of.position - BEFORE)), numberText(next))}{' '}
        {isWhole ? null : (
          <button type="button" class="link" onClick={() => setFrom(looked)}>
            {words.lookOn}
          </button>
        )}
      </p>
    </>
  );
}

interface Looked {
  readonly events: readonly LogEvent[];
  /** Everything up to here has been looked at. */
  readonly next: number;
  /** That was the end of the log. */
  readonly isWhole: boolean;
}

async function sharingCause(of: LogEvent, from: Looked, signal: AbortSignal): Promise<Looked> {
  const { correlationId } = of;
  let { events, next } = from;
  for (let page = 0; page < PAGES; page++) {
    const input = { correlationId, after: String(next), limit: 500 };
    const answer = await ask('GET /api/events', input, { signal });
    events = [...events, ...answer.events];
    if (answer.next === next) return { events, next, isWhole: true };
    next = answer.next;
  }
  return { events, next, isWhole: false };
}

/** Which step, topic or tool it was: many have the same type. */
function nameIn(data: LogEvent['data']): string {
  const { stepId, topic, name } = Object(data);
  return String(stepId ?? topic ?? name ?? '');
}

/** In the order of the log; each as deep as the events are that it followed from. */
function nested(
  events: readonly LogEvent[],
): readonly { readonly event: LogEvent; readonly depth: number; readonly before: number }[] {
  const depths = new Map<string, number>();
  return events.map((event, index) => {
    const above = event.causationId === null ? undefined : depths.get(event.causationId);
    const depth = above === undefined ? 0 : above + 1;
    depths.set(event.id, depth);
    return { event, depth, before: (events[index - 1] ?? event).at };
  });
}
