import type OpenAI from 'openai';
import { answerAsAsked } from './answerAsAsked.ts';
import { catalogModel } from './catalogModel.ts';
import { type ChatDialect, chatCompletion, type ReasoningKeeper } from './chatStream.ts';
import { ModelFailure } from './failure.ts';
import type {
  Account,
  CompletionPart,
  CompletionRequest,
  EmbeddingRequest,
  GatewayOptions,
  ListedModel,
  ModelGateway,
  ModelMessage,
  Reasoning,
} from './gateway.ts';
import { field, isRecord, listOf, numberOf, textOf } from './loose.ts';
import { OpenAiConnection } from './openaiConnection.ts';
import { withSchemaInWords } from './structured.ts';

const BASE_URL = 'https://openrouter.ai/api/v1';

export class OpenRouterGateway implements ModelGateway {
  readonly providerId = 'gateway' as const;
  readonly #connection: OpenAiConnection;

  constructor(options: GatewayOptions) {
    this.#connection = new OpenAiConnection(options, this.providerId, BASE_URL);
  }

  async prepare(): Promise<void> {
    await this.#connection.client();
  }

  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const ask = (one: CompletionRequest) => chatCompletion(this.#connection, dialect, one, signal);
    return answerAsAsked(withSchemaInWords(request), ask, this.#connection.blamed(request.model));
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]> {
    return this.#connection.embed(request, signal);
  }

  /** Models that embed are in a list of their own, without which the other is no worse. */
  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const [models, embedding] = await Promise.all([
      this.#connection.list('/models', signal),
      this.#connection.list('/embeddings/models', signal).catch(() => []),
    ]);
    const ids = new Set(models.map((info) => field(info, 'id')));
    return [...models, ...embedding.filter((info) => !ids.has(field(info, 'id')))].flatMap(modelOf);
  }

  /** The account's credits may only be told to a key that manages it; any other key knows what it may still spend. */
  async account(signal: AbortSignal): Promise<Account | undefined> {
    try {
      const credits = field(await this.#connection.get('/credits', signal), 'data');
      const bought = numberOf(field(credits, 'total_credits'));
      const used = numberOf(field(credits, 'total_usage'));
      if (bought !== undefined && used !== undefined) return dollars(bought - used);
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.status !== 403) throw error;
    }
    const left = numberOf(
      field(field(await this.#connection.get('/key', signal), 'data'), 'limit_remaining'),
    );
    return left === undefined ? undefined : dollars(left);
  }

  /** The list of models is open to everybody. */
  async validate(signal: AbortSignal): Promise<void> {
    await this.#connection.get('/key', signal);
  }
}

const dialect: ChatDialect = {
  paramsOf,
  withReasoning: reasoningDetails,
  keeper: () => new OpenRouterReasoning(),
};

function paramsOf({
  reasoning,
  temperature,
  maxOutputTokens,
  stop,
}: CompletionRequest): Readonly<Record<string, unknown>> {
  return {
    ...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stop === undefined ? {} : { stop }),
    ...(reasoning === true ? { reasoning: { enabled: true } } : {}),
  };
}

/** Without the traces of counting in binary fractions. */
function dollars(amount: number): Account {
  return { creditBalance: Math.round(amount * 1e6) / 1e6, creditCurrency: 'USD' };
}

function modelOf(info: unknown): ListedModel[] {
  const id = textOf(field(info, 'id'));
  if (id === undefined) return [];
  const parameters = listOf(field(info, 'supported_parameters'));
  const architecture = field(info, 'architecture');
  const makes = listOf(field(architecture, 'output_modalities'));
  const top = field(info, 'top_provider');
  const pricing = field(info, 'pricing');
  return [
    catalogModel({
      id,
      name: textOf(field(info, 'name')),
      contextLength: numberOf(field(info, 'context_length')) ?? numberOf(field(top, 'context_length')),
      maxOutputTokens: numberOf(field(top, 'max_completion_tokens')),
      inputPer1M: perMillion(field(pricing, 'prompt')),
      outputPer1M: perMillion(field(pricing, 'completion')),
      deprecatedAt: textOf(field(info, 'expiration_date'))?.slice(0, 10),
      talks: makes.includes('text'),
      takesTools: parameters.includes('tools'),
      sees: listOf(field(architecture, 'input_modalities')).includes('image'),
      thinks: parameters.includes('reasoning') || parameters.includes('include_reasoning'),
      structured: parameters.includes('structured_outputs'),
      embeds: makes.includes('embeddings'),
    }),
  ];
}

/** Dollars for one token, as text. A router, whose price depends on what it chooses, says -1. */
function perMillion(price: unknown): number | undefined {
  const one = typeof price === 'string' && price.trim() !== '' ? Number(price) : numberOf(price);
  if (one === undefined || !Number.isFinite(one) || one < 0) return undefined;
  return Number((one * 1e6).toPrecision(12));
}

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

/** What grows from piece to piece; what is encrypted comes whole. */
const GROWING = ['text', 'summary'];

/** Reasoning comes in pieces of details, and goes back as the details that they make up, in their order. */
class OpenRouterReasoning implements ReasoningKeeper {
  readonly #details: Record<string, unknown>[] = [];

  keep(delta: OpenAI.ChatCompletionChunk.Choice.Delta): void {
    const pieces = field(delta, 'reasoning_details');
    if (pieces !== undefined) for (const piece of listOf(pieces)) if (isRecord(piece)) this.#add(piece);
  }

  kept(text: string): Reasoning | undefined {
    if (text === '' && this.#details.length === 0) return undefined;
    return { provider: 'gateway', text, blocks: this.#details };
  }

  #add(piece: Record<string, unknown>): void {
    const last = this.#details.at(-1);
    if (!last || !continues(last, piece)) {
      this.#details.push({ ...piece });
      return;
    }
    for (const [key, value] of Object.entries(piece)) {
      if (value === null || value === undefined) continue;
      const before = last[key];
      last[key] = GROWING.includes(key) && typeof before === 'string' ? `${before}${value}` : value;
    }
  }
}

/** A signature ends what it signs. */
function continues(last: Record<string, unknown>, piece: Record<string, unknown>): boolean {
  if (last.type !== piece.type || last.index !== piece.index || piece.type === 'reasoning.encrypted')
    return false;
  return (!last.id || !piece.id || last.id === piece.id) && !(last.signature && piece.text);
}

function reasoningDetails({ reasoning }: AssistantMessage): Readonly<Record<string, unknown>> {
  const ours = reasoning?.provider === 'gateway' && reasoning.blocks.length > 0;
  return ours ? { reasoning_details: reasoning.blocks } : {};
}
