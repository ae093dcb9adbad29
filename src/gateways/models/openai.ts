import type OpenAI from 'openai';
import { answerAsAsked } from './answerAsAsked.ts';
import { catalogModel } from './catalogModel.ts';
import { type ChatDialect, chatCompletion, type ReasoningKeeper } from './chatStream.ts';
import { ModelFailure } from './failure.ts';
import { openAiFamily } from './families.ts';
import type {
  CompletionPart,
  CompletionRequest,
  EmbeddingRequest,
  GatewayOptions,
  ListedModel,
  ModelGateway,
  SpeechGateway,
} from './gateway.ts';
import { field, textOf } from './loose.ts';
import { OpenAiConnection } from './openaiConnection.ts';
import { OpenAiSpeech } from './openaiSpeech.ts';
import { Responses } from './responses.ts';

const BASE_URL = 'https://api.openai.com/v1';

export class OpenAiGateway implements ModelGateway {
  readonly providerId = 'cloud-b' as const;
  readonly speech: SpeechGateway;
  readonly #connection: OpenAiConnection;
  readonly #responses: Responses;
  readonly #isOpenAi: boolean;
  /** Undefined until the server was asked. */
  #hasResponses: boolean | undefined;

  constructor(options: GatewayOptions) {
    this.#connection = new OpenAiConnection(options, this.providerId, BASE_URL);
    this.#responses = new Responses(this.#connection);
    this.speech = new OpenAiSpeech(this.#connection);
    this.#isOpenAi = new URL(options.baseUrl ?? BASE_URL).host === new URL(BASE_URL).host;
  }

  async prepare(): Promise<void> {
    await this.#connection.client();
  }

  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const ask = (one: CompletionRequest) => this.#stream(one, signal);
    return answerAsAsked(request, ask, this.#connection.blamed(request.model));
  }

  /**
   * Over Chat Completions OpenAI tells no thoughts, and its newer models refuse tools unless they stop thinking: what
   * thinks is asked over Responses. Other models of servers that are only compatible are not, because Chat
   * Completions is what those are compatible with.
   */
  #stream(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const family = openAiFamily(request.model);
    const prefers = family?.thinks === true || (this.#isOpenAi && family?.kind === undefined);
    if (!prefers || this.#hasResponses === false) return this.#chat(request, signal);
    return this.#hasResponses ? this.#responses.stream(request, signal) : this.#tryResponses(request, signal);
  }

  async *#tryResponses(
    request: CompletionRequest,
    signal: AbortSignal,
  ): AsyncGenerator<CompletionPart, void, undefined> {
    try {
      for await (const part of this.#responses.stream(request, signal)) {
        this.#hasResponses = true;
        yield part;
      }
      return;
    } catch (error) {
      if (this.#isOpenAi || !knowsNoResponses(error)) throw error;
      this.#hasResponses = false;
    }
    yield* this.#chat(request, signal);
  }

  #chat(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    return chatCompletion(this.#connection, dialect, request, signal);
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#connection.embed(request, signal);
  }

  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    return (await this.#connection.list('/models', signal)).flatMap(modelOf);
  }

  async account(): Promise<undefined> {
    return undefined;
  }

  async validate(signal: AbortSignal): Promise<void> {
    await this.#connection.list('/models', signal);
  }
}

/** There is no such address; a model that is not there is another matter. */
function knowsNoResponses(error: unknown): boolean {
  return (
    error instanceof ModelFailure &&
    error.kind !== 'model-unknown' &&
    [404, 405, 501].includes(error.status ?? 0)
  );
}

/** Chat Completions neither tells thoughts nor takes them back. */
const forgetful: ReasoningKeeper = {
  keep: () => {},
  kept: (text) => (text === '' ? undefined : { provider: 'cloud-b', text, blocks: [] }),
};

const dialect: ChatDialect = { paramsOf, withReasoning: () => ({}), keeper: () => forgetful };

/**
 * Models that reason take no temperature, and no words to stop at. They reason unless told not to, and over Chat Completions refuse tools
 * then, all since 5.4: with tools they have to do without, where there is nothing else.
 */
function paramsOf({
  model,
  tools = [],
  reasoning,
  temperature,
  maxOutputTokens,
  stop,
}: CompletionRequest): Partial<OpenAI.ChatCompletionCreateParamsStreaming> {
  const family = openAiFamily(model);
  const thinks = family?.thinks === true;
  const off = tools.length > 0 && family?.withTools === 'off';
  return {
    ...(maxOutputTokens === undefined ? {} : { max_completion_tokens: maxOutputTokens }),
    ...(temperature === undefined || thinks ? {} : { temperature }),
    ...(stop === undefined || thinks ? {} : { stop: [...stop] }),
    ...(off ? { reasoning_effort: 'none' } : {}),
    ...(thinks && reasoning === true && tools.length === 0 ? { reasoning_effort: 'medium' } : {}),
  };
}

function modelOf(info: unknown): ListedModel[] {
  const id = textOf(field(info, 'id'));
  if (id === undefined) return [];
  const family = openAiFamily(id);
  const talks = family?.kind === undefined;
  return [
    catalogModel({
      id,
      contextLength: family?.context,
      maxOutputTokens: family?.output,
      inputPer1M: family?.prices?.[0],
      outputPer1M: family?.prices?.[1],
      deprecatedAt: textOf(field(info, 'shutdown_date'))?.slice(0, 10),
      talks,
      // Of a server that is only compatible the names say nothing: it is taken to know tools and schemas, as most do.
      takesTools: talks,
      structured: talks,
      sees: family?.sees,
      thinks: family?.thinks,
      embeds: family?.kind === 'embeds' || (family === undefined && /embed/i.test(id)),
    }),
  ];
}
