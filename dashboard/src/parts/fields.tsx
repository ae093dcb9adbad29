import { type ComponentChildren, h } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useKeys } from '../state/keys.ts';
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
  const own = useRef<HTMLElement>(null);
  useKeys(type === 'search' ? [{ key: '/', says: label, act: () => own.current?.focus() }] : []);
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(ties) =>
        h(INPUT, {
          ...{ ...rest, ...ties, ref: own, type, value },
          onInput: ({ currentTarget }: InputEvent) => {
            if (currentTarget instanceof HTMLInputElement) onValue(currentTarget.value);
          },
        })
      }
    </Field>
  );
}

/** Of a change that was refused, or that nobody agreed to, the field shows what was before. */
function useTruth<Value>(value: Value) {
  const now = useRef(value);
  now.current = value;
  return async (change: unknown, show: (value: Value) => void) => {
    if ((await change) === false) show(now.current);
  };
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly says: string }[];
  /** Answers false where it came to nothing. */
  readonly onValue: (value: Value) => unknown;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, value, options, onValue } = props;
  const follow = useTruth(value);
  return (
    <Field label={label} hint={hint}>
      {(ties) => (
        <select
          {...ties}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = options.find((option) => option.value === currentTarget.value);
            if (!chosen) return;
            void follow(onValue(chosen.value), (now) => {
              currentTarget.value = now;
            });
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
  /** Answers false where it came to nothing. */
  readonly onChange: (isOn: boolean) => unknown;
}

export function Switch({ label, hint, isOn, disabled = false, onChange }: SwitchProps) {
  const id = useId();
  const follow = useTruth(isOn);
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
        onChange={({ currentTarget }) => {
          void follow(onChange(currentTarget.checked), (now) => {
            currentTarget.checked = now;
          });
        }}
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
