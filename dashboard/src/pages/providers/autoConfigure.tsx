import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { clouds, slotsOf, strategies, type View, withWarnings } from './slot.ts';
import { words } from './words.ts';

const modes = ['cloud', 'local', 'hybrid'] as const;

interface AutoConfigureProps {
  /** What was set, to be set again. */
  readonly before: View;
  readonly onClose: () => void;
}

export function AutoConfigure({ before, onClose }: AutoConfigureProps) {
  const [mode, setMode] = useState<(typeof modes)[number]>('cloud');
  const [provider, setProvider] = useState<(typeof clouds)[number]['value']>('cloud-a');
  const [fallbackStrategy, setStrategy] = useState<(typeof strategies)[number]>('cloud-backup');
  const configure = async () => {
    const input = { mode, fallbackStrategy, ...(mode === 'local' ? {} : { provider }) };
    const answer = await attempt(() => ask('POST /api/slots/auto-configure', input));
    if (!answer) return;
    const { strategy } = before;
    tell(withWarnings(words.configured, answer), () =>
      ask('PUT /api/slots', { slots: slotsOf(before), strategy }),
    );
    onClose();
  };
  return (
    <Dialog title={words.autoTitle} onClose={onClose}>
      <Form onSubmit={configure}>
        <p>{words.autoText}</p>
        <SelectField
          label={words.mode}
          value={mode}
          options={modes.map((value) => ({ value, says: words.modes[value] }))}
          onValue={setMode}
        />
        {mode === 'local' ? null : (
          <SelectField label={words.autoProvider} value={provider} options={clouds} onValue={setProvider} />
        )}
        <SelectField
          label={words.fallbacks}
          value={fallbackStrategy}
          options={strategies.map((value) => ({ value, says: words.strategies[value] }))}
          onValue={setStrategy}
        />
        <div class="actions end">
          <button type="submit" class="main">
            {words.auto}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
