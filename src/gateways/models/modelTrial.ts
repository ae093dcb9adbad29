import { ModelFailure } from './failure.ts';
import type { ListedModel, ModelGateway, Usage } from './gateway.ts';
import { WORDS } from './keyTrial.ts';

const LONGEST_LISTING_MS = 10_000;
const LONGEST_ANSWER_MS = 60_000;
/** Enough for models that think before they say something. */
const MOST_TOKENS = 1_000;
const LONGEST_ANSWER = 600;

const QUESTION = 'Greet me in one short sentence, and say which model you are.';

type Pricing = ListedModel['pricing'];

export interface ModelTrial {
  readonly ok: boolean;
  readonly model?: string;
  readonly answer?: string;
  readonly ms?: number;
  readonly usage?: Usage;
  /** USD; null where no price is known. */
  readonly pricing?: Pricing;
  /** Of this one answer. */
  readonly costUsd?: number | null;
  readonly error?: string;
}

/** Which of these to try; undefined where none will do. */
export type Pick = (models: readonly ListedModel[]) => string | undefined;

/** Has a model answer one short question. What is wrong is told in words of ours: a provider's own may quote the key. */
export async function tryModel(gateway: ModelGateway, pick: Pick, signal: AbortSignal): Promise<ModelTrial> {
  let model: string | undefined;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_LISTING_MS + LONGEST_ANSWER_MS)]);
  try {
    const models = await gateway.listModels(
      AbortSignal.any([signal, AbortSignal.timeout(LONGEST_LISTING_MS)]),
    );
    model = pick(models);
    if (model === undefined) return { ok: false, error: 'It has no model for chat yet' };
    const startedAt = performance.now();
    const { answer, usage } = await answerOf(gateway, model, ended);
    const ms = Math.round(performance.now() - startedAt);
    if (answer === '') return { ok: false, model, ms, error: 'The model answered nothing' };
    const pricing = models.find(({ id }) => id === model)?.pricing ?? null;
    return { ok: true, model, answer, ms, usage, pricing, costUsd: costOf(gateway, pricing, usage) };
  } catch (error) {
    const kind = error instanceof ModelFailure ? error.kind : ended.aborted ? 'timeout' : 'unknown';
    const named = model === undefined ? {} : { model };
    return { ok: false, ...named, error: kind === 'model-unknown' ? UNKNOWN : WORDS[kind] };
  }
}

const UNKNOWN = 'The provider does not serve this model';

async function answerOf(gateway: ModelGateway, model: string, signal: AbortSignal) {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: QUESTION }] }];
  const request = { model, messages, maxOutputTokens: MOST_TOKENS, reasoning: false };
  let answer = '';
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  for await (const part of gateway.complete(request, signal)) {
    if (part.type === 'text') answer += part.text;
    if (part.type === 'finish') usage = part.usage;
  }
  return { answer: answer.trim().slice(0, LONGEST_ANSWER), usage };
}

/** What runs on one's own machine costs nothing. */
function costOf({ providerId }: ModelGateway, pricing: Pricing, usage: Usage): number | null {
  if (providerId === 'local-runner') return 0;
  if (!pricing) return null;
  return (usage.inputTokens * pricing.inputPer1M + usage.outputTokens * pricing.outputPer1M) / 1_000_000;
}
