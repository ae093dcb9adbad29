import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { askOnce } from '../../api/askOnce.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, Switch, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { ShownOnce } from '../../parts/shownOnce.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import type { Channel } from './channels.tsx';
import { words } from './words.ts';

const types = ['ntfy', 'email', 'telegram', 'webhook'] as const;
type Type = (typeof types)[number];

type FieldName = 'url' | 'topic' | 'host' | 'port' | 'from' | 'to' | 'user' | 'chatId';
const hints: Partial<Record<FieldName, string>> = {
  url: words.urlHint,
  topic: words.topicHint,
  chatId: words.chatHint,
};

/** What each kind is set up with; the last ones of e-mail may be left empty. */
const fieldsOf: Readonly<Record<Type, readonly FieldName[]>> = {
  ntfy: ['url', 'topic'],
  email: ['host', 'port', 'from', 'to', 'user'],
  telegram: ['chatId'],
  webhook: ['url'],
};

interface ChannelFormProps {
  /** The one to change; a new one where there is none. */
  readonly channel?: Channel;
  readonly onClose: () => void;
}

export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const [type, setType] = useState<Type>(channel?.type ?? 'ntfy');
  const [name, setName] = useState(channel?.name ?? '');
  const [settings, setSettings] = useState<Readonly<Record<string, unknown>>>(
    channel?.settings ?? { port: 587, secure: false },
  );
  const [secret, setSecret] = useState('');
  const [quiet, setQuiet] = useState(channel?.quietHours ?? { from: '', to: '' });
  const [mostAnHour, setMostAnHour] = useState(String(channel?.mostAnHour ?? 20));
  const [made, setMade] = useState<string>();

  const save = async () => {
    const fields = {
      name,
      settings: settingsFor(type, settings),
      mostAnHour: Number(mostAnHour),
      quietHours: quiet.from + quiet.to === '' ? null : quiet,
      ...(secret === '' ? {} : { secret }),
    };
    if (channel) {
      const { id } = channel;
      if (!(await attempt(() => ask('PUT /api/notifications/channels/:id', { id, ...fields })))) return;
      tell(words.saved);
      return onClose();
    }
    const added = await attempt(() => askOnce('POST /api/notifications/channels', { type, ...fields }));
    if (!added) return;
    tell(words.added);
    if (added.secret === undefined) onClose();
    else setMade(added.secret);
  };

  if (made !== undefined)
    return (
      <ShownOnce
        title={words.secretTitle}
        about={words.secretOnce}
        secret={made}
        done={words.secretKept}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={channel ? words.changeTitle(channel.name) : words.add} onClose={onClose}>
      <Form onSubmit={save}>
        {channel ? null : (
          <SelectField
            label={words.type}
            value={type}
            options={types.map((value) => ({ value, says: words.types[value] }))}
            onValue={setType}
          />
        )}
        <TextField label={words.name} value={name} onValue={setName} required autocomplete="off" />
        {fieldsOf[type].map((field) => (
          <TextField
            key={field}
            label={words[field]}
            hint={hints[field]}
            value={settingOf(type, settings, field)}
            onValue={(value) => setSettings({ ...settings, [field]: value })}
            type={field === 'url' ? 'url' : field === 'port' ? 'number' : 'text'}
            required={field !== 'user'}
            autocomplete="off"
          />
        ))}
        {type === 'email' ? (
          <Switch
            label={words.secure}
            isOn={settings.secure === true}
            onChange={(secure) => setSettings({ ...settings, secure })}
          />
        ) : null}
        <TextField
          label={words.secrets[type]}
          hint={channel?.hasSecret ? words.secretStays : undefined}
          value={secret}
          onValue={setSecret}
          type="password"
          autocomplete="off"
          required={type === 'telegram' && !channel}
        />
        <div class="pair">
          <TextField
            label={words.quietFrom}
            placeholder="22:00"
            value={quiet.from}
            onValue={(from) => setQuiet({ ...quiet, from })}
          />
          <TextField
            label={words.quietTo}
            placeholder="07:00"
            value={quiet.to}
            onValue={(to) => setQuiet({ ...quiet, to })}
          />
        </div>
        <p class="quiet small">{words.quietHint}</p>
        <TextField label={words.mostAnHour} type="number" value={mostAnHour} onValue={setMostAnHour} />
        <div class="actions end">
          <button type="submit" class="main">
            {channel ? words.save : words.addAction}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

/** What of another kind was typed before is not sent along. */
function settingsFor(type: Type, settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = fieldsOf[type].flatMap((field) => {
    const text = settingOf(type, settings, field).trim();
    if (text === '') return [];
    return [[field, field === 'port' ? Number(text) : text] as const];
  });
  return { ...Object.fromEntries(given), ...(type === 'email' ? { secure: settings.secure === true } : {}) };
}

/** As it was typed; before that the usual address of ntfy, which is that of no other kind. */
function settingOf(type: Type, settings: Readonly<Record<string, unknown>>, field: FieldName): string {
  const usual = type === 'ntfy' && field === 'url' ? 'https://ntfy.sh' : '';
  const value = settings[field] ?? usual;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
