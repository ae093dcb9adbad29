import { send } from '../../api/ask.ts';
import { tell } from '../../parts/toasts.tsx';
import { words } from './words.ts';

/** All that is remembered, as a file of this device. */
export async function exportMemory(): Promise<void> {
  const answer = await send('GET /api/memory/export', {});
  const name = `hark-memory-${new Date().toISOString().slice(0, 10)}.ndjson`;
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  tell(words.exported(name));
}
