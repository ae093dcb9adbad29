import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '../../commands/command.ts';
import { exhaustBilling, recordFailure, restoreBilling } from '../../commands/providers/billing.ts';
import { initializeProvider } from '../../commands/providers/catalog.ts';
import { HarkError } from '../../errors.ts';
import type { ModelRef } from '../../events/providers.ts';
import type {
  CompletionPart,
  CompletionRequest,
  EmbeddingRequest,
  ModelGateway,
} from '../../gateways/models/gateway.ts';
import { billing } from '../../projections/providers/billing.ts';
import { catalogs, pricingOf } from '../../projections/providers/catalogs.ts';
import type { FallbackReason, ProviderId, SlotName } from '../../vocabulary.ts';
import type { Asking, Embedded, Models, Routed } from '../models.ts';
import {
  type Candidates,
  candidatesAmong,
  isSame,
  type ModelCandidate,
  mayTakeImages,
  pauseBefore,
  withoutImages,
} from './modelCandidates.ts';
import { type ConfiguredProviders, type CurrentContext, faultOf, type ProviderFault } from './ports.ts';
import { type Opened, RoutedAnswer } from './routedAnswer.ts';
import type { SlotBook } from './slotBook.ts';

export interface ModelRouterOptions {
  readonly context: CurrentContext;
  readonly clients: ConfiguredProviders;
  readonly slots: Pick<SlotBook, 'settle' | 'candidates' | 'learnBackups'>;
  readonly instanceId: string;
  /** What could not be recorded does not keep an answer from the user. */
  readonly onFailure: (what: string, error: unknown) => void;
}

type Whom = Pick<Asking, 'slot' | 'wanted' | 'instead' | 'withImages'>;

/** Whom to ask now, and what to do when credit turns out to be used up. */
interface AskingOrder extends Candidates {
  /** Whoever else answers is a fallback. */
  readonly first: ModelRef | undefined;
  /** Models that were left out because they take no images. */
  readonly blind: readonly ModelRef[];
  /** They are among the models already where credit is known to be used up. */
  readonly backups: (() => Promise<readonly ModelCandidate[]>) | undefined;
}

/** Why the first model is not asked at all. */
function whySkipped({ first, models, exhausted, blind }: AskingOrder): FallbackReason | undefined {
  const isAmong = (some: readonly ModelRef[]) => some.some((one) => first && isSame(one, first));
  if (!first || isAmong(models)) return undefined;
  return isAmong(exhausted) ? 'billing' : isAmong(blind) ? 'no-images' : 'not-configured';
}

/** How long to wait before the same model is asked again; undefined when it is not. */
type Pauses = typeof pauseBefore;

/** Gateways try again by themselves, and then no text is embedded twice. */
const neverAgain: Pauses = () => undefined;

interface HowToAsk {
  readonly isLast: boolean;
  readonly fallback: boolean;
  readonly fallbackReason: FallbackReason | undefined;
  readonly pauses: Pauses;
}

type Ask<Part> = (gateway: ModelGateway, model: string) => AsyncIterable<Part>;

/**
 * Asks the models of a slot until one answers. The chain is followed only while nothing was heard yet: what was
 * streamed to a user is not begun again by another model. What each failure means is recorded, so that the next
 * request goes straight to who can answer, and a success is credited to who had it and to nobody else.
 */
export class ModelRouter implements Models {
  readonly #options: ModelRouterOptions;
  /** Providers that are known in the log to have answered this process. */
  readonly #initialized = new Set<ProviderId>();

  constructor(options: ModelRouterOptions) {
    this.#options = options;
  }

