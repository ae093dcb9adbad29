import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { listen } from '../../api/listen.ts';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Plain } from '../../parts/plain.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { bytesText, shareText } from '../../words/format.ts';
import { words } from './words.ts';

interface Pull {
  readonly model: string;
  readonly percent: number;
  readonly own: AbortController;
}

/** What is being downloaded: another page of this tab may be looked at meanwhile. */
const pulling = signal<Pull | undefined>(undefined);

async function pull(model: string): Promise<void> {
  const own = new AbortController();
  const show = (percent: number) => (pulling.value = { model, percent, own });
  show(0);
  await attempt(async () => {
    for await (const { data } of listen('POST /api/runner/pull', { model }, { signal: own.signal }))
      if (data.type === 'progress') show(data.percent);
      else tell(data.type === 'complete' ? words.pulled(model) : words.pulledNot(model, data.error));
  });
  pulling.value = undefined;
}

/** Ollama: how it is started where it is installed, the models that it has, and one more. */
export function Runner({ onChanged }: { readonly onChanged: () => void }) {
  const read = useResource('GET /api/runner/status', {}, ['provider.*']);
  const [isStarting, setStarting] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const status = read.data.value;
  const change = async (work: () => Promise<unknown>) => {
    await work();
    read.reload();
    onChanged();
  };
  const start = async () => {
    setStarting(true);
    if (await attempt(() => ask('POST /api/runner/start', {}))) tell(words.runnerStarted);
    setStarting(false);
  };
  if (!status) return null;
  const { installed, running, hint, models = [] } = status;
  const now = pulling.value;
  return (
    <>
      {installed ? null : (
        <p class="small facts">
          <Plain text={hint} />
        </p>
      )}
      {models.length > 0 ? (
        <p class="quiet small facts">
          {models.map(({ name, size }) => (
            <span key={name}>
              <Plain text={name} most={120} /> {bytesText(size)}
            </span>
          ))}
        </p>
      ) : null}
      {now ? (
        <p class="small facts" role="status">
          <Plain text={now.model} /> {shareText(now.percent / 100)}
        </p>
      ) : null}
      <div class="actions">
        {now ? (
          <button type="button" onClick={() => now.own.abort()}>
            {words.pullEnd}
          </button>
        ) : running ? (
          <button type="button" onClick={() => setAsked(true)}>
            {words.pull}
          </button>
        ) : installed ? (
          <button type="button" disabled={isStarting} onClick={() => void change(start)}>
            {words.runnerStart}
          </button>
        ) : null}
      </div>
      {isAsked ? (
        <Pulling
          onClose={() => setAsked(false)}
          onModel={(model) => {
            setAsked(false);
            void change(() => pull(model));
          }}
        />
      ) : null}
    </>
  );
}

interface PullingProps {
  readonly onClose: () => void;
  readonly onModel: (model: string) => void;
}

function Pulling({ onClose, onModel }: PullingProps) {
  const [name, setName] = useState('');
  return (
    <Dialog title={words.pull} onClose={onClose}>
      <Form onSubmit={() => onModel(name.trim())}>
        <TextField
          label={words.model}
          hint={words.pullHint}
          placeholder="llama3.2"
          required
          value={name}
          onValue={setName}
        />
        <div class="actions end">
          <button type="submit" class="main">
            {words.download}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
