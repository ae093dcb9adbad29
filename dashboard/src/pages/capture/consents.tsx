import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { useDraft } from '../../parts/draft.ts';
import { SelectField, Switch, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { words } from './words.ts';

type Consent = Output<'GET /api/capture/consent'>['captureConsent'];
type Draft = Pick<Consent, 'enabled' | 'consentLevel' | 'jurisdiction'>;

const NOT_ASKED: Draft = { enabled: false, consentLevel: 'none', jurisdiction: '' };

const levels = (['none', 'passive', 'active', 'full'] as const).map((value) => ({
  value,
  says: words.levels[value],
}));

/** A device by its id, also one that is not registered here. */
const OTHER = '';

interface ConsentsProps {
  /** Undefined as long as they are not known. */
  readonly devices: readonly { readonly id: string; readonly name: string }[] | undefined;
}

export function Consents({ devices }: ConsentsProps) {
  const [chosen, choose] = useState<string>();
  const [other, setOther] = useState('');
  const [named, setNamed] = useState('');
  const picked = chosen ?? devices?.[0]?.id ?? OTHER;
  // Of whom it is asked stays, whoever else is there a moment later.
  if (devices && chosen === undefined) choose(picked);
  if (!devices) return null;
  const deviceId = picked === OTHER ? named : picked;
  const options = [
    ...devices.map(({ id, name }) => ({ value: id, says: name })),
    { value: OTHER, says: words.addDevice },
  ];
  return (
    <section class="consents">
      <h2>{words.consent}</h2>
      <p class="quiet">{words.consentAbout}</p>
      <SelectField label={words.device} value={picked} options={options} onValue={choose} />
      {picked === OTHER ? (
        <Form onSubmit={() => setNamed(other.trim())}>
          <TextField label={words.deviceId} value={other} onValue={setOther} />
          <button type="submit">{words.look}</button>
        </Form>
      ) : null}
      {deviceId === '' ? (
        <p class="quiet">{words.noDevices}</p>
      ) : (
        <ConsentForm key={deviceId} deviceId={deviceId} />
      )}
    </section>
  );
}

function ConsentForm({ deviceId }: { readonly deviceId: string }) {
  const read = useResource('GET /api/capture/consent', { deviceId }, ['capture.consent.*']);
  const refusal = read.refusal.value;
  const { draft, set, saved: letGo } = useDraft(read.data.value?.captureConsent ?? NOT_ASKED);
  const isUnknown = refusal !== undefined && refusal.status !== 404;
  if (!read.data.value && (!refusal || isUnknown))
    return isUnknown ? <Failure refusal={refusal} /> : <Loading />;
  const { enabled, consentLevel, jurisdiction } = draft;
  const save = async () => {
    const kept = words.levels[enabled ? consentLevel : 'none'];
    const question = { title: words.saveTitle, text: words.saveText(deviceId, kept), action: words.save };
    if (!(await confirmed(question))) return;
    const note = jurisdiction.trim();
    const wanted = {
      deviceId,
      enabled,
      consentLevel,
      ...(note === '' ? {} : { jurisdiction: note }),
    };
    const saved = await attempt(() => ask('PUT /api/capture/consent', wanted));
    if (!saved) return;
    read.assume(saved);
    letGo({ enabled, consentLevel, jurisdiction });
    tell(words.saved);
  };
  return (
    <Form onSubmit={save}>
      <Switch
        label={words.given}
        isOn={enabled}
        onChange={(on) =>
          set({ enabled: on, consentLevel: on && consentLevel === 'none' ? 'passive' : consentLevel })
        }
      />
      <SelectField
        label={words.level}
        value={consentLevel}
        options={levels}
        onValue={(level) => set({ consentLevel: level })}
      />
      <TextField
        label={words.jurisdiction}
        value={jurisdiction}
        onValue={(note) => set({ jurisdiction: note })}
      />
      <button type="submit" class="main">
        {words.save}
      </button>
    </Form>
  );
}
