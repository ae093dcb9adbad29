import { createHash } from 'node:crypto';
import type { CompletionRequest, ToolCall } from './gateway.ts';
import { isRecord, parsed } from './loose.ts';

/** What all providers allow. */
const LONGEST = 64;
const LONGEST_ID = 40;

/**
 * The names of a request's tools as its provider takes them, and back. Tools that are offered come before those
 * that only history speaks of: an offered tool has the same name whatever was called before it.
 */
export class ToolNames {
  readonly #given = new Map<string, string>();
  readonly #ours = new Map<string, string>();

  constructor({ tools = [], messages }: Pick<CompletionRequest, 'tools' | 'messages'>) {
    for (const { name } of tools) this.given(name);
    for (const message of messages) {
      if (message.role === 'assistant') for (const { name } of message.toolCalls ?? []) this.given(name);
    }
  }

  given(ours: string): string {
    const before = this.#given.get(ours);
    if (before !== undefined) return before;
    const plain = plainName(ours);
    const fits = plain.length > 0 && plain.length <= LONGEST && !this.#ours.has(plain);
    const given = fits ? plain : `${plain.slice(0, LONGEST - 9)}_${digest(ours).slice(0, 8)}`;
    this.#given.set(ours, given);
    this.#ours.set(given, ours);
    return given;
  }

  /** A name that was never given is what the model made up, and stays as it is. */
  ours(given: string): string {
    return this.#ours.get(given) ?? given;
  }
}

const MOST_PLAIN = 4_096;
const plainNames = new Map<string, string>();

/** Of the same tools, as a rule, again and again. */
function plainName(ours: string): string {
  const before = plainNames.get(ours);
  if (before !== undefined) return before;
  const plain = ours.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (plainNames.size >= MOST_PLAIN) plainNames.clear();
  plainNames.set(ours, plain);
  return plain;
}

/**
 * An id of a call as every provider takes it. History may come from another provider, whose ids are longer or have
 * other characters; the same id always becomes the same.
 */
export function callId(id: string): string {
  return id.length > 0 && id.length <= LONGEST_ID && /^[a-zA-Z0-9_-]+$/.test(id)
    ? id
    : `call_${digest(id).slice(0, 24)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A call as the model wrote its input. Nothing at all is the input of a tool that takes none. */
export function toolCall(id: string, name: string, written: string): ToolCall {
  if (written.trim() === '') return { id, name, input: {} };
  const input = parsed(written);
  return isRecord(input) ? { id, name, input } : { id, name, input: {}, malformed: written };
}
