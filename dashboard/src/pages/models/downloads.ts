import { useEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../api/ask.ts';
import { listen } from '../../api/listen.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import type { Model } from './models.tsx';
import { words } from './words.ts';

export type Progress = Extract<Message<'POST /api/models/download'>, { type: 'progress' }>;

interface Downloads {
  /** By the ids of the models that are on their way. */
  readonly progress: ReadonlyMap<string, Progress | undefined>;
  begin(model: Model): Promise<void>;
}

/** Downloads go on without this page; those that are under way are listened to as soon as it is open. */
export function useDownloads(models: readonly Model[], onEnd: () => void): Downloads {
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress | undefined>>(new Map());
  const heard = useRef(new Map<string, AbortController>());

  const hear = async (model: Model, confirm: boolean) => {
    const { id: modelId } = model;
    if (heard.current.has(modelId)) return;
    const own = new AbortController();
    heard.current.set(modelId, own);
    setProgress((all) => new Map(all).set(modelId, undefined));
    await attempt(async () => {
      const options = { signal: own.signal };
      for await (const { data } of listen('POST /api/models/download', { modelId, confirm }, options)) {
        if (data.type === 'progress') setProgress((all) => new Map(all).set(modelId, data));
        else if (data.type === 'complete') tell(words.downloaded(model.name));
        else tell(words.failed(model.name, data.error));
      }
    });
    heard.current.delete(modelId);
    if (own.signal.aborted) return;
    setProgress((all) => new Map(Array.from(all).filter(([id]) => id !== modelId)));
    onEnd();
  };

  const underWay = models.filter(({ downloading }) => downloading);
  useEffect(() => {
    for (const model of underWay) void hear(model, true);
  }, [underWay.map(({ id }) => id).join()]);
  useEffect(
    () => () => {
      for (const own of heard.current.values()) own.abort();
    },
    [],
  );
  return {
    progress,
    begin: async (model) => {
      const { name, sha256 } = model;
      const question = { title: words.unsureTitle(name), text: words.unsureText, action: words.download };
      if (sha256 === null && !(await confirmed(question))) return;
      await hear(model, sha256 === null);
    },
  };
}
