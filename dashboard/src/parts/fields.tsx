import { type ComponentChildren, h } from 'preact';
import { useId } from 'preact/hooks';
import { visible } from './plain.tsx';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with what stands there. */
  readonly wrong?: string | undefined;
  /** Gets the attributes that tie it to its label and hints. */
  readonly children: (ties: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: true;
  }) => ComponentChildren;
}

export function Field({ label, hint, wrong, children }: FieldProps) {
  const id = useId();
  const told = [hint ? `${id}-hint` : '', wrong ? `${id}-wrong` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(told === '' ? {} : { 'aria-describedby': told }),
        ...(wrong ? { 'aria-invalid': true as const } : {}),
      })}
      {hint ? (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      ) : null}
      {wrong ? (
        <p id={`${id}-wrong`} class="wrong small">
          {wrong}
        </p>
      ) : null}
    </div>
  );
}

/** A string to the checker, which else asks which of the types of fields it is. */
const INPUT: string = 'input';

interface TextFieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly wrong?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'email' | 'url' | 'number';
  readonly autocomplete?: 'off' | 'current-password';
  readonly placeholder?: string;
  readonly required?: boolean;
  /** The id of a `datalist` with what may stand there. */
  readonly list?: string;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, wrong, value, onValue, type = 'text', ...rest } = props;
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(ties) =>
        h(INPUT, {
          ...{ ...rest, ...ties, type, value },
          onInput: ({ currentTarget }: InputEvent) => {
            if (currentTarget instanceof HTMLInputElement) onValue(currentTarget.value);
          },
        })
      }
    </Field>
  );
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly says: string }[];
  readonly onValue: (value: Value) => void;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, value, options, onValue } = props;
  return (
    <Field label={label} hint={hint}>
      {(ties) => (
        <select
          {...ties}
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value);
            if (chosen) onValue(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {visible(option.says)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({ label, hint, isOn, disabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={disabled}
        {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint ? (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
