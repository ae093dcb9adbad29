import { z } from 'zod';
import { isUsable, type VoicePipeline } from '../../application/voice/pipeline.ts';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { VoiceStage, VoiceStatistics } from '../../voiceStatistics.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';
import type { VoiceSessions } from '../voiceSessions.ts';

const area = 'voice';
const nothing = lazily(() => z.object({}));

const session = lazily(() =>
  z.object({
    id: z.string(),
    connectionId: z.string(),
    isActive: z.boolean().describe('A connection is there'),
    isSpeaking: z.boolean().describe('Speech is being played'),
    lastActivity: z.int().describe('Unix ms'),
  }),
);

const part = lazily(() =>
  z
    .object({
      engine: z.string(),
      model: z.string().nullable(),
      status: z.enum(['ready', 'loading', 'failed']),
      note: z.string().optional(),
    })
    .nullable(),
);

const status = lazily(() =>
  z.union([
    z.object({
      available: z.literal(true),
      pipeline: z.object({ stt: part(), tts: part(), vad: part(), wake: part() }),
      activeSessions: z.int(),
    }),
    z.object({ available: z.literal(false) }),
  ]),
);

const figures = lazily(() => z.object({ p50: z.number(), p95: z.number(), p99: z.number(), count: z.int() }));

const stats = lazily(() =>
  z.object({
    stt: figures().describe('As `latency.recognition`'),
    tts: figures().describe('As `latency.synthesis`'),
    latency: z.object({
      endOfSpeechToFirstAudio: figures().describe('Last sample of speech to the first audible sample sent'),
      endOfTurn: figures().describe(
        'Last sample of speech to the turn being taken, the configured silence included',
      ),
      recognition: figures().describe('The turn being taken to its words'),
      firstText: figures().describe('The words to the first text of the reply'),
      firstSentence: figures().describe('The first text of the reply to its first sentence'),
      synthesis: figures().describe('A sentence to its first samples'),
      bargeIn: figures().describe('Onset of speech to the last frame of the reply at full level'),
      bargeInEnd: figures().describe('Onset of speech to the last frame of the reply'),
    } satisfies Record<VoiceStage, z.ZodType>),
    audioChunksIn: z.int(),
    audioChunksOut: z.int(),
    gaps: z.int().describe('Places where something of a microphone was missing'),
    requestsPerMinute: z.int().describe('Utterances that were answered'),
    activeSessions: z.int(),
    timestamp: z.int(),
  }),
);

interface VoiceDependencies {
  readonly sessions: VoiceSessions;
  readonly pipeline: () => Promise<VoicePipeline>;
  readonly statistics: VoiceStatistics;
  readonly clock: Clock;
}

export function voiceOperations({
  sessions,
  pipeline,
  statistics,
  clock,
}: VoiceDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'voice.sessions',
      area,
      device: 'always',
      summary: "The user's open voice sessions",
      rest: { method: 'GET', path: '/api/sessions' },
      input: nothing,
      output: () => z.object({ sessions: z.array(session()).readonly(), count: z.int() }),
      errors: ['VOICE_UNAVAILABLE'],
      example: { input: {} },
      async run(_input, { userId }) {
        if (!isUsable(await pipeline())) throw new HarkError('VOICE_UNAVAILABLE');
        const own = sessions.of(userId);
        return { sessions: own, count: own.length };
      },
    }),
    defineOperation({
      name: 'voice.status',
      area,
      device: 'voice',
      summary: 'What hears and speaks, and how it is',
      rest: { method: 'GET', path: '/api/voice/status' },
      input: nothing,
      output: status,
      errors: [],
      example: { input: {} },
      async run() {
        const parts = await pipeline();
        if (!isUsable(parts)) return { available: false as const };
        return { available: true as const, pipeline: parts, activeSessions: sessions.activeCount() };
      },
    }),
    defineOperation({
      name: 'voice.stats',
      area,
      device: 'never',
      summary:
        'How long the stages of voice take (ms), and what came and went, since the start of this process',
      description:
        'Quantiles are of the newest 1,024 of each stage, of all users together; zeros before the first.',
      rest: { method: 'GET', path: '/api/voice/stats' },
      input: nothing,
      output: stats,
      errors: [],
      example: { input: {} },
      run() {
        const shown = statistics.figures();
        const { recognition: stt, synthesis: tts } = shown.latency;
        return { stt, tts, ...shown, activeSessions: sessions.activeCount(), timestamp: clock() };
      },
    }),
  ];
}
