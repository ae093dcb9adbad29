import type { Capability, ImageType, ProviderId } from '../../vocabulary.ts';

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

interface ImagePart {
  readonly type: 'image';
  readonly mimeType: ImageType;
  readonly base64: string;
}

/**
 * Reasoning as its provider gave it and wants it back on later turns. `text` is for people; `blocks` is opaque
 * to everybody but the gateway of `provider`, and is left out towards another provider.
 */
export interface Reasoning {
  readonly provider: ProviderId;
  readonly text: string;
  readonly blocks: readonly unknown[];
}

export interface ToolCall {
  readonly id: string;
  /** With dots, as hark names it: gateways map names to what their provider allows, and back. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * What the model wrote where an object of JSON was due; `input` is empty then. Such a call is not to be run:
   * its result tells the model what was wrong with it.
   */
  readonly malformed?: string;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly parts: readonly (TextPart | ImagePart)[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly reasoning?: Reasoning;
      readonly toolCalls?: readonly ToolCall[];
    }
  | { readonly role: 'tool'; readonly callId: string; readonly result: string; readonly failed: boolean };

interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ModelTimeouts {
  /** Until the connection stands and the answer begins. */
  readonly connectMs: number;
  /** From then until the first part. Also how long a call that is not streamed may take in all. */
  readonly firstPartMs: number;
  /** Between any two signs of life after that. The time that the reader takes for a part does not count. */
  readonly idleMs: number;
}

export interface CompletionRequest {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly maxOutputTokens?: number;
  /** Left out towards models that no longer take one: Anthropic's, and those of OpenAI that reason. */
  readonly temperature?: number;
  /** Asks for the model's reasoning where it has any; false asks for none, where that can be chosen. */
  readonly reasoning?: boolean;
  /**
   * The answer is to be JSON of this schema, in the way in which the provider enforces it. It then comes as one
   * part of text that fits; an answer that does not fit, even after it was sent back once, is `malformed`. Calls
   * of tools and refusals are handed on as they are.
   */
  readonly schema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** The answer has to be a call: of any of the tools, or of this one. Where it is given, the schema does not count. */
  readonly mustCall?: 'any' | { readonly name: string };
  /** An answer has one call at most. */
  readonly oneCall?: boolean;
  /** What is said ends before the first of these. They do not count in what a schema holds. */
  readonly stop?: readonly string[];
  readonly timeouts?: Partial<ModelTimeouts>;
  /** Where the call stands in its trace: a header of the request. */
  readonly traceparent?: string | undefined;
  /** For whom. Told to nobody; what is done for one does not hold up another. */
  readonly owner?: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * What a model says, as it says it. A stream ends with `finish`, or throws a `ModelFailure`; calls of tools come
 * whole.
 */
export type CompletionPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | {
      readonly type: 'finish';
      readonly reason: 'stop' | 'tool-calls' | 'length' | 'refused' | 'other';
      readonly usage: Usage;
      /** To be given back with the message on later turns. */
      readonly reasoning?: Reasoning;
    };

export interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
}

/** A model as the catalog shows it. */
export interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly contextLength: number | null;
  readonly maxOutputTokens: number | null;
  readonly capabilities: readonly Capability[];
  readonly pricing: { readonly inputPer1M: number; readonly outputPer1M: number } | null;
  /** ISO date from which the provider no longer serves it. */
  readonly deprecatedAt: string | null;
}

export interface Account {
  readonly creditBalance: number;
  readonly creditCurrency: string;
}

/**
 * One provider kind behind one interface. Aborting the signal closes the upstream connection, and so does a reader
 * that stops before the end. Whatever fails, fails with a `ModelFailure`. Nothing is tried twice but embeddings.
 */
export interface AudioTranscript {
  readonly text: string;
  /** In seconds; none where the model does not say. */
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

/** Of a provider that hears and speaks. */
export interface SpeechGateway {
  transcribe(
    request: {
      readonly model: string;
      /** A WAV file. */
      readonly wave: Uint8Array<ArrayBuffer>;
      /** As in ISO 639. */
      readonly language?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<AudioTranscript>;
  /** Samples of 16 bits, little-endian, 24,000 a second, in whatever pieces they come. */
  speak(
    request: {
      readonly model: string;
      readonly text: string;
      readonly voice: string;
      readonly speed: number;
    },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;
}

export interface ModelGateway {
  readonly providerId: ProviderId;
  readonly speech?: SpeechGateway;
  /** Nothing is asked before the first part is. */
  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart>;
  /** One vector for each text, in their order. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]>;
  listModels(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** Undefined where the provider tells nothing of an account. */
  account(signal: AbortSignal): Promise<Account | undefined>;
  /** Loads what the first question would have to wait for. Asks the provider nothing. */
  prepare(): Promise<void>;
  /** A read-only call that succeeds with a key that counts, and throws a `ModelFailure` otherwise. */
  validate(signal: AbortSignal): Promise<void>;
}

export interface GatewayOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Where a request says nothing else. */
  readonly timeouts?: Partial<ModelTimeouts>;
  /** Between attempts to embed; for tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}
