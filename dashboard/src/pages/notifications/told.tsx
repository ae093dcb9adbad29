import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Switch } from '../../parts/fields.tsx';
import { Go } from '../../parts/go.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSome } from '../../parts/some.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { Deliveries } from './deliveries.tsx';
import { words } from './words.ts';
import { Write } from './write.tsx';

type Notification = Output<'GET /api/notifications'>['notifications'][number];

/** So many at first, and with each wish for more: the newest are what one comes for. */
const SHOWN = 50;

/** What the user was told, newest first, as it comes. */
export function Told({ onlyUnread }: { readonly onlyUnread: boolean }) {
  const listed = useResource(
    'GET /api/notifications',
    { ...(onlyUnread ? { unread: 'true' } : {}), ...asItWas() },
    ['notification.*'],
  );
  const channels = useResource('GET /api/notifications/channels', asItWas(), ['notification.channel.*']);
  const all = listed.data.value?.notifications;
  const { some, more } = useSome(all ?? [], SHOWN);
  const canChange = moment.value === undefined;
  const unread = all?.filter(({ read }) => !read) ?? [];
  const names = new Map(channels.data.value?.channels.map(({ id, name }) => [id, name]));
  return (
    <>
      <div class="list-head">
        <Switch
          label={words.onlyUnread}
          isOn={onlyUnread}
          onChange={(isOn) => search({ unread: isOn ? 'true' : undefined })}
        />
        <p role="status">{words.unread(unread.length)}</p>
        {canChange && unread.length > 0 ? (
          <button type="button" onClick={() => void readAll(unread)}>
            {words.readAll}
          </button>
        ) : null}
        {canChange ? <Write /> : null}
      </div>
      <Reading of={listed} />
      {all?.length === 0 ? <Nothing onlyUnread={onlyUnread} /> : null}
      {all && all.length > 0 ? (
        <Rows
          label={words.list}
          rows={some}
          idOf={({ id }) => id}
          nameOf={({ title }) => title}
          {...(canChange
            ? {
                keys: [
                  { key: 'r', says: words.toggle, act: (one: Notification) => void mark(one, !one.read) },
                  { key: 'x', says: words.remove, act: (one: Notification) => void remove(one) },
                ],
              }
            : {})}
        >
          {(one) => <One one={one} names={names} canChange={canChange} />}
        </Rows>
      ) : null}
      {more}
    </>
  );
}

interface OneProps {
  readonly one: Notification;
  readonly names: ReadonlyMap<string, string>;
  readonly canChange: boolean;
}

function One({ one, names, canChange }: OneProps) {
  const { title, text, at, read, taskId, sessionId, deliveries } = one;
  return (
    <article class={read ? 'row-head' : 'row-head unread'}>
      <div>
        <p class="row-title">
          {read ? null : <span class="mark-new">{words.isUnread}</span>}
          <strong>
            <Plain text={title} most={200} />
          </strong>{' '}
          <span class="quiet small">
            <Time at={at} />
          </span>
        </p>
        <p class="row-text">{text === '' ? words.forgotten : <Plain text={text} most={600} />}</p>
        <p class="quiet small facts">
          {taskId === undefined ? null : <Go to={`/schedules/${taskId}`}>{words.ofTask}</Go>}
          {sessionId === undefined ? null : <Go to={`/chat/${sessionId}`}>{words.ofSession}</Go>}
          <Deliveries deliveries={deliveries} names={names} />
        </p>
      </div>
      {canChange ? (
        <Menu
          label={words.actionsOf}
          of={title}
          items={[
            { says: read ? words.markUnread : words.markRead, act: () => void mark(one, !read) },
            { says: words.remove, isGrave: true, act: () => void remove(one) },
          ]}
        />
      ) : null}
    </article>
  );
}

function Nothing({ onlyUnread }: { readonly onlyUnread: boolean }) {
  if (onlyUnread) return <Empty title={words.emptyUnread} />;
  return (
    <Empty title={words.empty}>
      <p>{words.emptyNext}</p>
      <Go to="/schedules">{words.emptyLink}</Go>
    </Empty>
  );
}

const asRead = (id: string, read: boolean) => ask('PUT /api/notifications/:id', { id, read });

async function mark({ id }: Notification, read: boolean): Promise<void> {
  if (!(await attempt(() => asRead(id, read)))) return;
  tell(read ? words.markedRead : words.markUnread, () => asRead(id, !read));
}

async function readAll(unread: readonly Notification[]): Promise<void> {
  const every = (read: boolean) => Promise.all(unread.map(({ id }) => asRead(id, read)));
  if (await attempt(() => every(true))) tell(words.markedRead, () => every(false));
}

async function remove({ id }: Notification): Promise<void> {
  const question = { title: words.removeTitle, text: words.removeText, action: words.remove, isGrave: true };
  if (!(await confirmed(question))) return;
  if (await attempt(() => ask('DELETE /api/notifications/:id', { id }))) tell(words.removed);
}
