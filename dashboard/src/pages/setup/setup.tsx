import { useState } from 'preact/hooks';
import { ask, Refusal } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Failure, Reading } from '../../parts/states.tsx';
import { tell } from '../../parts/toasts.tsx';
import { OwnZone } from '../settings/ownZone.tsx';
import { change, NotYours, type Status, type StepId } from './changes.ts';
import { MemoryStep } from './memory.tsx';
import { ModelStep } from './model.tsx';
import { ReachStep } from './reach.tsx';
import './setup.css';
import { words } from './words.ts';

export interface StepProps {
  readonly status: Status;
  /** Does what a button asks for; what is wrong is told above the steps. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
  readonly reload: () => void;
  /** Goes on with the first step that is open. */
  readonly next: () => void;
}

const bodies = { model: ModelStep, memory: MemoryStep, reach: ReachStep };

/** What is done stays done: whoever comes back goes on with the first step that is open. */
export default function Setup() {
  const setup = useResource('GET /api/setup/status', {}, [
    'config:changed',
    'memory.*',
    'provider.*',
    'system.setup.*',
  ]);
  const [wrong, setWrong] = useState<unknown>();
  const status = setup.data.value;
  const attempt = async (work: () => Promise<unknown>) => {
    setWrong(undefined);
    try {
      await work();
    } catch (error) {
      setWrong(error);
    }
    setup.reload();
  };
  return (
    <Page title={words.title} about={words.about}>
      <Reading of={setup} />
      <Wrong error={wrong} />
      {status ? <Steps status={status} attempt={attempt} reload={setup.reload} /> : null}
    </Page>
  );
}

function Wrong({ error }: { readonly error: unknown }) {
  if (error instanceof Refusal) return <Failure refusal={error} />;
  if (error === undefined) return null;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{error instanceof NotYours ? words.notYours : String(error)}</strong>
      </p>
      {error instanceof NotYours ? <p>{words.notYoursNext}</p> : null}
    </div>
  );
}

function Steps({ status, attempt, reload }: Omit<StepProps, 'next'>) {
  const open = status.steps.find(({ state }) => state === 'open')?.id;
  const [chosen, choose] = useState<StepId>();
  const shown = chosen ?? open;
  const skip = (id: StepId) => {
    choose(undefined);
    return attempt(() => change(status, 'PUT /api/setup/steps/:id', { id, state: 'skipped' }));
  };
  /** What a step has to show of what was done stays, though the next one is open then. */
  const stayAt = (id: StepId, work: () => Promise<unknown>) => {
    choose(id);
    return attempt(work);
  };
  // The facts stay: without a key, who reaches hark was only said.
  const said = status.steps.filter(
    ({ id, state }) => state === 'skipped' || (id === 'reach' && state === 'done' && status.claimRequired),
  );
  const sayAgain = async () => {
    for (const { id, state } of said) await change(status, 'PUT /api/setup/steps/:id', { id, state });
    return true;
  };
  const reset = async () => {
    const question = { title: words.resetTitle, text: words.resetText, action: words.reset };
    if (!(await confirmed(question))) return;
    choose(undefined);
    await attempt(async () => {
      await ask('POST /api/system/reset-onboarding', {});
      tell(words.wasReset, sayAgain);
    });
  };
  return (
    <>
      {open === undefined ? (
        <p role="status">
          {status.steps.some(({ state }) => state === 'skipped') ? words.left : words.ready}{' '}
          <Go to="/">{words.toChat}</Go>
        </p>
      ) : null}
      <ol class="setup-steps">
        {status.steps.map(({ id, state }) => {
          const Body = bodies[id];
          return (
            <li key={id} class={`setup-step ${state}`}>
              <h2>
                <button
                  type="button"
                  class="setup-head"
                  aria-expanded={shown === id}
                  onClick={() => choose(shown === id ? undefined : id)}
                >
                  {words.steps[id]} <span class="quiet small">{words.states[state]}</span>
                </button>
              </h2>
              {shown === id ? (
                // Whoever types here stays here, whatever else is done meanwhile.
                <div class="setup-body" onInput={() => choose(id)}>
                  <Body
                    status={status}
                    attempt={(work) => stayAt(id, work)}
                    reload={reload}
                    next={() => choose(undefined)}
                  />
                  {state === 'open' ? (
                    <button type="button" class="link" onClick={() => void skip(id)}>
                      {id === 'model' ? words.model.without : words.skip}
                    </button>
                  ) : open === undefined ? null : (
                    <button type="button" class="link" onClick={() => choose(undefined)}>
                      {words.next}
                    </button>
                  )}
                </div>
              ) : null}
            </li>
          );
        })}
      </ol>
      <OwnZone />
      {said.length > 0 ? (
        <button type="button" class="link" onClick={() => void reset()}>
          {words.reset}
        </button>
      ) : null}
    </>
  );
}
