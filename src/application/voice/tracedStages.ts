import { isTraced, tellPast } from '../../tracing/live.ts';
import type { Whose } from './sessionParts.ts';

/** To whoever traces: a stage of a session took so long, and was over just now. */
export function tellStage(
  name: 'speech_to_text' | 'text_to_speech',
  ms: number,
  { sessionId, correlationId }: Whose,
  within?: string,
): void {
  if (!isTraced()) return;
  const endMs = performance.timeOrigin + performance.now();
  const attributes = {
    'gen_ai.operation.name': name,
    'gen_ai.provider.name': 'hark',
    'gen_ai.conversation.id': sessionId,
  };
  tellPast({ name, kind: 'internal', correlationId, within, attributes }, endMs - ms, endMs);
}
