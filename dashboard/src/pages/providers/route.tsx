import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { durationText, shareText } from '../../words/format.ts';
import { words } from './words.ts';

/** Who would answer a text, without anybody being asked it. */
export function Route() {
  const [text, setText] = useState('');
  const [routed, setRouted] = useState<Output<'POST /api/slots/route'>>();
  const find = async () => setRouted(await attempt(() => ask('POST /api/slots/route', { text })));
  return (
    <details class="route">
      <summary>{words.route}</summary>
      <Form class="add-model" onSubmit={find}>
        <TextField label={words.routeText} required value={text} onValue={setText} />
        <button type="submit">{words.routeAction}</button>
      </Form>
      <p role="status">
        {routed ? (
          <>
            <strong>{words.routed(words.slotNames[routed.slot], routed.model ?? words.nobody)}</strong>{' '}
            <span class="quiet">
              {words.routedWhy(routed.intent, shareText(routed.confidence), durationText(routed.ms))}
            </span>
          </>
        ) : null}
      </p>
    </details>
  );
}
