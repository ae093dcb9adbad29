import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { change, type Device, nameOf } from './changes.ts';
import { Letters } from './deviceRow.tsx';
import { words } from './words.ts';

type Capability = keyof typeof words.capabilities;
const all: readonly Capability[] = ['audio', 'microphone', 'speaker', 'display', 'buttons', 'sensors'];

/** Lets a device in, with no more than is chosen here of what it asks for; letters are compared first. */
export function Approval({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  const asked = all.filter((name) => device.capabilities[name]);
  const [allowed, setAllowed] = useState<ReadonlySet<Capability>>(new Set(asked));
  const [isCompared, setCompared] = useState(device.sas === undefined);
  const toggle = (name: Capability, isOn: boolean) => {
    const next = new Set(allowed);
    if (isOn) next.add(name);
    else next.delete(name);
    setAllowed(next);
  };
  const approve = async () => {
    const capabilities = Object.fromEntries(asked.map((name) => [name, allowed.has(name)]));
    if (await change(device, { status: 'active', capabilities })) onClose();
  };
  return (
    <Dialog title={words.approveTitle(nameOf(device))} onClose={onClose}>
      <Form onSubmit={approve}>
        {device.sas === undefined ? null : (
          <>
            <p>{words.lettersNext}</p>
            <p class="big-letters">
              <Letters sas={device.sas} />
            </p>
            <label class="check">
              <input
                type="checkbox"
                checked={isCompared}
                onChange={(event) => setCompared(event.currentTarget.checked)}
              />
              {words.lettersMatch}
            </label>
          </>
        )}
        {asked.length > 0 ? (
          <fieldset>
            <legend>{words.may}</legend>
            {asked.map((name) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={allowed.has(name)}
                  onChange={(event) => toggle(name, event.currentTarget.checked)}
                />
                {words.capabilities[name]}
              </label>
            ))}
          </fieldset>
        ) : null}
        <div class="actions end">
          <button type="submit" class="main" disabled={!isCompared}>
            {words.approve}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
