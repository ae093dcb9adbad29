import { regExp } from '../../regExp.ts';

/*
 * What the lists of Anthropic and OpenAI do not say of their models, as their own pages said it in November 2026:
 * platform.claude.com/docs/en/models/overview, developers.openai.com/api/docs/pricing and /models. Prices are dollars
 * for a million tokens of short prompts, without caches, batches or priorities. Names count as a whole, but for the
 * date of a snapshot: of a model that is not here, a successor with a longer name among them, nothing is known, and
 * nothing is guessed.
 */

interface Family {
  readonly of: readonly string[];
  /** Context and longest answer, in tokens. */
  readonly context?: number;
  readonly output?: number;
  readonly prices?: readonly [input: number, output: number];
}

export interface AnthropicFamily extends Family {
  readonly output: number;
  /** How thinking is asked for: newer models decide themselves how much, and refuse a budget. */
  readonly thinking: 'adaptive' | 'budget';
}

const M = 1_000_000;
const adaptive = { context: M, output: 128_000, thinking: 'adaptive' } as const;
const budgeted = { context: 200_000, output: 64_000, thinking: 'budget' } as const;

const anthropic: readonly AnthropicFamily[] = [
  { of: ['claude-fable-5-2'], ...adaptive, prices: [8, 40] },
  { of: ['claude-fable-5', 'claude-fable-5-1'], ...adaptive, prices: [10, 50] },
  { of: ['claude-mythos-preview', 'claude-mythos-5', 'claude-mythos-5-1', 'claude-mythos-5-2'], ...adaptive },
  { of: ['claude-opus-5-5'], ...adaptive, prices: [4, 20] },
  {
    of: ['claude-opus-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6'],
    ...adaptive,
    prices: [5, 25],
  },
  { of: ['claude-sonnet-5', 'claude-sonnet-5-5'], ...adaptive, prices: [2, 10] },
  { of: ['claude-sonnet-4-6'], ...adaptive, output: 64_000, prices: [3, 15] },
  { of: ['claude-haiku-5-5'], ...adaptive, prices: [0.1, 0.5] },
  { of: ['claude-opus-4-5'], ...budgeted, prices: [5, 25] },
  { of: ['claude-sonnet-4', 'claude-sonnet-4-0', 'claude-sonnet-4-5'], ...budgeted, prices: [3, 15] },
  { of: ['claude-haiku-4-5'], ...budgeted, prices: [1, 5] },
  {
    of: ['claude-opus-4', 'claude-opus-4-0', 'claude-opus-4-1'],
    ...budgeted,
    output: 32_000,
    prices: [15, 75],
  },
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
const chatty = { context: 128_000, output: 16_384, sees: true } as const;
const long = { context: 1_047_576, output: 32_768, sees: true } as const;
const old = { context: 200_000, output: 100_000, thinks: true } as const;

const openai: readonly OpenAiFamily[] = [
  { of: ['text-embedding-3-small'], kind: 'embeds', context: 8_191, prices: [0.02, 0] },
  { of: ['text-embedding-3-large'], kind: 'embeds', context: 8_191, prices: [0.13, 0] },
  { of: ['text-embedding-ada-002'], kind: 'embeds', context: 8_191, prices: [0.1, 0] },
  { of: ['gpt-6.2-astra'], ...big, prices: [8, 40] },
  { of: ['gpt-6.2-sol'], ...big, prices: [2, 10] },
  { of: ['gpt-6-astra'], ...big, prices: [10, 50], withTools: 'refused' },
  { of: ['gpt-6-sol', 'gpt-6.1-sol'], ...big, prices: [2, 10], withTools: 'off' },
  { of: ['gpt-6.1-terra'], ...big, prices: [1, 5], withTools: 'off' },
  { of: ['gpt-6-luna'], ...big, prices: [0.1, 0.5], withTools: 'off' },
  { of: ['gpt-5.6', 'gpt-5.6-sol'], ...big, prices: [4, 20], withTools: 'off' },
  { of: ['gpt-5.6-terra'], ...big, prices: [2, 12], withTools: 'off' },
  { of: ['gpt-5.6-luna'], ...big, prices: [0.2, 1.2], withTools: 'off' },
  { of: ['gpt-5.5'], ...big, prices: [5, 30], withTools: 'off' },
  { of: ['gpt-5.4'], ...big, prices: [2.5, 15], withTools: 'off' },
  { of: ['gpt-5.4-mini'], ...medium, prices: [0.75, 4.5], withTools: 'off' },
  { of: ['gpt-5.4-nano'], ...medium, withTools: 'off' },
  { of: ['gpt-5-chat', 'gpt-5.1-chat', 'gpt-5.2-chat', 'gpt-5.3-chat'], ...chatty },
  { of: ['gpt-5.2'], ...medium, prices: [1.75, 14], withTools: 'off' },
  { of: ['gpt-5', 'gpt-5.1'], ...medium, prices: [1.25, 10] },
  { of: ['gpt-5-mini'], ...medium, prices: [0.25, 2] },
  { of: ['gpt-5-nano'], ...medium, prices: [0.05, 0.4] },
  { of: ['gpt-4.1'], ...long, prices: [2, 8] },
  { of: ['gpt-4.1-mini'], ...long, prices: [0.4, 1.6] },
  { of: ['gpt-4.1-nano'], ...long, prices: [0.1, 0.4] },
  { of: ['gpt-4o-2024-05-13'], ...chatty, output: 4_096, prices: [5, 15] },
  { of: ['gpt-4o'], ...chatty, prices: [2.5, 10] },
  { of: ['gpt-4o-mini'], ...chatty, prices: [0.15, 0.6] },
  { of: ['o4-mini'], ...old, prices: [1.1, 4.4], sees: true },
  { of: ['o3-mini'], ...old, prices: [1.1, 4.4] },
  { of: ['o3'], ...old, prices: [2, 8], sees: true },
];

/** Models that the list of OpenAI names beside those that chat, told by what their names say. */
const SILENT = regExp()`
  audio|realtime|transcribe|tts|whisper|image|dall-e|sora|moderation|davinci|babbage|instruct|codex
  |deep-research|computer-use|-pro\b|-live|search-api`;
const silent: OpenAiFamily = { of: [], kind: 'silent' };

const SNAPSHOT = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

export function anthropicFamily(model: string): AnthropicFamily | undefined {
  return named(anthropic, model);
}

/** A fine-tuned model is named after the one it was made of, and has another price. */
export function openAiFamily(model: string): OpenAiFamily | undefined {
  const [, base] = /^ft:([^:]+)/.exec(model) ?? [];
  if (base === undefined) return SILENT.test(model) ? silent : named(openai, model);
  const { prices: _, ...tuned } = openAiFamily(base) ?? { of: [] };
  return tuned;
}

function named<One extends Family>(families: readonly One[], model: string): One | undefined {
  const find = (name: string) => families.find(({ of }) => of.includes(name));
  return find(model) ?? find(model.replace(SNAPSHOT, ''));
}
