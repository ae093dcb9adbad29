import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { words } from './words.ts';

/** Where the log lies, and a way back to it. */
export function Log({ onChanged }: { readonly onChanged: () => void }) {
  const read = useResource('GET /api/system/kvstore-status', {});
  const status = read.data.value;
  if (!status) return <Reading of={read} />;
  const reconnect = async () => {
    const question = { title: words.reconnectTitle, text: words.reconnectText, action: words.reconnect };
    if (!(await confirmed(question))) return;
    if (await attempt(() => ask('POST /api/system/reconnect-kvstore', {}))) tell(words.reconnected);
    read.reload();
    onChanged();
  };
  const { url, version, error = '' } = status;
  return (
    <>
      <p class="small">
        <code>{url}</code> {version} <Plain text={error} />
      </p>
      <button type="button" onClick={() => void reconnect()}>
        {words.reconnect}
      </button>
    </>
  );
}
