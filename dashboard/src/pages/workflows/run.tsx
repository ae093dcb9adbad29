import { useState } from 'preact/hooks';
import { askOnce } from '../../api/askOnce.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { search } from '../../state/place.ts';
import { words } from './words.ts';
import type { Workflow } from './workflows.tsx';

interface RunProps {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

/** What was given to an execution that is not known to have been taken, by workflow. */
const typed = new Map<string, string>();

/** Runs it with what it takes. The answer may take a minute: the page shows meanwhile how it goes. */
export function Run({ workflow: { id, name, input: schema }, onClose }: RunProps) {
  const [text, setText] = useState(() => typed.get(id) ?? JSON.stringify(skeletonOf(schema), undefined, 2));
  const [isWrong, setWrong] = useState(false);
  const run = async () => {
    const input = objectIn(text);
    setWrong(input === undefined);
    if (!input) return;
    typed.set(id, text);
    onClose();
    // Of several executions, the newest is shown.
    search({ execution: undefined });
    tell(words.started);
    const answer = await attempt(() => askOnce('POST /api/workflows/:id/execute', { id, input }));
    if (answer) typed.delete(id);
    if (answer?.execution.endTime) tell(words.ended(words.states[answer.execution.state]));
  };
  return (
    <Dialog title={words.runTitle(name)} onClose={onClose}>
      <Form onSubmit={run}>
        {schema === undefined ? (
          <p>{words.noInput}</p>
        ) : (
          <>
            <p>{words.runHint}</p>
            <pre class="small">{JSON.stringify(schema.properties ?? schema, undefined, 2)}</pre>
          </>
        )}
        <Field label={words.input} wrong={isWrong ? words.inputWrong : undefined}>
          {(ties) => (
            <textarea
              {...ties}
              rows={6}
              class="code"
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions end">
          <button type="submit" class="main">
            {words.run}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

const EMPTY: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

/** What is to be filled in: each field with its default, or with something of its type. */
function skeletonOf(schema: Workflow['input']): Record<string, unknown> {
  const fields = Object.entries(recordIn(schema?.properties) ?? {});
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const field = recordIn(value) ?? {};
      return [name, field.default ?? EMPTY[String(field.type)] ?? null];
    }),
  );
}

function recordIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return recordIn(JSON.parse(text.trim() || '{}'));
  } catch {
    return undefined;
  }
}
