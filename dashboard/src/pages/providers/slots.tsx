import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { AutoConfigure } from './autoConfigure.tsx';
import { ChainForm } from './chainForm.tsx';
import { Route } from './route.tsx';
import { type Slot, type SlotName, slotNames, slotsOf, strategies, type View } from './slot.ts';
import { words } from './words.ts';

/** Which models each purpose asks, in which order, and which of them would answer now. */
export function Slots() {
  const read = useResource('GET /api/slots', asItWas(), ['provider.*']);
  const [edited, setEdited] = useState<SlotName>();
  const [isAuto, setAuto] = useState(false);
  const view = read.data.value;
  const canChange = moment.value === undefined;
  if (!view) return <Reading of={read} />;
  return (
    <>
      <p class="row-text quiet">{words.slotsAbout}</p>
      {canChange ? <Route /> : null}
      <Rows
        label={words.tabs.slots}
        rows={slotNames}
        idOf={(name) => name}
        nameOf={(name) => words.slotNames[name]}
        {...(canChange
          ? { onOpen: setEdited, keys: [{ key: 'e', says: words.change, act: setEdited }] }
          : {})}
      >
        {(name) => (
          <article class="row-head">
            <About name={name} slot={view.slots[name]} />
            {canChange ? (
              <button
                type="button"
                aria-label={`${words.change} ${words.slotNames[name]}`}
                onClick={() => setEdited(name)}
              >
                {words.change}
              </button>
            ) : null}
          </article>
        )}
      </Rows>
      {canChange ? (
        <>
          <div class="slots-foot">
            <SelectField
              label={words.strategy}
              value={view.strategy}
              options={strategies.map((value) => ({ value, says: words.strategies[value] }))}
              onValue={(strategy) => changeStrategy(strategy, view.strategy)}
            />
            <div class="actions">
              <button type="button" onClick={() => setAuto(true)}>
                {words.auto}
              </button>
              <button type="button" class="grave" onClick={() => void reset(view)}>
                {words.reset}
              </button>
            </div>
          </div>
          {isAuto ? <AutoConfigure before={view} onClose={() => setAuto(false)} /> : null}
          {edited ? (
            <ChainForm name={edited} slot={view.slots[edited]} onClose={() => setEdited(undefined)} />
          ) : null}
        </>
      ) : null}
    </>
  );
}

function About({ name, slot }: { readonly name: SlotName; readonly slot: Slot | null | undefined }) {
  if (!slot)
    return (
      <div>
        <p class="row-title">{words.slotNames[name]}</p>
        <p class="quiet small facts">{words.notSet}</p>
      </div>
    );
  const { status, fallbacks } = slot;
  return (
    <div>
      <p class="row-title">{words.slotNames[name]}</p>
      <ol class="chain-shown small">
        {[slot, ...fallbacks].map((one) => (
          <li key={`${one.provider} ${one.model}`}>
            <Plain text={one.model} most={120} /> <span class="quiet">{one.label}</span>
          </li>
        ))}
      </ol>
      {status ? <Status of={status} /> : null}
    </div>
  );
}

function Status({ of: { state, reason, active } }: { readonly of: NonNullable<Slot['status']> }) {
  return (
    <p class={state === 'up' ? 'state healthy small facts' : 'state unhealthy small facts'}>
      <span>{words.slotStates[state]}</span>
      {reason === undefined ? null : <span lang="en">{reason}</span>}
      {active ? <span>{words.answers(active.model)}</span> : null}
    </p>
  );
}

async function changeStrategy(strategy: View['strategy'], before: View['strategy']): Promise<boolean> {
  const text = words.strategies[strategy];
  if (!(await confirmed({ title: words.strategyTitle, text, action: words.save }))) return false;
  const set = (strategy: View['strategy']) => ask('PUT /api/slots', { slots: {}, strategy });
  if (!(await attempt(() => set(strategy)))) return false;
  tell(words.saved, () => set(before));
  return true;
}

async function reset(before: View): Promise<void> {
  const question = { title: words.resetTitle, text: words.resetText, action: words.reset, isGrave: true };
  if (!(await confirmed(question))) return;
  if (await attempt(() => ask('POST /api/slots/reset', {})))
    tell(words.wasReset, () => ask('PUT /api/slots', { slots: slotsOf(before), strategy: before.strategy }));
}
