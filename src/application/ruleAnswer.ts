import type { ToolCall } from '../gateways/models/gateway.ts';

/** What answers where no model does: calls of tools, or words. */
export interface RuleAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}
