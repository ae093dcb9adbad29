import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { unsent } from '../../parts/draft.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { SettingField, type Value, valueText } from './settingField.tsx';
import { type SettingSchema, settingsOf } from './settingSchema.ts';
import { words } from './words.ts';

type Changes = Readonly<Record<string, Value | null>>;

/** The settings of the service, each as its schema describes it. */
export function ServiceSettings() {
  const schema = useResource('GET /api/settings/schema', {});
  const settings = useResource('GET /api/settings', asItWas(), ['config:changed']);
  const [text, setText] = useState('');
  const [changes, setChanges] = useState<Changes>({});
  const refusal = schema.refusal.value ?? settings.refusal.value;
  const now = settings.data.value?.settings;
  const failure = refusal ? <Failure refusal={refusal} again={settings.reload} /> : null;
  if (!schema.data.value || !now) return failure ?? <Loading />;
  const all = settingsOf(schema.data.value.properties);
  const wanted = text.trim().toLocaleLowerCase();
  const found = all.filter(({ name, description, variable }) =>
    [name, description, variable].some((part) => part.toLocaleLowerCase().includes(wanted)),
  );
  const change = ({ name }: SettingSchema, value: Value | null) => {
    setChanges(({ [name]: _, ...others }) =>
      value === now[name]?.value ? others : { ...others, [name]: value },
    );
  };
  const save = async () => {
    const before = Object.fromEntries(
      Object.keys(changes).map((name) => {
        const known = now[name];
        return [name, known?.source === 'runtime' ? known.value : null];
      }),
    );
    const lines = Object.entries(changes).map(([name, value]) =>
      words.was(name, valueText(now[name]?.value), value === null ? words.unset : valueText(value)),
    );
    const list = (
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <Plain text={line} />
          </li>
        ))}
      </ul>
    );
    if (!(await confirmed({ title: words.ask, text: list, action: words.save }))) return;
    await attempt(async () => {
      settings.assume(await ask('PUT /api/settings', changes));
      setChanges((all) => unsent(all, changes));
      tell(words.saved, async () => {
        settings.assume(await ask('PUT /api/settings', before));
        return true;
      });
    });
  };
  return (
    <Form class="settings-form" onSubmit={() => Object.keys(changes).length > 0 && save()}>
      {failure}
      <TextField label={words.search} type="search" value={text} onValue={setText} />
      {found.length === 0 ? <p class="quiet">{words.none}</p> : null}
      <fieldset class="settings" disabled={moment.value !== undefined}>
        {found.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            now={now[setting.name]}
            changed={changes[setting.name]}
            onChange={(value) => change(setting, value)}
          />
        ))}
      </fieldset>
      {moment.value === undefined ? (
        <div class="actions end save-bar">
          <button type="submit" class="main" disabled={Object.keys(changes).length === 0}>
            {words.save}
          </button>
        </div>
      ) : null}
    </Form>
  );
}
