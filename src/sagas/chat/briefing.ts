import type { Clock } from '../../clock.ts';
import type { Conversation } from '../../projections/chat/conversation.ts';
import { messagesOf } from './messages.ts';
import type { TurnRequest } from './request.ts';
import type { ShownTool, ToolSelector, TurnTools } from './tool.ts';
import type { Briefing } from './turn.ts';

/** Everything that is known when a turn's first step is due. */
export interface BriefingRequest extends TurnRequest, Pick<Conversation, 'exchanges' | 'summary'> {
  readonly turnId: string;
  readonly signal: AbortSignal;
}

export type BriefingMaker = (request: BriefingRequest) => Promise<Briefing>;

interface BriefingParts {
  readonly clock: Clock;
  readonly tools: ToolSelector;
}

/** How many of the last turns say which tools are in use. */
const LATELY = 3;

/** Puts together what the model is told: who it is, what was said before, and what it may do. */
export function briefingMaker({ clock, tools: selector }: BriefingParts): BriefingMaker {
  return async ({ userId, text, exchanges, summary, slot = 'chat', given, signal }) => {
    const upto = exchanges.findIndex(({ turnId }) => turnId === summary?.uptoTurnId);
    const earlier = upto === -1 ? null : (summary?.text ?? null);
    const lately = exchanges
      .slice(-LATELY)
      .reverse()
      .flatMap(({ steps }) => steps.flatMap(({ calls }) => calls.map(({ name }) => name)));
    return {
      slot,
      intent: null,
      system: [given?.system ?? systemPrompt(clock(), earlier), given?.demand ?? []].flat().join('\n\n'),
      history: exchanges.slice(upto + 1).flatMap(messagesOf),
      tools: given?.tools
        ? ofTheClient(given.tools)
        : await selector.select({ userId, text, lately: [...new Set(lately)], signal }),
      ...(given ? { given } : {}),
    };
  };
}

function ofTheClient(shown: readonly ShownTool[]): TurnTools {
  return { shown, tokens: 0, run: () => Promise.reject(new TypeError('The client runs its tools itself')) };
}

function systemPrompt(now: number, summary: string | null): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const who =
    "You are hark, an assistant that runs on its user's own machine. Answer in the language of the user, briefly " +
    `unless asked for more. Use a tool when it serves; say so when you do not know. Today is ${today} (UTC).`;
  return summary === null ? who : `${who}\n\nEarlier in this conversation, in short:\n${summary}`;
}
