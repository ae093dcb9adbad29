import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, SelectField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { entityTypes, type OneEntity } from './entity.ts';
import { words } from './words.ts';

export function Renaming({ entity, onClose }: { readonly entity: OneEntity; readonly onClose: () => void }) {
  const { id } = entity;
  const [name, setName] = useState(entity.name);
  const [type, setType] = useState(entity.type);
  const [aliases, setAliases] = useState(entity.aliases.join('\n'));
  const save = async () => {
    const called = aliases
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    const input = { id, name: name.trim(), type, aliases: called };
    if (!(await attempt(() => ask('PUT /api/entities/:id', input)))) return;
    onClose();
    const before = { id, name: entity.name, type: entity.type, aliases: entity.aliases };
    tell(words.renamed, () => ask('PUT /api/entities/:id', before));
  };
  return (
    <Dialog title={words.renameTitle} onClose={onClose}>
      <Form onSubmit={save}>
        <TextField label={words.name} value={name} onValue={setName} required />
        <SelectField
          label={words.type}
          value={type}
          options={entityTypes.map((value) => ({ value, says: words.types[value] }))}
          onValue={setType}
        />
        <Field label={words.aliases} hint={words.aliasesHint}>
          {(ties) => (
            <textarea
              {...ties}
              rows={3}
              value={aliases}
              onInput={(event) => setAliases(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions end">
          <button type="submit" class="main">
            {words.save}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
