import { concat, defer, forkJoin, type Observable, takeUntil } from 'rxjs';
import type { Catalogs } from '../../application/providers/catalogs.ts';
import type { ConfiguredProviders } from '../../application/providers/ports.ts';
import type { SlotBook } from '../../application/providers/slotBook.ts';
import { providerCredentialsUpdated } from '../../events/credentials.ts';
import type { EventOf } from '../../events/definition.ts';
import { catalogRefreshRequested } from '../../events/providers.ts';
import { resolveSlot } from '../../projections/providers/slots.ts';
import { type ProviderId, providerIds } from '../../vocabulary.ts';
import { aborted } from '../aborted.ts';
import { looks } from '../dueTimes.ts';
import { defineSaga, type Saga, type TimedSaga } from '../saga.ts';

/** Several processes do not look at the same moment, so that mostly one fetches and the others find it done. */
const LOOK_EVERY_MS = 60_000;

/**
 * Fetches catalogs when somebody asks for it, which a schedule may do, and when a key changed; the first key
 * also sets the first slots. A fetch twice does no harm.
 */
export function refreshCatalogs(catalogs: Catalogs, slots: SlotBook): Saga {
  return defineSaga({
    name: 'refresh-catalogs',
    on: [catalogRefreshRequested, providerCredentialsUpdated],
    // A catalog that cannot be had is told by itself, and fetched again when it is next needed.
    retry: { tries: 3, firstPauseMs: 1_000 },
    key: () => 'catalogs',
    async react(event) {
      await Promise.all(providersIn(event).map((providerId) => catalogs.of(providerId, { refresh: true })));
      await slots.revise();
    },
  });
}

function providersIn(
  event: EventOf<typeof catalogRefreshRequested | typeof providerCredentialsUpdated>,
): readonly ProviderId[] {
  if (event.type === providerCredentialsUpdated.type) {
    const { providerId: scope } = event.data;
    return providerIds.filter((providerId) => scope === `provider-${providerId}`);
  }
  const { providerId } = event.data;
  return providerIds.filter((one) => providerId === undefined || providerId === one);
}

interface KeepCatalogsOptions {
  readonly catalogs: Catalogs;
  readonly slots: SlotBook;
  readonly clients: ConfiguredProviders;
  /** Whether catalogs that became too old are fetched although nobody asked. */
  readonly refreshes: () => boolean;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
}

/**
 * Keeps catalogs new, sets the first slots, and has the providers of the `chat` slot ready: who is to answer for
 * another must not first load an SDK. Each process needs that for itself, with a log or without.
 */
export function keepCatalogs(options: KeepCatalogsOptions): TimedSaga<readonly ProviderId[]> {
  const { catalogs, slots, clients, refreshes, random = Math.random } = options;
  /** Providers that no slot of chats names stay unloaded until they are asked. */
  const prepareChat = async () => {
    const chain = resolveSlot(slots.view().slots, 'chat')?.chain ?? [];
    for (const providerId of new Set(chain.map(({ provider }) => provider))) {
      const client = await clients.clientFor(providerId).catch(() => undefined);
      await client?.gateway.prepare().catch(() => undefined);
    }
  };
  const settled = (work: () => Promise<unknown>): Observable<unknown> =>
    defer(() => work().catch(() => undefined));
  return {
    name: 'keep-catalogs',
    everywhere: true,
    on: looks((now) => {
      const again = now + LOOK_EVERY_MS * (0.5 + random());
      return { due: [refreshes() ? providerIds : []], again };
    }),
    key: () => 'catalogs',
    react: (due, { signal }) => {
      const fetches = due.map((providerId) => settled(() => catalogs.of(providerId, { refresh: false })));
      return concat(
        forkJoin([settled(prepareChat), ...fetches]),
        settled(() => slots.revise()),
        // By what has just been set, if it has.
        settled(prepareChat),
        // What is under way when the process stops is of no use any more, and not waited for.
      ).pipe(takeUntil(aborted(signal)));
    },
  };
}
