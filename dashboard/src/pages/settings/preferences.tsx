import { useState } from 'preact/hooks';
import { ask, type Input } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { chosenUser } from '../../api/user.ts';
import { Switch, TextField } from '../../parts/fields.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { words } from './words.ts';

type Preference = Omit<Input<'PUT /api/users/:userId/preferences'>, 'userId'>;

const switches = ['persistMemory', 'storeTranscripts', 'storeAudio'] as const;
const texts = ['timezone', 'locale', 'language', 'voice'] as const;
const names = words.preferences;

export function Preferences() {
  const userId = chosenUser() ?? 'default';
  const read = useResource('GET /api/users/:userId/preferences', { userId, ...asItWas() }, [
    'settings.preferences.changed',
    'config:changed',
  ]);
  const preferences = read.data.value;
  if (read.refusal.value) return <Failure refusal={read.refusal.value} again={read.reload} />;
  if (!preferences) return <Loading />;
  const set = (change: Preference, before: Preference) =>
    attempt(async () => {
      read.assume(await ask('PUT /api/users/:userId/preferences', { userId, ...change }));
      tell(words.saved, async () => {
        read.assume(await ask('PUT /api/users/:userId/preferences', { userId, ...before }));
        return true;
      });
    });
  return (
    <fieldset class="settings" disabled={moment.value !== undefined}>
      {switches.map((name) => (
        <Switch
          key={name}
          label={names[name]}
          hint={name === 'persistMemory' ? words.memoryNote : undefined}
          isOn={preferences[name]}
          onChange={(isOn) => void set({ [name]: isOn }, { [name]: preferences[name] })}
        />
      ))}
      {texts.map((name) => (
        <Text
          key={`${name}=${preferences[name]}`}
          label={names[name]}
          value={preferences[name] ?? ''}
          onSave={(value) => void set({ [name]: value }, { [name]: preferences[name] })}
        />
      ))}
    </fieldset>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onSave: (value: string) => void;
}

function Text({ label, value, onSave }: TextProps) {
  const [text, setText] = useState(value);
  return (
    <form
      class="one-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== value && text.trim() !== '') onSave(text.trim());
      }}
    >
      <TextField label={label} value={text} onValue={setText} />
      <button type="submit" disabled={text.trim() === value || text.trim() === ''}>
        {words.save}
      </button>
    </form>
  );
}
