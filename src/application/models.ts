import type { CatalogModel, ModelRef } from '../events/providers.ts';
import type { CompletionPart, CompletionRequest, EmbeddingRequest } from '../gateways/models/gateway.ts';
import type { FallbackReason, failureKinds, ProviderId, SlotName } from '../vocabulary.ts';

/** A model that was asked and did not answer; `startedMs` by `performance.now()`. */
export interface AttemptFailed extends ModelRef {
  readonly kind: (typeof failureKinds)[number];
  readonly startedMs: number;
  readonly ms: number;
}

export interface Asking {
  readonly slot: SlotName;
  readonly wanted?: ModelRef;
  /** Asked in the place of the models of the slot, and nobody else. */
  readonly instead?: ModelRef | undefined;
  /** Only models that take images will do. */
  readonly withImages?: boolean;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  /** Told of each, also where another answers then. */
  readonly onAttemptFailed?: (attempt: AttemptFailed) => void;
}

/** Who answers, said before the first part of the answer. */
export interface Routed {
  readonly type: 'routed';
  readonly slot: SlotName;
  readonly provider: ProviderId;
  readonly model: string;
  readonly fallback: boolean;
  /** Why the first model of the chain did not answer, where another does. */
  readonly fallbackReason?: FallbackReason;
  /** As its catalog has it now; undefined where that has none. */
  readonly pricing?: NonNullable<CatalogModel['pricing']>;
}

/** Vectors can only be compared with those of the same model. */
export interface Embedded extends ModelRef {
  /** One for each text, in their order. */
  readonly vectors: readonly Float32Array[];
}

/** The models, as every area asks them: by slot, and whoever can answer does. */
export interface Models {
  complete(asking: Asking, request: Omit<CompletionRequest, 'model'>): AsyncIterable<Routed | CompletionPart>;
  embed(asking: Asking, request: Omit<EmbeddingRequest, 'model'>): Promise<Embedded>;
  /** Whether any model of the slot may take images. */
  seesImages(slot: SlotName): Promise<boolean>;
}
