import { z } from 'zod';
import type { VoiceRooms } from '../../application/voice/conversation.ts';
import type { SpeechIntoWords, WordsIntoSpeech } from '../../application/voice/speech.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { defineTool, type ToolOperation } from '../operation.ts';

const DEFAULT_LISTEN_MS = 5_000;
const LONGEST_LISTEN_MS = 30_000;
/** The last words of it may take their time. */
const LONGEST_RUN_MS = LONGEST_LISTEN_MS + 15_000;
const NO_SPEECH = '[no speech]';

const sessionId = lazily(() =>
  z.string().optional().describe('In this voice session, instead of the one active last'),
);

interface VoiceToolsOptions {
  readonly ears: Pick<SpeechIntoWords, 'isAvailable'>;
  readonly mouth: Pick<WordsIntoSpeech, 'isAvailable'>;
  /** Loads at the first call. */
  readonly rooms: () => Promise<Pick<VoiceRooms, 'speak' | 'listen'>>;
}

/** Speaking and listening in a voice session that is open. */
export function voiceTools({ ears, mouth, rooms }: VoiceToolsOptions): readonly ToolOperation[] {
  return [
    defineTool({
      device: 'voice',
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
      input: () =>
        z.object({
          text: z.string().min(1).max(10_000).describe('What to say'),
          voice: z.string().max(256).optional().describe('By this voice'),
          sessionId: sessionId(),
        }),
      output: () => z.string(),
      async run(asked, { userId }) {
        if (!(await mouth.isAvailable())) throw new HarkError('TTS_UNAVAILABLE');
        return `Speech is queued in voice session ${(await rooms()).speak(userId, asked)}`;
      },
    }),
    defineTool({
      device: 'voice',
      tool: {
        name: 'voice.listen',
        description: 'Listens to the user for a while and gives what was said as text.',
        hints: { phrases: 'listen, record, microphone, hear me, dictate, hör zu, écoute, escucha' },
        category: 'voice',
        annotations: { title: 'Listen', readOnlyHint: true, openWorldHint: false },
        timeoutMs: LONGEST_RUN_MS,
      },
      input: () =>
        z.object({
          durationMs: z.int().positive().max(LONGEST_LISTEN_MS).default(DEFAULT_LISTEN_MS),
          sessionId: sessionId(),
        }),
      output: () => z.string(),
      async run(asked, { userId, signal }) {
        if (!(await ears.isAvailable())) throw new HarkError('STT_UNAVAILABLE');
        return (await (await rooms()).listen(userId, { ...asked, signal })) || NO_SPEECH;
      },
    }),
  ];
}
