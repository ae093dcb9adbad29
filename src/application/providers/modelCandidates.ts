import type { ModelRef } from '../../events/providers.ts';
import type { ProviderClient } from '../../gateways/models/clients.ts';
import type { ModelMessage } from '../../gateways/models/gateway.ts';
import { type BillingState, exhaustionOf } from '../../projections/providers/billing.ts';
import { catalogs } from '../../projections/providers/catalogs.ts';
import type { ConfiguredProviders, CurrentContext, ProviderFault } from './ports.ts';

export interface ModelCandidate extends ModelRef {
  /** The client of this moment: a key that is exchanged meanwhile does not disturb what runs. */
  readonly client: ProviderClient;
  /** Its credit was used up when last seen; an answer shows that there is some again. */
  readonly probe: boolean;
}

interface Known {
  /** The user asks for this very model: it is tried even where its credit was used up. */
  readonly wanted?: ModelRef | undefined;
  readonly billing: BillingState;
}

export interface Candidates {
  readonly models: readonly ModelCandidate[];
  /** Models that were left out because their credit is used up. */
  readonly exhausted: readonly ModelRef[];
}

/** Whom of these to ask, in their order: each once, less what has no key and what is known to have no credit. */
export async function candidatesAmong(
  refs: readonly ModelRef[],
  { wanted, billing }: Known,
  clients: ConfiguredProviders,
): Promise<Candidates> {
  const models: ModelCandidate[] = [];
  const exhausted: ModelRef[] = [];
  for (const ref of refs) {
    if (models.some((earlier) => isSame(earlier, ref))) continue;
    const client = await clients.clientFor(ref.provider);
    if (!client) continue;
    const exhaustion = exhaustionOf(billing, ref.provider, client.credential, ref.model);
    const isWanted = wanted !== undefined && isSame(wanted, ref);
    if (exhaustion && !isWanted) exhausted.push(ref);
    else models.push({ ...ref, client, probe: exhaustion !== undefined });
  }
  return { models, exhausted };
}

export function isSame(one: ModelRef, other: ModelRef): boolean {
  return one.provider === other.provider && one.model === other.model;
}

/** As its catalog says. Of a model that is not known it is found out by asking it. */
export function mayTakeImages({ current }: CurrentContext, { provider, model }: ModelRef): boolean {
  const listed = current?.views.view(catalogs).byProvider[provider]?.models;
  const listing = listed?.find(({ id }) => id === model);
  return listing === undefined || listing.capabilities.includes('vision');
}

/** For a model that takes none: earlier turns of a conversation may have some. */
export function withoutImages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) =>
    message.role === 'user'
      ? { ...message, parts: message.parts.map((part) => (part.type === 'image' ? wasHere : part)) }
      : message,
  );
}

const wasHere = { type: 'text', text: '[An image that you cannot see]' } as const;

const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 250;
/** A provider that asks for more patience than a user has is passed by. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * How long to wait before the same model is asked again; undefined when it is not. One that is busy is worth a
 * wait; one that cannot be reached is tried again only when there is nobody else to ask.
 */
export function pauseBefore(
  tries: number,
  { kind }: ProviderFault,
  error: unknown,
  isLast: boolean,
): number | undefined {
  if (tries === MOST_TRIES) return undefined;
  const isBusy = kind === 'rate-limit' || kind === 'overload';
  if (!isBusy && !(isLast && kind === 'network')) return undefined;
  const asked = retryAfterOf(error) ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
  return asked > LONGEST_PAUSE_MS ? undefined : asked;
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof Error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number'
    ? error.retryAfterMs
    : undefined;
}
