import type { LoadedModel } from './loading.ts';
import type { PairVerdict, Probabilities, SentencePair } from './messages.ts';
import type { NliLabel } from './models.ts';

interface Encoded {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** Each pair in both directions, all in one run. */
export async function judgePairs(
  model: LoadedModel,
  pairs: readonly SentencePair[],
): Promise<readonly PairVerdict[]> {
  const directions = pairs.flatMap(({ one, other }) => [
    encode(model, one, other),
    encode(model, other, one),
  ]);
  const found = await probabilitiesOf(model, directions);
  return pairs.map((_, index) => verdictOf(found[2 * index], found[2 * index + 1]));
}

/** A contradiction is one from either side; a model may see it from one alone. */
function verdictOf(one: Probabilities | undefined, other: Probabilities | undefined): PairVerdict {
  if (!one || !other) throw new TypeError('A pair was left out');
  const probabilities = one.contradiction >= other.contradiction ? one : other;
  const labels: readonly NliLabel[] = ['contradiction', 'neutral', 'entailment'];
  const [first = 'neutral', ...others] = labels;
  const label = others.reduce(
    (best, next) => (probabilities[next] > probabilities[best] ? next : best),
    first,
  );
  return { probabilities, label };
}

/** What is too long for the model loses the end of both sentences. */
function encode({ tokenizer, mostTokens }: LoadedModel, premise: string, hypothesis: string): Encoded {
  for (let [one, other] = [premise, hypothesis]; ; ) {
    const { ids, token_type_ids: types } = tokenizer.encode(one, {
      text_pair: other,
      return_token_type_ids: true,
    });
    if (ids.length <= mostTokens) return { ids, types };
    const share = (0.9 * mostTokens) / ids.length;
    [one, other] = [one.slice(0, share * one.length), other.slice(0, share * other.length)];
  }
}

async function probabilitiesOf(
  { session, Tensor, labels, padding }: LoadedModel,
  encoded: readonly Encoded[],
): Promise<readonly Probabilities[]> {
  const width = Math.max(...encoded.map(({ ids }) => ids.length));
  const shape = [encoded.length, width];
  const filled = (fill: number, valuesOf: (one: Encoded) => readonly number[]) => {
    const values = new BigInt64Array(encoded.length * width).fill(BigInt(fill));
    for (const [row, one] of encoded.entries()) values.set(valuesOf(one).map(BigInt), row * width);
    return new Tensor('int64', values, shape);
  };
  const given = {
    input_ids: filled(padding, ({ ids }) => ids),
    attention_mask: filled(0, ({ ids }) => ids.map(() => 1)),
    token_type_ids: filled(0, ({ types }) => types),
  };
  const wanted = Object.entries(given).filter(([name]) => session.inputNames.includes(name));
  const { logits } = await session.run(Object.fromEntries(wanted));
  const values = logits?.data;
  if (!(values instanceof Float32Array) || values.length !== encoded.length * labels.length)
    throw new TypeError('The model gave something else');
  return encoded.map((_, row) =>
    softmax(labels, values.subarray(row * labels.length, (row + 1) * labels.length)),
  );
}

function softmax(labels: readonly NliLabel[], logits: Float32Array): Probabilities {
  if (!logits.every(Number.isFinite)) throw new TypeError('The model gave no numbers');
  const largest = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  const of = (label: NliLabel) => (powers[labels.indexOf(label)] ?? 0) / sum;
  return { contradiction: of('contradiction'), entailment: of('entailment'), neutral: of('neutral') };
}
