import type { ChatResponse, Message } from 'ollama';
import { field, parsed } from '../loose.ts';
import { frame, inputText, newId, type Step, saidText, troubleSteps, type Utterance } from '../protocol.ts';
import type { ModelRequest } from '../request.ts';
import type { Item } from '../script.ts';

/** As it is in JSON: times are text. */
type Line = Omit<Partial<ChatResponse>, 'created_at'> & { readonly created_at: string };

/** Fixed, so that equal replies are equal bytes. */
const CREATED = '2026-01-02T03:00:00.123456789Z';

export function chatSteps(utterance: Utterance): readonly Step[] {
  const { request, items } = utterance;
  const said = (message: Message) => line({ ...head(request), message, done: false });
  const steps = items.flatMap((item) => itemSteps(item, said, thinks(request)));
  return [
    ...steps,
    frame(line({ ...head(request), message: { role: 'assistant', content: '' }, ...ending(utterance) })),
  ];
}

function itemSteps(item: Item, said: (message: Message) => string, thinks: boolean): readonly Step[] {
  switch (item.type) {
    case 'wait':
    case 'error':
      return [item];
    case 'trouble':
      return troubleSteps(item.trouble, said({ role: 'assistant', content: 'broken' }));
    case 'text':
      return [frame(said({ role: 'assistant', content: item.text }))];
    case 'reasoning':
      return thinks ? [frame(said({ role: 'assistant', content: '', thinking: item.text }))] : [];
    case 'redacted':
      return [];
    case 'call':
      return [frame(said({ role: 'assistant', content: '', tool_calls: [callOf(item)] }))];
  }
}

export function chatOf(utterance: Utterance): Line {
  const { request, items } = utterance;
  const thinking = thinks(request) ? saidText(items, 'reasoning') : '';
  const calls = items.filter((item) => item.type === 'call').map(callOf);
  const message: Message = {
    role: 'assistant',
    content: saidText(items, 'text'),
    ...(thinking === '' ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return { ...head(request), message, ...ending(utterance) };
}

/** Thoughts are told unless they are switched off. */
export function thinks({ body }: ModelRequest): boolean {
  return field(body, 'think') !== false;
}

function head({ model }: ModelRequest) {
  return { model, created_at: CREATED };
}

/** It knows no reason for calls, and none for refusals. */
function ending({ usage, stop }: Utterance) {
  return {
    done: true,
    done_reason: stop === 'length' ? 'length' : 'stop',
    total_duration: 1_500_000_000,
    load_duration: 20_000_000,
    prompt_eval_count: usage.inputTokens,
    prompt_eval_duration: 80_000_000,
    eval_count: usage.outputTokens,
    eval_duration: 1_400_000_000,
  };
}

/** Newer servers send an id that the client's types do not know. Arguments are an object here and no text. */
function callOf(item: Extract<Item, { type: 'call' }>): NonNullable<Message['tool_calls']>[number] {
  const input = parsed(inputText(item));
  const call = { id: item.id ?? newId('call_'), function: { name: item.name, arguments: {} } };
  return { ...call, function: { ...call.function, arguments: argumentsOf(input) } };
}

function argumentsOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? { ...input } : { input };
}

function line(value: Line): string {
  return `${JSON.stringify(value)}\n`;
}
