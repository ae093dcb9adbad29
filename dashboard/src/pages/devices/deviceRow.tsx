import { useState } from 'preact/hooks';
import { Act } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Time } from '../../parts/time.tsx';
import { change, type Device, link, nameOf, newSecret, remove, revoke } from './changes.ts';
import { words } from './words.ts';

interface DeviceRowProps {
  readonly device: Device;
  readonly isNow: boolean;
  readonly onApprove: () => void;
}

export function DeviceRow({ device, isNow, onApprove }: DeviceRowProps) {
  const { status, type, capabilities, trustLevel, lastSeenAt, createdAt, sas } = device;
  const [isRenaming, setRenaming] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const name = nameOf(device);
  const uses = namesOf(capabilities);
  return (
    <div class="device">
      <div class="device-name">
        <strong>
          <Plain text={name} />
        </strong>{' '}
        <span class={`state ${status}`}>{words.states[status]}</span>
      </div>
      <p class="quiet small facts">
        <span>{words.types[type]}</span>
        {uses.length > 0 ? <span>{uses.join(', ')}</span> : null}
        <span>{words.trust(trustLevel)}</span>
        {lastSeenAt === null ? (
          <span>
            {words.registered} <Time at={createdAt} />, {words.never}
          </span>
        ) : (
          <span>
            {words.seen} <Time at={lastSeenAt} />
          </span>
        )}
      </p>
      {status === 'pending' && sas ? (
        <p>
          {words.letters}: <Letters sas={sas} />
        </p>
      ) : null}
      {isNow ? (
        <div class="actions">
          {status === 'pending' ? (
            <>
              <Act says={words.approve} what={name} class="main" onClick={onApprove} />
              <Act
                says={words.reject}
                what={name}
                onClick={() => void change(device, { status: 'revoked' })}
              />
            </>
          ) : null}
          <Menu
            label={words.actions(name)}
            items={[
              { says: words.rename, act: () => setRenaming(true) },
              { says: words.link, act: () => setLinking(true) },
              ...(status === 'active'
                ? [
                    {
                      says: words.suspend,
                      act: () => void change(device, { status: 'suspended' }, { status: 'active' }),
                    },
                    {
                      says: words.rotate,
                      act: () => void newSecret(device).then(setSecret),
                    },
                  ]
                : []),
              ...(status === 'suspended'
                ? [
                    {
                      says: words.resume,
                      act: () => void change(device, { status: 'active' }, { status: 'suspended' }),
                    },
                  ]
                : []),
              ...(status === 'active' || status === 'suspended'
                ? [{ says: words.revoke, isGrave: true, act: () => void revoke(device) }]
                : []),
              { says: words.remove, isGrave: true, act: () => void remove(device) },
            ]}
          />
        </div>
      ) : null}
      {isRenaming ? (
        <Naming
          title={words.rename}
          label={words.name}
          before={device.name}
          onName={(name) =>
            change(device, { name }, device.name === null ? undefined : { name: device.name })
          }
          onClose={() => setRenaming(false)}
        />
      ) : null}
      {isLinking ? (
        <Naming
          title={words.link}
          label={words.user}
          hint={words.linkText}
          before={device.userId}
          onName={(user) => link(device, user)}
          onClose={() => setLinking(false)}
        />
      ) : null}
      {secret === undefined ? null : (
        <Dialog title={words.secret} onClose={() => setSecret(undefined)}>
          <pre>{secret}</pre>
        </Dialog>
      )}
    </div>
  );
}

/** In groups, as one reads them aloud. */
export function Letters({ sas }: { readonly sas: string }) {
  return <span class="letters">{sas.replaceAll(/(.{4})(?=.)/g, '$1 ')}</span>;
}

function namesOf(capabilities: Device['capabilities']): readonly string[] {
  const known: Readonly<Record<string, string>> = words.capabilities;
  return Object.entries(capabilities).flatMap(([name, has]) => (has ? [known[name] ?? name] : []));
}

interface NamingProps {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  readonly before: string | null;
  /** Answers false where it came to nothing. */
  readonly onName: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}

function Naming({ title, label, hint, before, onName, onClose }: NamingProps) {
  const [name, setName] = useState(before ?? '');
  const save = async () => (await onName(name.trim())) && onClose();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={save}>
        <TextField label={label} hint={hint} required value={name} onValue={setName} />
        <div class="actions end">
          <button type="submit" class="main">
            {words.save}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
