import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { onTopics } from '../../api/live.ts';
import { useResource } from '../../api/resource.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain, rowNamed } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { handIsOff } from '../../state/hand.ts';
import { moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { EventDialog, type LogEvent } from './eventDialog.tsx';
import '../../look/lists.css';
import './events.css';
import { Form } from '../../parts/form.tsx';
import { words } from './words.ts';

/** Beyond the end of any log. */
const END = 999_999_999_999_999;
const LIMIT = 200;

const areas = [
  ...['memory.*', 'entities.*', 'chat.*', 'schedule.*', 'workflow.*', 'notification.*', 'webhook.*'],
  ...['provider.*', 'device.*', 'capture.*', 'settings.*', 'system.*'],
];

/** The log, newest first, page by page; the newest page follows what happens. */
export default function Events() {
  const { query } = useLocation();
  const { topics = '', before = '', event = '' } = query;
  const isNewest = before === '' && moment.value === undefined;
  const log = useResource('GET /api/events', {
    limit: LIMIT,
    before: before === '' ? String(END) : before,
    ...(topics === '' ? {} : { topics }),
    ...(moment.value === undefined ? {} : { at: moment.value }),
  });
  const page = log.data.value;
  const heard = useHeard(isNewest, topics);
  const last = page?.events.at(-1)?.position ?? 0;
  const fresh = heard.filter(({ position }) => position > last);
  // Of so many, some may have come between those and what was read.
  const isApart = fresh.length === LIMIT;
  const events = page ? [...fresh, ...(isApart ? [] : page.events.toReversed())] : [];
  const older = isApart ? fresh.at(-1)?.position : page?.next;
  // The service looks at so much of the log at a time: what is rare, or long ago, lies on a page before.
  const isLookingOn = page !== undefined && events.length === 0 && page.next > 0;
  useEffect(() => {
    if (isLookingOn) search({ before: page.next });
  }, [isLookingOn, page]);
  const opened = event === '' ? undefined : Number(event);
  return (
    <Page title={words.title} about={words.about}>
      <Filters topics={topics} />
      {log.refusal.value ? <Failure refusal={log.refusal.value} again={log.reload} /> : null}
      {(page && !isLookingOn) || log.refusal.value ? null : <Loading />}
      {page && events.length === 0 && !isLookingOn ? (
        <Empty title={words.none}>
          <p>{words.noneNext}</p>
        </Empty>
      ) : null}
      <Rows
        label={words.title}
        rows={events}
        idOf={({ position }) => String(position)}
        nameOf={({ position, type }) => `${type}: ${position}`}
        onOpen={({ position }) => search({ event: position }, false)}
      >
        {(row) => <Row event={row} />}
      </Rows>
      <div class="actions">
        {before === '' ? null : (
          <button type="button" onClick={() => search({ before: undefined }, false)}>
            {words.newest}
          </button>
        )}
        {older ? (
          <button type="button" onClick={() => search({ before: older }, false)}>
            {words.older}
          </button>
        ) : null}
      </div>
      {isNewest ? <p class="quiet small">{words.following}</p> : null}
      {opened === undefined ? null : (
        <EventDialog
          position={opened}
          known={events.find(({ position }) => position === opened)}
          onClose={() => search({ event: undefined }, false)}
        />
      )}
    </Page>
  );
}

/** What happens from now on, newest first. It is heard while the page is still read: nothing falls in between. */
function useHeard(isWanted: boolean, topics: string): readonly LogEvent[] {
  const [heard, setHeard] = useState<readonly LogEvent[]>([]);
  useLayoutEffect(() => {
    setHeard([]);
    if (!isWanted) return;
    let waiting: readonly LogEvent[] = [];
    const closed = new AbortController();
    const end = onTopics(topics === '' ? ['*'] : topics.split(','), (event) => {
      waiting = [event, ...waiting].slice(0, LIMIT);
      // Many may come between two frames.
      if (waiting.length === 1) requestAnimationFrame(show);
    });
    const show = async () => {
      await handIsOff(closed.signal);
      if (closed.signal.aborted) return;
      const come = waiting;
      waiting = [];
      setHeard((known) => [...come, ...known].slice(0, LIMIT));
    };
    return () => {
      end();
      closed.abort();
    };
  }, [isWanted, topics]);
  return heard;
}

function Filters({ topics }: { readonly topics: string }) {
  const [text, setText] = useState(areas.includes(topics) ? '' : topics);
  const options = [{ value: '', says: words.all }, ...areas.map((value) => ({ value, says: value }))];
  return (
    <Form class="filters" onSubmit={() => search({ topics: text.trim(), before: undefined }, false)}>
      <SelectField
        label={words.area}
        value={areas.includes(topics) ? topics : ''}
        options={options}
        onValue={(value) => {
          setText('');
          search({ topics: value, before: undefined }, false);
        }}
      />
      <TextField label={words.type} hint={words.typeHint} value={text} onValue={setText} />
      <button type="submit">{words.show}</button>
    </Form>
  );
}

function Row({ event: { position, type, at, stream, erased } }: { readonly event: LogEvent }) {
  return (
    <div class="event">
      <span class="number quiet small">{position}</span>
      <button
        type="button"
        class="link"
        {...rowNamed(`${position}`)}
        onClick={() => search({ event: position }, false)}
      >
        {type.split('.').map((part, index) => (
          <Fragment key={index}>{index === 0 ? part : [<wbr key="" />, `.${part}`]}</Fragment>
        ))}
      </button>
      <span class="quiet small stream">
        <Plain text={stream} most={80} />
        {erased ? ` · ${words.erased}` : ''}
      </span>
      <span class="quiet small">
        <Time at={at} />
      </span>
    </div>
  );
}
