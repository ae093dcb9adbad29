import type { ToolCall } from './gateway.ts';
import { isRecord, parsed } from './loose.ts';

/** A call as the model wrote its input. Nothing at all is the input of a tool that takes none. */
export function toolCall(id: string, name: string, written: string): ToolCall {
  if (written.trim() === '') return { id, name, input: {} };
  const input = parsed(written);
  return isRecord(input) ? { id, name, input } : { id, name, input: {}, malformed: written };
}
