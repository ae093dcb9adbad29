import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Act } from '../../parts/act.tsx';
import { confirmed } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain, visible } from '../../parts/plain.tsx';
import { Empty, Failure, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { captured, recording } from '../../state/capture.ts';
import { momentText } from '../../words/format.ts';
import './capture.css';
import { Form } from '../../parts/form.tsx';
import { Consents } from './consents.tsx';
import { words } from './words.ts';

const LENGTHS = [15, 60, 480, 1440] as const;

export default function Capture() {
  const devices = useResource('GET /api/devices', { limit: 100 }, ['device.*']);
  const { value: streams } = captured.data;
  const names = new Map(devices.data.value?.devices.map(({ id, name }) => [id, visible(name ?? id)]));
  return (
    <Page isNow title={words.title} about={words.about}>
      {streams ? null : <Reading of={captured} />}
      {devices.refusal.value ? <Failure refusal={devices.refusal.value} again={devices.reload} /> : null}
      {streams ? (
        <>
          <State names={names} pausedUntil={streams.pausedUntil} />
          <Consents devices={devices.data.value && [...names].map(([id, name]) => ({ id, name }))} />
          <section>
            <h2>{words.streams}</h2>
            {streams.streams.length === 0 ? (
              <Empty title={words.noStreams}>
                <p>{words.noStreamsNext}</p>
              </Empty>
            ) : null}
            <ul class="rows">
              {streams.streams.map(
                ({ streamId, deviceId, state, modalities, captureMode, startedAt, segments }) => (
                  <li key={streamId} class="row stream-row">
                    <span>
                      <strong>
                        <Plain text={names.get(deviceId) ?? deviceId} />
                      </strong>{' '}
                      <span class={`state ${state}`}>{words.states[state]}</span>
                      <br />
                      <span class="quiet small">
                        {modalities.join(', ')} · {words.modes[captureMode]} · <Time at={startedAt} /> ·{' '}
                        {words.segments(segments)}
                      </span>
                    </span>
                    {state === 'stopped' ? null : (
                      <Act
                        says={words.stop}
                        what={names.get(deviceId) ?? deviceId}
                        onClick={() => void stop(streamId)}
                      />
                    )}
                  </li>
                ),
              )}
            </ul>
          </section>
          <Forgetting />
        </>
      ) : null}
    </Page>
  );
}

async function stop(streamId: string): Promise<void> {
  if (await attempt(() => ask('POST /api/capture/stop', { streamId }))) tell(words.stopped);
  captured.reload();
}

interface StateProps {
  readonly names: ReadonlyMap<string, string>;
  readonly pausedUntil: number | null;
}

/** Whether anything is recorded now: large, in words, and with the way to end it beside it. */
function State({ names, pausedUntil }: StateProps) {
  const active = recording.value;
  const pause = async (minutes: number) => {
    await attempt(() => ask('POST /api/capture/pause', { minutes }));
    captured.reload();
  };
  const resume = async () => {
    await attempt(() => ask('POST /api/capture/resume', {}));
    captured.reload();
  };
  const says =
    pausedUntil !== null
      ? words.paused(momentText(pausedUntil))
      : active.length > 0
        ? words.recording(active.map(({ deviceId }) => names.get(deviceId) ?? deviceId).join(', '))
        : words.nothing;
  return (
    <section class={`capture-state ${pausedUntil === null && active.length > 0 ? 'on' : ''}`}>
      <p role="status">{says}</p>
      <div class="actions">
        {pausedUntil === null ? null : (
          <button type="button" onClick={() => void resume()}>
            {words.resume}
          </button>
        )}
        <span class="quiet small">{words.pauseFor}</span>
        {LENGTHS.map((minutes) => (
          <button key={minutes} type="button" onClick={() => void pause(minutes)}>
            {words.lengths[minutes]}
          </button>
        ))}
      </div>
    </section>
  );
}

function Forgetting() {
  const [typed, setTyped] = useState('30');
  const forget = async () => {
    const minutes = Number(typed);
    const question = { title: words.forgetTitle, text: words.forgetText(minutes), action: words.forgetIt };
    if (!(await confirmed({ ...question, isGrave: true }))) return;
    const gone = await attempt(() => ask('POST /api/capture/forget', { minutes }));
    if (gone) tell(words.forgotten(gone.segments, gone.episodes, gone.conclusions));
    captured.reload();
  };
  return (
    <section>
      <h2>{words.forget}</h2>
      <Form class="actions" onSubmit={forget}>
        <label>
          {words.forgetMinutes}{' '}
          <input
            type="number"
            min={1}
            max={10_080}
            required
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit" class="grave">
          {words.forgetIt}
        </button>
      </Form>
    </section>
  );
}
