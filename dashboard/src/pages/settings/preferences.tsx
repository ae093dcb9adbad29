import { useState } from 'preact/hooks';
import { ask, type Input } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { chosenUser } from '../../api/user.ts';
import { Switch, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { OwnZone } from './ownZone.tsx';
import { words } from './words.ts';

type Preference = Omit<Input<'PUT /api/users/:userId/preferences'>, 'userId'>;

const switches = ['persistMemory', 'storeTranscripts', 'storeAudio'] as const;
const texts = ['timezone', 'locale', 'language', 'voice'] as const;
const names = words.preferences;

export function Preferences() {
  const userId = chosenUser() ?? 'me';
  const read = useResource('GET /api/users/:userId/preferences', { userId, ...asItWas() }, [
    'settings.preferences.changed',
    'config:changed',
  ]);
  const preferences = read.data.value;
  const reading = <Reading of={read} />;
  if (!preferences) return reading;
  const put = async (change: Preference) => {
    read.assume(await ask('PUT /api/users/:userId/preferences', { userId, ...change }));
    return true;
  };
  const set = async (change: Preference, before: Preference) => {
    if (!(await attempt(() => put(change)))) return false;
    tell(words.saved, () => put(before));
    return true;
  };
  return (
    <>
      {reading}
      <OwnZone />
      <fieldset class="settings" disabled={moment.value !== undefined}>
        {switches.map((name) => (
          <Switch
            key={name}
            label={names[name]}
            hint={name === 'persistMemory' ? words.memoryNote : undefined}
            isOn={preferences[name]}
            onChange={(isOn) => set({ [name]: isOn }, { [name]: preferences[name] })}
          />
        ))}
        {texts.map((name) => (
          <Text
            key={name}
            label={names[name]}
            value={preferences[name] ?? ''}
            onSave={(value) => set({ [name]: value }, { [name]: preferences[name] })}
          />
        ))}
      </fieldset>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onSave: (value: string) => Promise<boolean>;
}

/** What is typed stands until it is saved, whatever becomes known meanwhile. */
function Text({ label, value, onSave }: TextProps) {
  const [typed, setTyped] = useState<string>();
  const text = (typed ?? value).trim();
  const canSave = text !== value && text !== '';
  const save = async () => {
    if (canSave && (await onSave(text))) setTyped((now) => (now === typed ? undefined : now));
  };
  return (
    <Form class="one-field" onSubmit={save}>
      <TextField label={label} value={typed ?? value} onValue={setTyped} />
      <button type="submit" disabled={!canSave}>
        {words.save}
      </button>
    </Form>
  );
}
