import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Act } from '../../parts/act.tsx';
import { confirmed } from '../../parts/dialog.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { reasonText } from '../webhooks/reason.ts';
import { ChannelForm } from './channelForm.tsx';
import { words } from './words.ts';

export type Channel = Output<'GET /api/notifications/channels'>['channels'][number];

export function Channels() {
  const listed = useResource('GET /api/notifications/channels', asItWas(), ['notification.*']);
  /** What the form is open for: a channel, or a new one. */
  const [edited, setEdited] = useState<Channel | 'new'>();
  const [tested, setTested] = useState<string>();
  const all = listed.data.value?.channels;
  const canChange = moment.value === undefined;
  const test = async (channel: Channel) => {
    setTested(channel.id);
    await tryOut(channel);
    setTested(undefined);
  };
  return (
    <>
      {canChange && all && all.length > 0 ? (
        <p>
          <button type="button" onClick={() => setEdited('new')}>
            {words.add}
          </button>
        </p>
      ) : null}
      <Reading of={listed} />
      {all?.length === 0 ? (
        <Empty title={words.channelsEmpty}>
          <p>{words.channelsEmptyNext}</p>
          {canChange ? (
            <button type="button" class="main" onClick={() => setEdited('new')}>
              {words.add}
            </button>
          ) : null}
        </Empty>
      ) : null}
      {all && all.length > 0 ? (
        <Rows
          label={words.tabs.channels}
          rows={all}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          {...(canChange
            ? {
                onOpen: setEdited,
                keys: [
                  { key: 'e', says: words.change, act: setEdited },
                  { key: 'x', says: words.removeChannel, act: (one: Channel) => void remove(one) },
                ],
              }
            : {})}
        >
          {(channel) => (
            <article class="row-head">
              <About channel={channel} />
              {canChange ? (
                <div class="actions">
                  <Act
                    says={tested === channel.id ? words.testing : words.test}
                    what={channel.name}
                    disabled={tested !== undefined}
                    onClick={() => void test(channel)}
                  />
                  <Act says={words.change} what={channel.name} onClick={() => setEdited(channel)} />
                  <Act
                    says={channel.enabled ? words.turnOff : words.turnOn}
                    what={channel.name}
                    onClick={() => void enable(channel, !channel.enabled)}
                  />
                  <Act
                    says={words.removeChannel}
                    what={channel.name}
                    class="grave"
                    onClick={() => void remove(channel)}
                  />
                </div>
              ) : null}
            </article>
          )}
        </Rows>
      ) : null}
      {edited === undefined ? null : (
        <ChannelForm
          {...(edited === 'new' ? {} : { channel: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

function About({ channel }: { readonly channel: Channel }) {
  const { name, type, enabled, waiting, failures, lastFailure, retryAt, quietHours, mostAnHour } = channel;
  return (
    <div>
      <p class="row-title">
        <strong>
          <Plain text={name} most={100} />
        </strong>{' '}
        <span class="quiet">{words.types[type]}</span>
      </p>
      <p class="quiet small facts">
        <span>{enabled ? words.on : words.off}</span>
        {waiting > 0 ? <span>{words.waiting(waiting)}</span> : null}
        {quietHours ? <span>{words.quiet(quietHours.from, quietHours.to)}</span> : null}
        <span>{words.anHour(mostAnHour)}</span>
      </p>
      {failures > 0 ? (
        <p class="wrong small facts">
          <span>
            {words.failures(failures)}
            {lastFailure ? ` (${reasonText(lastFailure.reason)})` : ''}
          </span>
          {retryAt === null ? null : (
            <span>
              {words.retry} <Time at={retryAt} />
            </span>
          )}
        </p>
      ) : null}
    </div>
  );
}

async function tryOut({ id, name }: Channel): Promise<void> {
  const answer = await attempt(() => ask('POST /api/notifications/channels/:id/test', { id }));
  if (answer)
    tell(answer.delivered ? words.arrived(name) : words.notArrived(name, reasonText(answer.reason ?? '?')));
}

async function enable({ id }: Channel, enabled: boolean): Promise<void> {
  const set = (enabled: boolean) => ask('PUT /api/notifications/channels/:id', { id, enabled });
  if (await attempt(() => set(enabled)))
    tell(enabled ? words.turnedOn : words.turnedOff, () => set(!enabled));
}

async function remove({ id, name }: Channel): Promise<void> {
  const agreed = await confirmed({
    title: words.removeChannelTitle(name),
    text: words.removeChannelText,
    action: words.removeChannel,
    isGrave: true,
  });
  if (agreed && (await attempt(() => ask('DELETE /api/notifications/channels/:id', { id }))))
    tell(words.removedChannel);
}
