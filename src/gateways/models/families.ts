/*
 * What the lists of Anthropic and OpenAI do not say of their models, as their own pages said it in November 2026.
 * Prices are dollars for a million tokens of short prompts. The first family that matches an id counts; of a model
 * without one nothing is known.
 */

interface Family {
  readonly of: RegExp;
  /** Context and longest answer, in tokens. */
  readonly context: number;
  readonly output?: number;
  readonly prices?: readonly [input: number, output: number];
}

export interface AnthropicFamily extends Family {
  readonly output: number;
  /** How thinking is asked for: newer models decide themselves how much, and refuse a budget. */
  readonly thinking: 'adaptive' | 'budget';
}

const M = 1_000_000;

const anthropic: readonly AnthropicFamily[] = [
  { of: /^claude-fable-5/, context: M, output: 128_000, prices: [10, 50], thinking: 'adaptive' },
  { of: /^claude-mythos/, context: M, output: 128_000, thinking: 'adaptive' },
  { of: /^claude-opus-5-5/, context: M, output: 128_000, prices: [4, 20], thinking: 'adaptive' },
  { of: /^claude-opus-(?:5|4-[678])/, context: M, output: 128_000, prices: [5, 25], thinking: 'adaptive' },
  { of: /^claude-sonnet-5/, context: M, output: 128_000, prices: [2, 10], thinking: 'adaptive' },
  { of: /^claude-sonnet-4-6/, context: M, output: 64_000, prices: [3, 15], thinking: 'adaptive' },
  { of: /^claude-haiku-5-5/, context: M, output: 128_000, prices: [0.1, 0.5], thinking: 'adaptive' },
  { of: /^claude-opus-4-5/, context: 200_000, output: 64_000, prices: [5, 25], thinking: 'budget' },
  { of: /^claude-sonnet-4/, context: 200_000, output: 64_000, prices: [3, 15], thinking: 'budget' },
  { of: /^claude-haiku-4-5/, context: 200_000, output: 64_000, prices: [1, 5], thinking: 'budget' },
  { of: /^claude-opus-4/, context: 200_000, output: 32_000, prices: [15, 75], thinking: 'budget' },
];

export interface OpenAiFamily extends Family {
  /** `embeds` and `silent` (sounds, pictures, other endpoints) are not for chats. */
  readonly kind?: 'embeds' | 'silent';
  readonly sees?: true;
  readonly thinks?: true;
  /**
   * Chat Completions refuses tools together with reasoning of these; Responses does not. `off` can be asked not to
   * reason at all, and has to be there; with `refused` there is no such thing.
   */
  readonly withTools?: 'off' | 'refused';
}

const big = { context: 1_050_000, output: 128_000, sees: true, thinks: true } as const;
const medium = { context: 400_000, output: 128_000, sees: true, thinks: true } as const;

const openai: readonly OpenAiFamily[] = [
  { of: /^text-embedding-3-small/, kind: 'embeds', context: 8_191, prices: [0.02, 0] },
  { of: /^text-embedding-3-large/, kind: 'embeds', context: 8_191, prices: [0.13, 0] },
  { of: /^text-embedding-ada/, kind: 'embeds', context: 8_191, prices: [0.1, 0] },
  {
    of: /audio|realtime|transcribe|tts|whisper|image|dall-e|sora|moderation|davinci|babbage|instruct|codex|deep-research|computer-use|-pro\b|-live|search-api/,
    kind: 'silent',
    context: 0,
  },
  { of: /^gpt-6-astra/, ...big, prices: [10, 50], withTools: 'refused' },
  { of: /^gpt-6(?:\.1)?-sol/, ...big, prices: [2, 10], withTools: 'off' },
  { of: /^gpt-6\.1-terra/, ...big, prices: [1, 5], withTools: 'off' },
  { of: /^gpt-6-luna/, ...big, prices: [0.1, 0.5], withTools: 'off' },
  { of: /^gpt-5\.6-terra/, ...big, prices: [2, 12], withTools: 'off' },
  { of: /^gpt-5\.6-luna/, ...big, prices: [0.2, 1.2], withTools: 'off' },
  { of: /^gpt-5\.6/, ...big, prices: [4, 20], withTools: 'off' },
  { of: /^gpt-5\.5/, ...big, prices: [5, 30], withTools: 'off' },
  { of: /^gpt-5\.4-mini/, ...medium, prices: [0.75, 4.5], withTools: 'off' },
  { of: /^gpt-5\.4-nano/, ...medium, withTools: 'off' },
  { of: /^gpt-5\.4/, ...big, prices: [2.5, 15], withTools: 'off' },
  { of: /^gpt-5(?:\.\d)?-chat/, context: 128_000, output: 16_384, sees: true },
  { of: /^gpt-5\.2/, ...medium, prices: [1.75, 14], withTools: 'off' },
  { of: /^gpt-5\.1/, ...medium, prices: [1.25, 10] },
  { of: /^gpt-5-mini/, ...medium, prices: [0.25, 2] },
  { of: /^gpt-5-nano/, ...medium, prices: [0.05, 0.4] },
  { of: /^gpt-5(?:-\d|$)/, ...medium, prices: [1.25, 10] },
  { of: /^gpt-4\.1-mini/, context: 1_047_576, output: 32_768, prices: [0.4, 1.6], sees: true },
  { of: /^gpt-4\.1-nano/, context: 1_047_576, output: 32_768, prices: [0.1, 0.4], sees: true },
  { of: /^gpt-4\.1/, context: 1_047_576, output: 32_768, prices: [2, 8], sees: true },
  { of: /^gpt-4o-mini/, context: 128_000, output: 16_384, prices: [0.15, 0.6], sees: true },
  { of: /^gpt-4o/, context: 128_000, output: 16_384, prices: [2.5, 10], sees: true },
  { of: /^o4-mini/, context: 200_000, output: 100_000, prices: [1.1, 4.4], sees: true, thinks: true },
  { of: /^o3-mini/, context: 200_000, output: 100_000, prices: [1.1, 4.4], thinks: true },
  { of: /^o3/, context: 200_000, output: 100_000, prices: [2, 8], sees: true, thinks: true },
];

export function anthropicFamily(model: string): AnthropicFamily | undefined {
  return anthropic.find(({ of }) => of.test(model));
}

/** A fine-tuned model is named after the one it was made of. */
export function openAiFamily(model: string): OpenAiFamily | undefined {
  const base = model.replace(/^ft:/, '');
  return openai.find(({ of }) => of.test(base));
}
