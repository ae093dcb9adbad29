import { HarkError } from '../../errors.ts';
import type { SpokenPart, TokenUsage } from '../../events/chat.ts';
import type { CompletionPart, Reasoning, ToolCall } from '../../gateways/models/gateway.ts';
import type { Routed } from '../models.ts';

type Finish = Extract<CompletionPart, { type: 'finish' }>;

/** What the model said in one step, beside the text, which went out while it came. */
export interface Said {
  readonly routed: Routed;
  readonly calls: readonly ToolCall[];
  readonly usage: TokenUsage;
  readonly finish: Finish['reason'];
  readonly reasoning?: Reasoning | undefined;
}

interface Hearing {
  /** Grows while the model speaks: what is in it when that fails is what was heard. */
  readonly parts: SpokenPart[];
  readonly onRouted: (routed: Routed) => void;
  readonly onText: (type: SpokenPart['type'], text: string) => void;
}

/** Listens to the model until it has ended. */
export async function sayStep(
  answer: AsyncIterable<Routed | CompletionPart>,
  { parts, onRouted, onText }: Hearing,
): Promise<Said> {
  let routed: Routed | undefined;
  let finish: Finish | undefined;
  const calls: ToolCall[] = [];
  const hear = (type: SpokenPart['type'], text: string) => {
    if (text === '') return;
    const last = parts.at(-1);
    if (last?.type === type) last.text += text;
    else parts.push({ type, text });
    onText(type, text);
  };
  for await (const part of answer) {
    if (part.type === 'routed') {
      routed = part;
      onRouted(part);
    } else if (part.type === 'text') hear('content', part.text);
    else if (part.type === 'reasoning') hear('thinking', part.text);
    else if (part.type === 'tool-call') calls.push(part.call);
    else finish = part;
  }
  if (!routed || !finish) throw new HarkError('MODEL_UNAVAILABLE');
  const { usage, reason, reasoning } = finish;
  return { routed, calls, usage, finish: reason, reasoning };
}
