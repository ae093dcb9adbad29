import type { CommandRunner } from '../commands/runner.ts';
import { type ErrorCode, HarkError, isHarkError } from '../errors.ts';
import type { ProjectionRuntime, Views } from '../projections/runtime.ts';
import type { Store, StoreStatus } from '../store/port.ts';

/** What there is while the key-value store is there. */
export interface ServiceContext {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly views: ProjectionRuntime;
  /** Names this process among those that share the store. */
  readonly instanceId: string;
}

/**
 * Where the service keeps what is its own: slots, settings, and what it knows of providers. That is in the store, and
 * in the process where there is to be none.
 */
export interface OwnState {
  readonly current: { readonly runner: CommandRunner; readonly views: Views } | undefined;
  /** Throws `KVSTORE_UNAVAILABLE` while a store that there is to be is not there. */
  connected(): { readonly runner: CommandRunner; readonly views: Views };
}

/** The optional dependency that everything lasting needs. */
export interface Kvstore {
  /** What is there now, if anything is. Ask anew for each request. */
  readonly current: ServiceContext | undefined;
  /** The same for who cannot do without: throws `KVSTORE_UNAVAILABLE` when nothing is there. */
  connected(): ServiceContext;
  /** As `connected`; throws also while the store is away, for who must not tell what may be forgotten by now. */
  reachable(): ServiceContext;
  status(): Promise<StoreStatus>;
  /** Connects again and resolves with the names of the services that stand on it. */
  reconnect(): Promise<readonly string[]>;
}

/** Does what needs the store, and refuses in the words of an area where that is away. */
export type InContext = <Result>(work: (context: ServiceContext) => Promise<Result>) => Promise<Result>;

/** Refuses in the words of an area what cannot be done without the store, also when that goes away in the middle. */
export async function whileThere<Result>(
  kvstore: Pick<Kvstore, 'reachable'>,
  otherwise: ErrorCode,
  work: (context: ServiceContext) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(kvstore.reachable());
  } catch (error) {
    if (!isHarkError(error, 'KVSTORE_UNAVAILABLE')) throw error;
    throw new HarkError(otherwise, { cause: error });
  }
}
