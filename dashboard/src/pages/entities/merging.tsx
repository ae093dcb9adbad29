import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { visible } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import type { Entity, OneEntity } from './entity.ts';
import { words } from './words.ts';

const SHOWN = 20;

/** Another name of the same: it counts as this one from then on. */
export function Merging({ into, onClose }: { readonly into: OneEntity; readonly onClose: () => void }) {
  const { id } = into;
  const [q, setQ] = useState('');
  const found = useResource('GET /api/entities', { q, limit: SHOWN });
  const others = (found.data.value?.entities ?? []).filter((other) => other.id !== id);
  const merge = async (other: Entity) => {
    const done = await attempt(() => ask('POST /api/entities/:id/merge', { id, entityId: other.id }));
    if (!done) return;
    onClose();
    tell(words.mergedNow(other.name), () =>
      ask('POST /api/entities/:id/unmerge', { id, entityId: other.id }),
    );
  };
  return (
    <Dialog title={words.mergeTitle(visible(into.name).slice(0, 80))} onClose={onClose}>
      <p class="quiet">{words.mergeHint}</p>
      <TextField label={words.find} type="search" value={q} onValue={setQ} autocomplete="off" />
      <Reading of={found} />
      <ul class="choices">
        {others.map((other) => (
          <li key={other.id}>
            <button type="button" onClick={() => void merge(other)}>
              {words.mergeWith(visible(other.name).slice(0, 80))}{' '}
              <span class="quiet small">{words.types[other.type]}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.data.value && others.length === 0 ? <p class="quiet">{words.noneFound}</p> : null}
    </Dialog>
  );
}
