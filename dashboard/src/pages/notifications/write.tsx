import { useState } from 'preact/hooks';
import { askOnce } from '../../api/askOnce.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { words } from './words.ts';

/** A word to oneself, by all channels. */
export function Write() {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const send = async () => {
    if (!(await attempt(() => askOnce('POST /api/notifications', { text })))) return;
    setText('');
    setOpen(false);
    tell(words.sent);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.write}
      </button>
      {isOpen ? (
        <Dialog title={words.write} onClose={() => setOpen(false)}>
          <Form onSubmit={send}>
            <Field label={words.writeText}>
              {(ties) => (
                <textarea
                  {...ties}
                  rows={4}
                  required
                  maxLength={4_000}
                  value={text}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              )}
            </Field>
            <div class="actions end">
              <button type="submit" class="main">
                {words.send}
              </button>
            </div>
          </Form>
        </Dialog>
      ) : null}
    </>
  );
}
