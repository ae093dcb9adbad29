import { useState } from 'preact/hooks';
import { ask, type Input } from '../../api/ask.ts';
import { askOnce } from '../../api/askOnce.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, SelectField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { Preview } from './preview.tsx';
import { nothingSaid, type Said, WhenFields, whenSaid } from './whenFields.tsx';
import { words } from './words.ts';

const kinds = ['text', 'prompt', 'topic'] as const;

/** What is to be done, and when: what is meant by it is shown before anything is scheduled. */
export function Builder({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<(typeof kinds)[number]>('text');
  const [text, setText] = useState('');
  const [topic, setTopic] = useState('');
  const [said, setSaid] = useState<Said>(nothingSaid);
  const when = whenSaid(said);

  const create = async () => {
    if (!when) return;
    const task: Input<'POST /api/scheduler/tasks'> = { name: name.trim(), ...when };
    if (kind === 'text') task.text = text;
    if (kind === 'prompt') Object.assign(task, { eventTopic: 'agent.prompt.requested', payload: { text } });
    if (kind === 'topic') task.eventTopic = topic.trim();
    const made = await attempt(() => askOnce('POST /api/scheduler/tasks', task));
    if (!made) return;
    const taskId = made.task.id;
    tell(words.created(made.when), () => ask('DELETE /api/scheduler/tasks/:taskId', { taskId }));
    onClose();
  };

  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form onSubmit={create}>
        <TextField label={words.name} required value={name} onValue={setName} autocomplete="off" />
        <SelectField
          label={words.what}
          value={kind}
          options={kinds.map((value) => ({ value, says: words.whatOptions[value] }))}
          onValue={setKind}
        />
        {kind === 'topic' ? (
          <TextField label={words.topic} hint={words.topicHint} required value={topic} onValue={setTopic} />
        ) : (
          <Field label={words.text}>
            {(ties) => (
              <textarea
                {...ties}
                rows={2}
                required
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        <WhenFields said={said} onSay={setSaid} />
        <Preview when={when} />
        <div class="actions end">
          <button type="submit" class="main">
            {words.create}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
