import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field, Switch } from '../../parts/fields.tsx';
import { numberText } from '../../words/format.ts';
import type { SettingSchema } from './settingSchema.ts';
import { words } from './words.ts';

export type Value = string | number | boolean;

interface SettingFieldProps {
  readonly setting: SettingSchema;
  readonly now:
    | { readonly value: Value; readonly source: 'default' | 'env' | 'runtime'; readonly restart: boolean }
    | undefined;
  /** What it is to be; null for the default. */
  readonly changed: Value | null | undefined;
  readonly onChange: (value: Value | null) => void;
}

export function valueText(value: Value | undefined): string {
  if (typeof value === 'boolean') return value ? words.on : words.off;
  return typeof value === 'number' ? numberText(value) : (value ?? '');
}

export function SettingField({ setting, now, changed, onChange }: SettingFieldProps) {
  const { name, description, variable, kind, choices } = setting;
  const value = changed === undefined || changed === null ? now?.value : changed;
  const source = now ? words.sources[now.source] : '';
  const hint = (
    <>
      <span lang="en">{description.replaceAll('`', '')}</span> · <code>{variable}</code>, {source}
      {now?.restart ? `, ${words.restart}` : ''}
      {now?.source === 'runtime' && changed === undefined ? (
        <>
          {' · '}
          <button type="button" class="link" onClick={() => onChange(null)}>
            {words.unset}
          </button>
        </>
      ) : null}
      {changed === null ? ` · ${words.unset}` : ''}
    </>
  );
  if (kind === 'boolean')
    return <Switch label={name} hint={hint} isOn={value === true} onChange={onChange} />;
  if (kind === 'choice')
    return (
      <Field label={name} hint={hint}>
        {(ties) => (
          <select {...ties} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
          </select>
        )}
      </Field>
    );
  return <Written setting={setting} hint={hint} value={value} onChange={onChange} />;
}

interface WrittenProps {
  readonly setting: SettingSchema;
  readonly hint: ComponentChildren;
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}

function Written({ setting, hint, value, onChange }: WrittenProps) {
  const { name, kind, isWhole, minimum, maximum, pattern } = setting;
  // `0.0` on the way to `0.05` is no other number than `0`: what is typed stands as long as it means the value.
  const [typed, setTyped] = useState<{ readonly text: string; readonly means: Value | undefined }>();
  if (kind === 'number')
    return (
      <Field label={name} hint={hint}>
        {(ties) => (
          <input
            {...ties}
            type="number"
            required
            step={isWhole ? 1 : 'any'}
            min={minimum}
            max={maximum}
            value={typed?.means === value ? typed?.text : Number(value)}
            onInput={({ currentTarget: { value: text } }) => {
              setTyped({ text, means: text === '' ? value : Number(text) });
              if (text !== '') onChange(Number(text));
            }}
          />
        )}
      </Field>
    );
  return (
    <Field label={name} hint={hint}>
      {(ties) => (
        <input
          {...ties}
          type="text"
          // A browser reads it with the flag `v`, for which these are escaped.
          pattern={pattern?.replace(/(?<!\\)\/|-(?=\])/g, '\\$&')}
          value={String(value ?? '')}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
