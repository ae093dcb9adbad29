import { signal } from '@preact/signals';
import { keyWanted } from '../api/key.ts';
import { connection } from '../api/live.ts';
import { shell } from '../words/shell.ts';

const isOnline = signal(navigator.onLine);
for (const name of ['online', 'offline'])
  addEventListener(name, () => {
    isOnline.value = navigator.onLine;
  });

/** What holds for every page at the moment. */
export function Banner() {
  const isAway = connection.value === 'lost' && !keyWanted.value;
  const text = isOnline.value ? isAway && shell.away : shell.offline;
  return <div role="status">{text ? <p class="banner">{text}</p> : null}</div>;
}
