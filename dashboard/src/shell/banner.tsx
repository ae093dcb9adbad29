import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keyWanted } from '../api/key.ts';
import { connection } from '../api/live.ts';
import { handIsOff } from '../state/hand.ts';
import { shell } from '../words/shell.ts';

const isOnline = signal(navigator.onLine);
for (const name of ['online', 'offline'])
  addEventListener(name, () => {
    isOnline.value = navigator.onLine;
  });

/** What holds for every page at the moment. It takes room above what may lie under a hand. */
export function Banner() {
  const { value: how } = connection;
  const isAway = how === 'lost' && !keyWanted.value;
  const text = !isOnline.value ? shell.offline : how === 'busy' ? shell.busy : isAway && shell.away;
  const [shown, show] = useState<typeof text>();
  useEffect(() => {
    const replaced = new AbortController();
    void handIsOff(replaced.signal).then(() => replaced.signal.aborted || show(text));
    return () => replaced.abort();
  }, [text]);
  const wasShown = useRef(false);
  if (shown) wasShown.current = true;
  return (
    <div role="status">
      {shown ? <p class="banner">{shown}</p> : null}
      {/* Who sees that it is gone need not be told. */}
      {wasShown.current && !shown ? <p class="hidden-text">{shell.back}</p> : null}
    </div>
  );
}
