import type { AnyOperation } from '../operation.ts';
import { Listener, type ListenerOptions } from './listener.ts';
import { mount } from './mount.ts';
import { mountPages } from './pages.ts';

export interface RestOptions extends ListenerOptions {
  readonly operations: readonly AnyOperation[];
  readonly version: string;
}

export interface RestServer {
  readonly port: number;
  /** No new requests; those that are being answered are, and streams end. */
  stop(): Promise<void>;
}

/** Carries operations over HTTP. */
export async function startRest({ operations, version, ...options }: RestOptions): Promise<RestServer> {
  const listener = new Listener(options);
  for (const operation of operations) mount(listener.app, operation, listener);
  mountPages(listener.app, {
    gate: listener.gate,
    meterOf: listener.meterOf,
    unmatched: listener.unmatched,
    operations,
    version,
    notice: options.config.SERVICE_NOTICE,
  });
  const port = await listener.listen(options.config.HEALTH_PORT);
  return { port, stop: () => listener.stop() };
}
