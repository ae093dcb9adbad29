import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import { defineTool, type ToolOperation } from '../operation.ts';

const DEFAULT_LISTEN_MS = 5_000;
const LONGEST_LISTEN_MS = 30_000;

const sessionId = z.string().optional().describe('In this voice session, instead of the newest one');

/** Speaking and listening. Nothing here can do either yet, and they say so. */
export const voiceTools: readonly ToolOperation[] = [
  defineTool({
    tool: {
      name: 'voice.speak',
      description: 'Says a text aloud to the user.',
      hints: {
        phrases:
          'out loud, aloud, read to me, speak, say that, voice, vorlesen, lies vor, à voix haute, en voz alta',
      },
      category: 'voice',
      annotations: { title: 'Speak', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    input: z.object({
      text: z.string().min(1).describe('What to say'),
      voice: z.string().optional().describe('By this voice'),
      sessionId,
    }),
    output: z.string(),
    run() {
      throw new HarkError('TTS_UNAVAILABLE');
    },
  }),
  defineTool({
    tool: {
      name: 'voice.listen',
      description: 'Listens to the user for a while and gives what was said as text.',
      hints: { phrases: 'listen, record, microphone, hear me, dictate, hör zu, écoute, escucha' },
      category: 'voice',
      annotations: { title: 'Listen', readOnlyHint: true, openWorldHint: false },
    },
    input: z.object({
      durationMs: z.int().positive().max(LONGEST_LISTEN_MS).default(DEFAULT_LISTEN_MS),
      sessionId,
    }),
    output: z.string(),
    run() {
      throw new HarkError('STT_UNAVAILABLE');
    },
  }),
];
