import type OpenAI from 'openai';
import type { ReasoningKeeper } from './chatStream.ts';
import type { ModelMessage, Reasoning } from './gateway.ts';
import { field, isRecord, listOf } from './loose.ts';

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

/** What grows from piece to piece; what is encrypted comes whole. */
const GROWING = ['text', 'summary'];

/** Reasoning comes in pieces of details, and goes back as the details that they make up, in their order. */
export class OpenRouterReasoning implements ReasoningKeeper {
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

export function reasoningDetails({ reasoning }: AssistantMessage): Readonly<Record<string, unknown>> {
  const ours = reasoning?.provider === 'gateway' && reasoning.blocks.length > 0;
  return ours ? { reasoning_details: reasoning.blocks } : {};
}
