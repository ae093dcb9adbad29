import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { type Device, nameOf } from './changes.ts';
import { words } from './words.ts';

type Code = Output<'POST /api/devices/pairing-codes'>;
const types = (['custom', 'esp32', 'browser', 'cli', 'mcp-client'] as const).map((value) => ({
  value,
  says: words.types[value],
}));

interface PairingProps {
  /** Those that are here already, and the newcomer as soon as it is. */
  readonly known: readonly Device[];
  readonly onClose: () => void;
}

export function Pairing({ known, onClose }: PairingProps) {
  const [type, setType] = useState<Device['type']>('custom');
  const [code, setCode] = useState<Code>();
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set());
  const make = async () => {
    setBefore(new Set(known.map(({ id }) => id)));
    setCode(await attempt(() => ask('POST /api/devices/pairing-codes', { type })));
  };
  const come = code && known.find(({ id }) => !before.has(id));
  return (
    <Dialog key={code?.code ?? ''} title={words.pairTitle} onClose={onClose}>
      {code ? (
        <>
          <p>{words.pairScan}</p>
          <img class="qr" alt={words.pairAlt} src={`data:image/svg+xml,${encodeURIComponent(code.qr)}`} />
          <dl class="details">
            <div>
              <dt>{words.pairCode}</dt>
              <dd>
                <code>{code.code}</code>
              </dd>
            </div>
            <div>
              <dt>{words.pairUrl}</dt>
              <dd>
                <code>{code.url}</code>
              </dd>
            </div>
          </dl>
          <p role="status">{come ? words.pairDone(nameOf(come)) : words.pairWaiting}</p>
        </>
      ) : (
        <Form onSubmit={make}>
          <SelectField label={words.pairType} value={type} options={types} onValue={setType} />
          <div class="actions end">
            <button type="submit" class="main">
              {words.pairMake}
            </button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
