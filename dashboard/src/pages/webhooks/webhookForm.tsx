import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { askOnce } from '../../api/askOnce.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { ShownOnce } from '../../parts/shownOnce.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import type { Webhook } from './webhooks.tsx';
import { words } from './words.ts';

interface WebhookFormProps {
  /** The one to change; a new one where there is none. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, onClose }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [topics, setTopics] = useState(webhook?.topics.join('\n') ?? '');
  const [secret, setSecret] = useState('');
  // Made here, so that it is known also where the answer to the first try is lost.
  const [own] = useState(newSecret);
  const [isAdded, setAdded] = useState(false);

  const save = async () => {
    const fields = {
      url: url.trim(),
      topics: topics.split(/[\s,]+/).filter((topic) => topic !== ''),
      ...(secret === '' ? {} : { secret }),
    };
    if (webhook) {
      const { id, url: oldUrl, topics: oldTopics } = webhook;
      if (!(await attempt(() => ask('PUT /api/webhooks/:id', { id, ...fields })))) return;
      tell(words.saved, () => ask('PUT /api/webhooks/:id', { id, url: oldUrl, topics: oldTopics }));
      return onClose();
    }
    if (!(await attempt(() => askOnce('POST /api/webhooks', { secret: own, ...fields })))) return;
    tell(words.added);
    if (secret !== '') onClose();
    else setAdded(true);
  };

  if (isAdded)
    return (
      <ShownOnce
        title={words.secretTitle}
        about={words.secretOnce}
        secret={own}
        done={words.secretKept}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={webhook ? words.changeTitle : words.add} onClose={onClose}>
      <Form onSubmit={save}>
        <TextField label={words.url} hint={words.urlHint} type="url" required value={url} onValue={setUrl} />
        <Field label={words.topics} hint={words.topicsHint}>
          {(ties) => (
            <textarea
              {...ties}
              rows={4}
              required
              value={topics}
              onInput={(event) => setTopics(event.currentTarget.value)}
            />
          )}
        </Field>
        <TextField
          label={words.secret}
          hint={webhook ? words.secretStays : words.secretHint}
          type="password"
          autocomplete="off"
          value={secret}
          onValue={setSecret}
        />
        <div class="actions end">
          <button type="submit" class="main">
            {webhook ? words.save : words.addAction}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

/** As Standard Webhooks has it. */
function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