  complete(
    asking: Asking,
    request: Omit<CompletionRequest, 'model'>,
  ): AsyncIterableIterator<Routed | CompletionPart> {
    const ask = (gateway: ModelGateway, model: string) => {
      const takesImages = mayTakeImages(this.#options.context, { provider: gateway.providerId, model });
      const messages = takesImages ? request.messages : withoutImages(request.messages);
      return gateway.complete({ ...request, model, messages }, asking.signal);
    };
    return new RoutedAnswer(() => this.#open(asking, ask, pauseBefore));
  }

  async seesImages(slot: SlotName): Promise<boolean> {
    const { models } = await this.#candidates({ slot, withImages: true });
    return models.length > 0;
  }

  async embed(asking: Asking, request: Omit<EmbeddingRequest, 'model'>): Promise<Embedded> {
    const ask = async function* (gateway: ModelGateway, model: string) {
      const vectors = await gateway.embed({ ...request, model }, asking.signal);
      yield { provider: gateway.providerId, model, vectors };
    };
    let embedded: Embedded | undefined;
    // To its end, by which it counts as a success.
    for await (const answer of new RoutedAnswer(() => this.#open(asking, ask, neverAgain)))
      if (!('type' in answer)) embedded = answer;
    if (!embedded) throw new HarkError('MODEL_UNAVAILABLE');
    return embedded;
  }

  /** Asks one after the other, until the first part of an answer has come. */
  async #open<Part>(asking: Asking, ask: Ask<Part>, pauses: Pauses): Promise<Opened<Part>> {
    const asked = await this.#candidates(asking);
    const { first, models, exhausted, blind } = asked;
    const waiting = [...models];
    let { backups } = asked;
    let fallbackReason = whySkipped(asked);
    let last: ProviderFault | undefined;
    for (let candidate = waiting.shift(); candidate; candidate = waiting.shift()) {
      const isLast = waiting.length === 0;
      const how = { isLast, fallback: !first || !isSame(candidate, first), fallbackReason, pauses };
      const opened = await this.#openOne(asking, candidate, how, ask);
      if ('rest' in opened) return opened;
      last = opened;
      fallbackReason ??= last.kind;
      if (last.kind !== 'billing') continue;
      waiting.push(...((await backups?.()) ?? []));
      backups = undefined;
    }
    if (!last && blind.length > 0) throw new HarkError('IMAGES_NOT_SEEN');
    if (!last && exhausted.length > 0) throw new HarkError('BILLING_EXHAUSTED');
    throw refusalOf(last);
  }

  /** Resolves with why the candidate did not answer, where it did not. Throws what must not be tried elsewhere. */
  #pricingOf(model: ModelRef): Pick<Routed, 'pricing'> {
    const { current } = this.#options.context;
    const pricing = current && pricingOf(current.views.view(catalogs), model);
    return pricing ? { pricing } : {};
  }

  async #openOne<Part>(
    asking: Asking,
    candidate: ModelCandidate,
    { isLast, fallback, fallbackReason, pauses }: HowToAsk,
    ask: Ask<Part>,
  ): Promise<Opened<Part> | ProviderFault> {
    const { provider, model, client } = candidate;
    const why = fallback && fallbackReason !== undefined ? { fallbackReason } : {};
    for (let tries = 1; ; tries++) {
      const startedMs = performance.now();
      try {
        const rest = ask(client.gateway, model)[Symbol.asyncIterator]();
        return {
          routed: {
            ...{ type: 'routed', slot: asking.slot, provider, model, fallback, ...why },
            ...this.#pricingOf(candidate),
          },
          first: await rest.next(),
          rest,
          onEnd: () => this.#creditSuccess(asking, candidate),
          onFailure: async (error) => refusalOf(await this.#faultIn(asking, candidate, error), error),
        };
      } catch (error) {
        const ms = performance.now() - startedMs;
        const fault = await this.#faultIn(asking, candidate, error);
        asking.onAttemptFailed?.({ provider, model, kind: fault.kind, startedMs, ms });
        if (fault.kind === 'bad-request') throw refusalOf(fault, error);
        const pause = pauses(tries, fault, error, isLast);
        if (pause === undefined) return fault;
        await wait(pause, undefined, { signal: asking.signal });
      }
    }
  }

  /** Records it. Throws on what is no fault of the provider's. */
  async #faultIn(asking: Asking, candidate: ModelCandidate, error: unknown): Promise<ProviderFault> {
    const fault = asking.signal.aborted ? undefined : faultOf(error);
    if (!fault) throw error;
    await this.#recordFault(asking, candidate, fault, error);
    return fault;
  }

  async #candidates({ slot, wanted, instead, withImages }: Whom): Promise<AskingOrder> {
    const { context, slots, clients } = this.#options;
    await slots.settle();
    // Without the log nothing is known of credit: then every model counts as one that has some.
    const known = { wanted, billing: context.current?.views.view(billing) ?? billing.initial() };
    const among = async (refs: readonly ModelRef[]) => {
      const { models, exhausted } = await candidatesAmong(refs, known, clients);
      if (!withImages) return { models, exhausted, blind: [] };
      const [seeing, blind] = [true, false].map((sees) =>
        models.filter((one) => mayTakeImages(context, one) === sees),
      );
      return { models: seeing ?? [], exhausted, blind: blind ?? [] };
    };
    const { chain, backups: chosen } = instead
      ? { chain: [instead], backups: undefined }
      : slots.candidates(slot);
    const refs = wanted ? [wanted, ...chain] : chain;
    const order = { first: refs[0], ...(await among(refs)) };
    if (!chosen) return { ...order, backups: undefined };
    const backups = async () => {
      await slots.learnBackups(slot);
      const others = (await chosen()).filter((ref) => !refs.some((asked) => isSame(asked, ref)));
      return (await among(others)).models;
    };
    if (order.exhausted.length === 0) return { ...order, backups };
    return { ...order, models: [...order.models, ...(await backups())], backups: undefined };
  }

