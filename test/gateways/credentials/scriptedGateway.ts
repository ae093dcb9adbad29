import type { CreateGateway } from '../../../src/gateways/models/clients.ts';
import { type FailureKind, ModelFailure } from '../../../src/gateways/models/failure.ts';
import type { GatewayOptions, ModelGateway } from '../../../src/gateways/models/gateway.ts';
import type { ProviderId } from '../../../src/vocabulary.ts';

/** Keys that fail to be validated in some way: `fails-billing`, `fails-key` …; `hangs` waits to be given up. */
export function failingKey(kind: FailureKind): string {
  return `fails-${kind}`;
}

const isKind = (text: string): text is FailureKind => /^[a-z-]+$/.test(text);

/** Gateways that answer by what their key says, and remember with which options they were made. */
export class ScriptedGateways {
  readonly made: { readonly providerId: ProviderId; readonly options: GatewayOptions }[] = [];

  readonly create: CreateGateway = (providerId, options) => {
    this.made.push({ providerId, options });
    const { apiKey = '' } = options;
    const gateway: ModelGateway = {
      providerId,
      // Says its key, one letter at a time.
      async *complete() {
        for (const letter of apiKey) yield { type: 'text', text: letter };
        yield { type: 'finish', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
      },
      embed: async () => [],
      listModels: async () => [],
      account: async () => undefined,
      prepare: async () => undefined,
      validate: (signal) => this.#validate(providerId, apiKey, signal),
    };
    return gateway;
  };

  async #validate(providerId: ProviderId, apiKey: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (apiKey === 'hangs')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    if (apiKey === 'throws') throw new Error(`the provider said: wrong key ${apiKey}`);
    const kind = apiKey.replace(/^fails-/, '');
    if (kind !== apiKey && isKind(kind)) throw new ModelFailure(kind, { providerId });
  }
}
