import { useState } from 'preact/hooks';
import { takeBack, useStatement } from '../../parts/correction.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/fields.tsx';
import { Form, sendsByEnter } from '../../parts/form.tsx';
import { Plain } from '../../parts/plain.tsx';
import { tell } from '../../parts/toasts.tsx';
import { parts } from '../../words/parts.ts';
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
  const { isGone, state } = useStatement(was?.id);
  const save = async () => {
    const right = text.trim();
    if (right === '' || right === was?.text) return;
    setSaving(true);
    const stated = await state(right);
    setSaving(false);
    if (!stated) return;
    onClose();
    tell(was ? words.corrected : words.added, () => takeBack(stated));
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
        {isGone ? (
          <p class="wrong" role="alert">
            {parts.forgottenMeanwhile}
          </p>
        ) : null}
        <div class="actions end">
          <button type="submit" class="main" disabled={isSaving}>
            {words.save}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
