import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { Chain } from './chain.tsx';
import {
  chainOf,
  chainToSend,
  clouds,
  type ModelRef,
  type Slot,
  type SlotName,
  withWarnings,
} from './slot.ts';
import { words } from './words.ts';

const providers = [...clouds, { value: 'local-runner', says: 'Ollama' }] as const;

const MOST_MODELS = 6;

interface ChainFormProps {
  readonly name: SlotName;
  readonly slot: Slot | null | undefined;
  readonly onClose: () => void;
}

/** The models of one slot. Nothing counts before it is saved, and that can be taken back. */
export function ChainForm({ name, slot, onClose }: ChainFormProps) {
  const before = chainOf(slot);
  const [chain, setChain] = useState(before);
  const set = (models: readonly ModelRef[]) =>
    ask('PUT /api/slots', { slots: { [name]: chainToSend(models) } });
  const save = async () => {
    const answer = await attempt(() => set(chain));
    if (!answer) return;
    tell(withWarnings(words.saved, answer), () => set(before));
    onClose();
  };
  return (
    <Dialog title={words.changeTitle(words.slotNames[name])} onClose={onClose}>
      <p class="quiet small">{words.chainHint}</p>
      <Chain chain={chain} onChange={setChain} />
      {chain.length < MOST_MODELS ? (
        <AddModel onAdd={(one) => setChain(isIn(chain, one) ? chain : [...chain, one])} />
      ) : null}
      <p class="quiet small">{words.saveText}</p>
      <div class="actions end">
        {name === 'chat' || chain.length === 0 ? null : (
          <button type="button" onClick={() => setChain([])}>
            {words.unset}
          </button>
        )}
        <button type="button" class="main" onClick={() => void save()}>
          {words.save}
        </button>
      </div>
    </Dialog>
  );
}

function isIn(chain: readonly ModelRef[], { provider, model }: ModelRef): boolean {
  return chain.some((one) => one.provider === provider && one.model === model);
}

/** Of a catalog, or any name: a model may be newer than the catalog. */
function AddModel({ onAdd }: { readonly onAdd: (one: ModelRef) => void }) {
  const catalog = useResource('GET /api/providers/catalog', {}, ['provider.catalog.*']);
  const [provider, setProvider] = useState<ModelRef['provider']>('cloud-a');
  const [model, setModel] = useState('');
  const known = catalog.data.value?.providers.find(({ providerId }) => providerId === provider)?.models ?? [];
  return (
    <Form
      class="add-model"
      onSubmit={() => {
        onAdd({ provider, model: model.trim() });
        setModel('');
      }}
    >
      <SelectField label={words.provider} value={provider} options={providers} onValue={setProvider} />
      <TextField
        label={words.addModel}
        required
        value={model}
        onValue={setModel}
        list="models-known"
        autocomplete="off"
      />
      <datalist id="models-known">
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <button type="submit">{words.addAction}</button>
    </Form>
  );
}
