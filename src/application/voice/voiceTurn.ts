import type { Exchange } from '../../projections/chat/exchange.ts';
import { imageTypes } from '../../vocabulary.ts';
import type { VoiceOptions } from './conversation.ts';
import type { ClientCall, Ending, VoiceQuestion } from './sessionState.ts';
import type { AskedTurn } from './voiceTurns.ts';

/* The turn of chat behind a response: what it is asked with, and what it came to. */

export const SPOKEN =
  'Your answer is spoken out loud: say it in short plain sentences, as one speaks, with no Markdown, lists, tables, code or ' +
  'addresses. What the user said was heard and may be misspelled; ask where it makes no sense.';

export function requestOf(
  { text, isUsers, images, options, demands, modality, devices }: VoiceQuestion,
  session: VoiceOptions,
): AskedTurn {
  const instructions = options.instructions ?? session.instructions;
  // Of two devices neither may less than the other: what both said uses no tool.
  const toolChoice = devices.length > 1 ? 'none' : (options.toolChoice ?? session.toolChoice);
  const mostOutputTokens = options.mostOutputTokens ?? session.mostOutputTokens;
  // Beside what the user said, what a client says of one response stands in place of what it says of all.
  const system = isUsers ? instructions : session.instructions;
  const demand = [...(modality === 'audio' ? [SPOKEN] : []), ...demands].join('\n\n');
  const manner: AskedTurn['given']['manner'] = {
    ...(mostOutputTokens === undefined ? {} : { maxOutputTokens: mostOutputTokens }),
    ...(toolChoice === 'required' ? { mustCall: 'any' as const } : {}),
  };
  const shown = (options.tools ?? session.tools).map(({ name, description, parameters: input }) => ({
    name,
    description,
    input,
  }));
  return {
    text,
    images: images.flatMap(({ mimeType, base64 }) => {
      const type = imageTypes.find((one) => one === mimeType);
      return type ? [{ mimeType: type, base64 }] : [];
    }),
    origin: isUsers ? 'user' : 'client',
    ...(isUsers ? {} : { source: 'voice' }),
    ...(modality === 'audio' ? { spoken: true as const } : {}),
    platform: 'voice',
    given: {
      ...(system === undefined ? {} : { system }),
      ...(demand === '' ? {} : { demand }),
      ...(toolChoice === 'none' ? { tools: [] } : { clientTools: shown }),
      manner,
    },
  };
}

/** How a response ends whose turn ended so. */
export function endingOf({ end, steps, hearing }: Exchange): Ending {
  if (!end) return { status: 'failed', reason: 'INTERNAL', calls: [] };
  const { usage, finish } = end.metadata;
  switch (end.as) {
    case 'replied':
      return finish === 'length'
        ? { status: 'incomplete', reason: 'max_output_tokens', usage, calls: [] }
        : { status: 'completed', usage, calls: [] };
    case 'delegated':
      return { status: 'completed', usage, calls: callsLeft(hearing?.said ?? steps) };
    case 'cancelled':
      return { status: 'cancelled', reason: 'client_cancelled', usage, calls: [] };
    case 'failed':
      return { status: 'failed', reason: end.code ?? 'INTERNAL', usage, calls: [] };
    case 'interrupted':
      return { status: 'failed', reason: 'INTERRUPTED', usage, calls: [] };
  }
}

/** Those that the client runs. */
function callsLeft(steps: Exchange['steps']): readonly ClientCall[] {
  const last = steps.at(-1);
  if (!last) return [];
  return last.calls
    .filter(({ callId }) => !last.returns.some((back) => back.callId === callId))
    .map(({ callId, name, input, malformed }) => ({
      callId,
      name,
      arguments: malformed ?? JSON.stringify(input ?? {}),
    }));
}
