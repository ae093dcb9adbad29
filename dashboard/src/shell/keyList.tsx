import { signal } from '@preact/signals';
import { Dialog } from '../parts/dialog.tsx';
import { keysNow, useKeys } from '../state/keys.ts';
import { shell } from '../words/shell.ts';

const isOpen = signal(false);

/** `?` shows what the keys do on this page. */
export function KeyList() {
  useKeys([{ key: '?', says: shell.keysTitle, act: () => (isOpen.value = true) }]);
  if (!isOpen.value) return null;
  return (
    <Dialog title={shell.keysOf} onClose={() => (isOpen.value = false)}>
      <dl class="key-list">
        {keysNow().map(({ key, says }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
