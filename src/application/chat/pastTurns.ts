import type { ModelMessage } from '../../gateways/models/gateway.ts';
import type { ProviderId, TurnOrigin } from '../../vocabulary.ts';
import { cut } from './toolOutput.ts';

/** A turn that is over, as the model is told it again. */
export interface PastTurn {
  readonly turnId: string;
  /** Whose words it begins with. */
  readonly origin: TurnOrigin;
  readonly messages: readonly ModelMessage[];
}

/** About what a large image costs with any provider. */
const TOKENS_OF_IMAGE = 1_600;
const LOCAL_CONTEXT = 8_192;
/** What the local runner is asked for at most, whatever its model could do. */
const LARGEST_LOCAL_CONTEXT = 131_072;
const USUAL_CONTEXT = 128_000;

/** How many tokens fit into a model, of which the catalog may not tell. */
export function contextOf(provider: ProviderId, contextLength: number | null): number {
  if (provider === 'local-runner') return Math.min(contextLength ?? LOCAL_CONTEXT, LARGEST_LOCAL_CONTEXT);
  return contextLength ?? USUAL_CONTEXT;
}

/** The texts of a turn that the model has to read, and the tokens of what is no text. */
export function contentsOf({ messages }: PastTurn): {
  readonly texts: readonly string[];
  readonly imageTokens: number;
} {
  const texts: string[] = [];
  let images = 0;
  for (const message of messages) {
    if (message.role === 'tool') texts.push(message.result);
    else if (message.role === 'assistant') {
      texts.push(message.text, message.reasoning?.text ?? '');
      for (const { name, input } of message.toolCalls ?? []) texts.push(name, JSON.stringify(input));
    } else
      for (const part of message.parts) {
        if (part.type === 'text') texts.push(part.text);
        else images++;
      }
  }
  return { texts: texts.filter(Boolean), imageTokens: images * TOKENS_OF_IMAGE };
}

const LONGEST_TEXT = 4_000;
const LONGEST_RESULT = 600;

/**
 * A turn for who sums it up: a line of JSON a message, which no text can break out of, and of each as much as is
 * worth a summary.
 */
export function linesOf({ messages, origin }: PastTurn): readonly string[] {
  return messages.map((message) => JSON.stringify(told(message, origin)));
}

function told(message: ModelMessage, origin: TurnOrigin): unknown {
  switch (message.role) {
    case 'user':
      return {
        [origin === 'user' ? 'user' : 'prompt']: message.parts
          .map((part) => (part.type === 'text' ? cut(part.text, LONGEST_TEXT) : '(an image)'))
          .join(' '),
      };
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      const called = calls.map(({ name, input }) => `${name} ${cut(JSON.stringify(input), LONGEST_RESULT)}`);
      return { assistant: cut(message.text, LONGEST_TEXT), ...(called.length > 0 ? { called } : {}) };
    }
    case 'tool':
      return { result: cut(message.result, LONGEST_RESULT) };
  }
}
