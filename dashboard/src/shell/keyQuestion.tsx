import { useState } from 'preact/hooks';
import { giveKey, keyWanted } from '../api/key.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { shell } from '../words/shell.ts';

/** Asks for the key of the service as soon as that wants one. What was being done goes on then. */
export function KeyQuestion() {
  const wanted = keyWanted.value;
  const [putOff, setPutOff] = useState<typeof wanted>();
  if (!wanted) return null;
  if (wanted !== putOff) return <KeyForm wasWrong={wanted.wasWrong} onClose={() => setPutOff(wanted)} />;
  return (
    <p class="banner key-banner">
      {shell.keyTitle}{' '}
      <button type="button" onClick={() => setPutOff(undefined)}>
        {shell.keyGive}
      </button>
    </p>
  );
}

function KeyForm({ wasWrong, onClose }: { readonly wasWrong: boolean; readonly onClose: () => void }) {
  const [key, setKey] = useState('');
  const [keep, setKeep] = useState(false);
  return (
    <Dialog title={shell.keyTitle} onClose={onClose} stays>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') giveKey(key.trim(), keep);
        }}
      >
        <TextField
          label={shell.keyLabel}
          hint={shell.keyHint}
          wrong={wasWrong ? shell.keyWrong : undefined}
          type="password"
          autocomplete="current-password"
          value={key}
          onValue={setKey}
        />
        <label class="check">
          <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
          {shell.keyKeep}
        </label>
        <div class="actions end">
          <button type="submit" class="main">
            {shell.keyGive}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
