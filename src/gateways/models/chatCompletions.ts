import type OpenAI from 'openai';
import { chatParams, type WithReasoning } from './chatMessages.ts';
import { ChatStream, type ReasoningKeeper } from './chatStream.ts';
import { EventFrames } from './frames.ts';
import type { CompletionPart, CompletionRequest } from './gateway.ts';
import type { OpenAiConnection } from './openaiConnection.ts';
import { streamParts } from './streaming.ts';
import { ToolNames } from './toolNames.ts';

type Params = OpenAI.ChatCompletionCreateParamsStreaming;

/** In what the providers differ that speak Chat Completions. */
export interface ChatDialect {
  readonly paramsOf: (request: CompletionRequest) => Partial<Params>;
  readonly withReasoning: WithReasoning;
  readonly keeper: () => ReasoningKeeper;
}

/** One answer over Chat Completions. */
export function chatCompletion(
  connection: OpenAiConnection,
  { paramsOf, withReasoning, keeper }: ChatDialect,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncIterable<CompletionPart> {
  const names = new ToolNames(request);
  return streamParts(
    {
      blamed: connection.blamed(request.model),
      timeouts: connection.timeouts(request.timeouts),
      frames: new EventFrames(),
      reader: new ChatStream(names, keeper()),
      open: async (ended) => {
        const params: Params = { ...chatParams(request, names, withReasoning), ...paramsOf(request) };
        return (await connection.prepared('/chat/completions')).post(params, ended);
      },
    },
    signal,
  );
}
