import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/fields.tsx';
import { Form, sendsByEnter } from '../../parts/form.tsx';
import { Plain } from '../../parts/plain.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { takeBack } from '../../state/correction.ts';
import type { Conclusion } from './conclusion.ts';
import { words } from './words.ts';

interface CorrectingProps {
  /** What is not so; without it something is added. */
  readonly was?: Pick<Conclusion, 'id' | 'text'>;
  readonly onClose: () => void;
}

/** States what is so, in the place of what was believed. */
export function Correcting({ was, onClose }: CorrectingProps) {
  const [text, setText] = useState(was?.text ?? '');
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    const input = { text: text.trim(), ...(was ? { type: 'corrected' as const, supersedes: was.id } : {}) };
    if (input.text === '' || input.text === was?.text) return;
    setSaving(true);
    const answer = await attempt(() => ask('POST /api/memory/conclusions', input));
    setSaving(false);
    if (!answer) return;
    const replaced = answer.replaced.map(({ id }) => id);
    onClose();
    tell(was ? words.corrected : words.added, () => takeBack(answer.conclusion.id, replaced));
  };
  return (
    <Dialog title={was ? words.correctTitle : words.addTitle} onClose={onClose}>
      <Form onSubmit={save}>
        {was ? (
          <figure class="quote">
            <figcaption class="quiet small">{words.was}</figcaption>
            <blockquote>
              <Plain text={was.text} most={400} />
            </blockquote>
          </figure>
        ) : null}
        <Field label={words.sentence} hint={was ? words.correctHint : words.addHint}>
          {(ties) => (
            <textarea
              {...ties}
              rows={3}
              maxLength={2_000}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
              onKeyDown={sendsByEnter}
            />
          )}
        </Field>
        <div class="actions end">
          <button type="submit" class="main" disabled={isSaving}>
            {words.save}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
