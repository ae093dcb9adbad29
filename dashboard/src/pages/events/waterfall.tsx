import { useEffect, useState } from 'preact/hooks';
import { ask, type Input, Refusal } from '../../api/ask.ts';
import { Plain } from '../../parts/plain.tsx';
import { Table } from '../../parts/scroll.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { moment } from '../../state/moment.ts';
import { durationText, numberText } from '../../words/format.ts';
import type { LogEvent } from './eventDialog.tsx';
import { words } from './words.ts';

/** So many at a time: a cause may have set off thousands, and a table of those takes a browser a third of a second. */
const ROWS = 100;
/** Of 20,000 events at most each; what lies behind them is looked at when somebody wants it. */
const PAGES = 5;

interface WaterfallProps {
  readonly of: LogEvent;
  readonly onOpen: (position: number) => void;
}

/** What has the cause of an event, around it, indented by what followed from what, with bars for the time since the one before. */
export function Waterfall({ of, onOpen }: WaterfallProps) {
  const [looked, setLooked] = useState<Looked>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [look, setLook] = useState<Look>({ begun: alone(of), ways: [earlier, further] });
  useEffect(() => {
    const abort = new AbortController();
    setRefusal(undefined);
    wholeLook(look, abort.signal).then(setLooked, (error: unknown) => {
      if (!abort.signal.aborted) setRefusal(error instanceof Refusal ? error : new Refusal(0, {}));
    });
    return () => abort.abort();
  }, [look]);
  const failure = refusal && <Failure refusal={refusal} again={() => setLook({ ...look })} />;
  if (!looked) return failure ?? <Loading />;
  const { events: found, from, to, isWhole } = looked;
  const begin = found[0]?.at ?? of.at;
  const length = Math.max(1, (found.at(-1)?.at ?? of.at) - begin);
  return (
    <>
      <h3>{words.followed}</h3>
      <p class="quiet small">{words.followedAbout}</p>
      <Table label={words.followed} class="waterfall">
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
      </Table>
      {failure}
      <p class="quiet small">
        {words.lookedAt(numberText(from), numberText(to))}{' '}
        {from === 0 ? null : (
          <button type="button" class="link" onClick={() => setLook({ begun: looked, ways: [earlier] })}>
            {words.lookBack}
          </button>
        )}{' '}
        {isWhole ? null : (
          <button type="button" class="link" onClick={() => setLook({ begun: looked, ways: [further] })}>
            {words.lookOn}
          </button>
        )}
      </p>
    </>
  );
}

interface Looked {
  readonly cause: string;
  readonly events: readonly LogEvent[];
  /** Everything from here has been looked at; 0 is the beginning of the log. */
  readonly from: number;
  /** Everything up to here has been looked at. */
  readonly to: number;
  /** That was the end of the log. */
  readonly isWhole: boolean;
}

type Way = (looked: Looked, signal: AbortSignal) => Promise<Looked>;

interface Look {
  readonly begun: Looked;
  readonly ways: readonly Way[];
}

function alone(of: LogEvent): Looked {
  return { cause: of.correlationId, events: [of], from: of.position, to: of.position, isWhole: false };
}

async function wholeLook({ begun, ways }: Look, signal: AbortSignal): Promise<Looked> {
  let looked = begun;
  for (const way of ways) looked = await way(looked, signal);
  return looked;
}

/** What an event followed from lies close before it. */
const earlier: Way = async (looked, signal) => {
  const { events, next } = await sharing(looked, { before: String(looked.from), limit: ROWS }, signal);
  return { ...looked, events: [...events, ...looked.events], from: next };
};

/** What followed from it may come much later. */
const further: Way = async (looked, signal) => {
  let { events, to } = looked;
  const enough = events.length + ROWS;
  for (let page = 0; page < PAGES && events.length < enough; page++) {
    const answer = await sharing(looked, { after: String(to), limit: enough - events.length }, signal);
    events = [...events, ...answer.events];
    if (answer.next === to) return { ...looked, events, isWhole: true };
    to = answer.next;
  }
  return { ...looked, events, to };
};

/** Of the log as it is, or was at the moment that is shown, what has the cause. */
function sharing({ cause }: Looked, where: Input<'GET /api/events'>, signal: AbortSignal) {
  const at = moment.value === undefined ? {} : { at: moment.value };
  return ask('GET /api/events', { correlationId: cause, ...where, ...at }, { signal });
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
