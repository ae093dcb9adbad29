import type OpenAI from 'openai';
import { catalogModel } from './catalogModel.ts';
import { ChatCompletions } from './chatCompletions.ts';
import type { ReasoningKeeper } from './chatStream.ts';
import { openAiFamily } from './families.ts';
import type {
  CatalogModel,
  CompletionPart,
  CompletionRequest,
  EmbeddingRequest,
  GatewayOptions,
  ModelGateway,
} from './gateway.ts';
import { field, textOf } from './loose.ts';

const BASE_URL = 'https://api.openai.com/v1';

export class OpenAiGateway implements ModelGateway {
  readonly providerId = 'cloud-b' as const;
  readonly #chat: ChatCompletions;

  constructor(options: GatewayOptions) {
    this.#chat = new ChatCompletions(options, {
      providerId: this.providerId,
      baseUrl: BASE_URL,
      paramsOf,
      withReasoning: () => ({}),
      keeper: () => forgetful,
    });
  }

  prepare(): Promise<void> {
    return this.#chat.prepare();
  }

  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    return this.#chat.complete(request, signal);
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#chat.embed(request, signal);
  }

  async listModels(signal: AbortSignal): Promise<readonly CatalogModel[]> {
    return (await this.#chat.list('/models', signal)).flatMap(modelOf);
  }

  async account(): Promise<undefined> {
    return undefined;
  }

  async validate(signal: AbortSignal): Promise<void> {
    await this.#chat.list('/models', signal);
  }
}

/** Chat Completions neither tells thoughts nor takes them back. */
const forgetful: ReasoningKeeper = {
  keep: () => {},
  kept: (text) => (text === '' ? undefined : { provider: 'cloud-b', text, blocks: [] }),
};

/**
 * Models that reason take no temperature. They reason unless told not to, and then refuse tools, all since 5.4:
 * with tools they have to do without.
 */
function paramsOf({
  model,
  tools = [],
  reasoning,
  temperature,
  maxOutputTokens,
}: CompletionRequest): Partial<OpenAI.ChatCompletionCreateParamsStreaming> {
  const family = openAiFamily(model);
  const thinks = family?.thinks === true;
  const off = tools.length > 0 && family?.withTools === 'off';
  return {
    ...(maxOutputTokens === undefined ? {} : { max_completion_tokens: maxOutputTokens }),
    ...(temperature === undefined || thinks ? {} : { temperature }),
    ...(off ? { reasoning_effort: 'none' } : {}),
    ...(thinks && reasoning === true && tools.length === 0 ? { reasoning_effort: 'medium' } : {}),
  };
}

function modelOf(info: unknown): CatalogModel[] {
  const id = textOf(field(info, 'id'));
  if (id === undefined) return [];
  const family = openAiFamily(id);
  const talks = family?.kind === undefined;
  return [
    catalogModel({
      id,
      contextLength: family?.context || undefined,
      maxOutputTokens: family?.output,
      inputPer1M: family?.prices?.[0],
      outputPer1M: family?.prices?.[1],
      deprecatedAt: textOf(field(info, 'shutdown_date'))?.slice(0, 10),
      talks,
      // Of a server that is only compatible the names say nothing: it is taken to know tools and schemas, as most do.
      takesTools: talks && family?.withTools !== 'refused',
      structured: talks,
      sees: family?.sees,
      thinks: family?.thinks,
      embeds: family?.kind === 'embeds' || (family === undefined && /embed/i.test(id)),
    }),
  ];
}
