import type { ToolCall } from '../gateways/models/gateway.ts';

/** What answers where no model does: calls of tools, or words. */
export interface RuleAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** What a tool gave back; undefined where that is no JSON, as of one that failed. */
export function jsonIn(told: string): unknown {
  try {
    return JSON.parse(told);
  } catch {
    return undefined;
  }
}

/** Of replies by language, those in that of a tag; English for all that there are no others for. */
export function repliesIn<Replies>(
  tag: string | undefined,
  replies: Readonly<{ en: Replies } & Partial<Record<'de' | 'fr' | 'es', Replies>>>,
): Replies {
  const [code] = tag?.toLowerCase().split('-') ?? [];
  return (code === 'de' || code === 'fr' || code === 'es' ? replies[code] : undefined) ?? replies.en;
}
