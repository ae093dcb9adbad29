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

/** Of replies, those in the language of the tag that the user chose; English for all that there are no others for. */
export function repliesIn<Replies>(
  language: string | undefined,
  { english, german }: Readonly<Record<'english' | 'german', Replies>>,
): Replies {
  return language !== undefined && /^de(?:-|$)/i.test(language) ? german : english;
}
