import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { inTab } from '../state/kept.ts';
import { onReturn } from './live.ts';

const NAME = 'hark.begunAnew';
const A_MINUTE_MS = 60_000;
const AGAIN_MS = 3_000;

/**
 * A part of the dashboard that comes later. While nobody answers it is waited for. Where the service answers and has it
 * no more, the dashboard was replaced since it was opened: the page begins anew at its address, which is where somebody
 * goes, and does so once.
 */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      const isThere = await fetch('/', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isThere) {
        await returned();
        continue;
      }
      const isOnce = Date.now() - Number(inTab.get(NAME) ?? 0) > A_MINUTE_MS;
      // Where that is not kept, it might begin anew for ever.
      if (!isOnce || !inTab.set(NAME, `${Date.now()}`)) throw error;
      location.reload();
      await new Promise(() => {});
    }
  }
}

/** Shown when it is there. Without it, what stands around says that it is broken. */
export function loadedPart<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const broken = (error: unknown): ComponentType<Props> => {
    return () => {
      throw error;
    };
  };
  return lazy(() => loaded(load).catch(broken));
}

function returned(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, AGAIN_MS);
    const end = onReturn(() => {
      clearTimeout(timer);
      end();
      resolve();
    });
  });
}