  async #creditSuccess(asking: Asking, { provider, model, client, probe }: ModelCandidate): Promise<void> {
    if (probe) {
      const answered = { credential: client.credential, model };
      await this.#record(asking, restoreBilling, { providerId: provider, by: 'probe', answered });
    }
    if (this.#initialized.has(provider)) return;
    const { instanceId } = this.#options;
    if (await this.#record(asking, initializeProvider, { providerId: provider, instanceId }))
      this.#initialized.add(provider);
  }

  async #recordFault(
    asking: Asking,
    { provider, model, client }: ModelCandidate,
    fault: ProviderFault,
    error: unknown,
  ): Promise<void> {
    this.#initialized.delete(provider);
    await this.#record(asking, recordFailure, { providerId: provider, ...fault, model });
    if (fault.kind !== 'billing') return;
    const exhausted = { providerId: provider, credential: client.credential };
    await this.#record(asking, exhaustBilling, { ...exhausted, model: isOfModelOnly(error) ? model : null });
  }

  async #record<Input, State>(
    { correlationId }: Asking,
    command: Command<Input, State>,
    input: Input,
  ): Promise<boolean> {
    try {
      await this.#options.context.current?.runner.run(command, input, { userId: '', correlationId });
      return true;
    } catch (error) {
      this.#options.onFailure(command.name, error);
      return false;
    }
  }
}

/** Of a `ModelFailure`: the credit of this model is used up, and not that of the whole key. */
function isOfModelOnly(error: unknown): boolean {
  return error instanceof Error && 'modelOnly' in error && error.modelOnly === true;
}

/** The cause is what was thrown, or else the kind of the last failure. */
function refusalOf(last: ProviderFault | undefined, cause: unknown = last?.kind): HarkError {
  if (last?.kind === 'billing') return new HarkError('BILLING_EXHAUSTED', { cause });
  if (last?.kind === 'bad-request') return new HarkError('REQUEST_REFUSED', { cause });
  return new HarkError(last?.kind === 'timeout' ? 'MODEL_TIMEOUT' : 'MODEL_UNAVAILABLE', { cause });
}
