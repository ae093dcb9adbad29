import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { apiKey as ownKey } from '../../api/key.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { change, NotYours } from '../setup/changes.ts';
import { type KeyScope, labelOf } from './keys.tsx';
import { words } from './words.ts';

interface KeyFormProps {
  readonly of: KeyScope;
  readonly onClose: () => void;
}

/** A key is tried before it is stored, or stored as it is. It lies in this form alone, and goes with it. */
export function KeyForm({ of, onClose }: KeyFormProps) {
  const [apiKey, setKey] = useState('');
  const [says, setSays] = useState<{
    readonly text: string;
    readonly isWrong: boolean;
    readonly of: string;
  }>();
  const [isTrying, setTrying] = useState(false);
  const { providerId } = of;
  const label = labelOf(of);

  const tryIt = async () => {
    setTrying(true);
    const answer = await attempt(() => ask('POST /api/credentials/validate', { providerId, apiKey }));
    setTrying(false);
    if (!answer) return;
    const { valid, error = '?' } = answer;
    setSays({ text: valid ? words.works(label) : words.worksNot(label, error), isWrong: !valid, of: apiKey });
  };
  /** While the service has no key, this machine shows a claim in its place. */
  const give = () =>
    change({ claimRequired: ownKey() === undefined }, 'POST /api/credentials', { providerId, apiKey });
  const store = () =>
    attempt(async () => {
      try {
        // A claim that was refused is let go: it was too old, and another one may be had.
        await give().catch((error: unknown) => {
          if (error instanceof NotYours) return give();
          throw error;
        });
      } catch (error) {
        if (!(error instanceof NotYours)) throw error;
        return setSays({ text: words.noClaim, isWrong: true, of: apiKey });
      }
      tell(words.keyStored);
      onClose();
    });

  return (
    <Dialog title={words.newKey(label)} onClose={onClose}>
      <Form onSubmit={store}>
        <TextField
          label={words.keyField}
          hint={words.keyHint}
          type="password"
          autocomplete="off"
          required
          value={apiKey}
          onValue={setKey}
        />
        <p role="status" class={says?.isWrong ? 'wrong' : 'good'}>
          {says?.of === apiKey ? says.text : null}
        </p>
        <div class="actions end">
          <button type="button" disabled={isTrying || apiKey.trim() === ''} onClick={() => void tryIt()}>
            {isTrying ? words.trying : words.tryKey}
          </button>
          <button type="submit" class="main">
            {words.storeKey}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
