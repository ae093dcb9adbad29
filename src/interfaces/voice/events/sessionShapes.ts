import { z } from 'zod';
import { id } from '../../operation.ts';

/* What `session.update` and `response.create` may say, with the older names where those mean the same. */

const MOST_INSTRUCTIONS = 100_000;
const MOST_TOOLS = 128;
const LONGEST_MS = 60_000;

const pcm = z.object({ type: z.literal('audio/pcm'), rate: z.literal([16_000, 24_000]).default(24_000) });
const telephone = z.object({ type: z.enum(['audio/pcmu', 'audio/pcma']) });

const OLDER = {
  pcm16: { type: 'audio/pcm', rate: 24_000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
} as const;

const formatShape = z.union([
  z.discriminatedUnion('type', [pcm, telephone]),
  z.enum(['pcm16', 'g711_ulaw', 'g711_alaw']).transform((name) => OLDER[name]),
]);

const duration = z.int().nonnegative().max(LONGEST_MS);

const whatItDoes = {
  create_response: z.boolean().default(true),
  interrupt_response: z.boolean().default(true),
  interruption_ms: duration.nullish(),
};

const serverVad = z.object({
  type: z.literal('server_vad'),
  threshold: z.number().min(0).max(1).default(0.5),
  prefix_padding_ms: duration.default(300),
  silence_duration_ms: duration.default(500),
  ...whatItDoes,
});

const semanticVad = z.object({
  type: z.literal('semantic_vad'),
  eagerness: z.enum(['low', 'medium', 'high', 'auto']).default('auto'),
  threshold: z.number().min(0).max(1).default(0.5),
  prefix_padding_ms: duration.default(300),
  silence_duration_ms: duration.default(500),
  ...whatItDoes,
});

const turnDetectionShape = z.discriminatedUnion('type', [serverVad, semanticVad]).nullable();

const transcriptionShape = z
  .object({
    model: z.string().max(200).nullish(),
    language: z.string().max(35).nullish(),
    prompt: z.string().max(MOST_INSTRUCTIONS).nullish(),
  })
  .nullable();

const voiceShape = z.union([
  z.string().min(1).max(200),
  z.object({ id: z.string().min(1).max(200) }).transform(({ id }) => id),
]);

const toolShape = z.object({
  type: z.literal('function'),
  name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
  description: z.string().max(MOST_INSTRUCTIONS).default(''),
  parameters: z.record(z.string(), z.unknown()).default({ type: 'object', properties: {} }),
});

const toolChoiceShape = z.union([
  z.enum(['auto', 'none', 'required']),
  z.object({ type: z.literal('function'), name: z.string().max(64) }),
]);

/** Text beside audio is what the words of speech are: asked for together they are speech. */
const modalitiesShape = z
  .array(z.enum(['audio', 'text']))
  .min(1)
  .max(2)
  .transform((all) => (all.includes('audio') ? ('audio' as const) : ('text' as const)));

const outputTokens = z.union([z.int().min(1).max(128_000), z.literal('inf')]);

const asked = {
  instructions: z.string().max(MOST_INSTRUCTIONS).nullish(),
  output_modalities: modalitiesShape.nullish(),
  modalities: modalitiesShape.nullish(),
  tools: z.array(toolShape).max(MOST_TOOLS).nullish(),
  tool_choice: toolChoiceShape.nullish(),
  max_output_tokens: outputTokens.nullish(),
  max_response_output_tokens: outputTokens.nullish(),
  voice: voiceShape.nullish(),
};

export const sessionShape = z.object({
  type: z.literal('realtime').nullish(),
  model: z.string().max(200).nullish(),
  ...asked,
  audio: z
    .object({
      input: z
        .object({
          format: formatShape.nullish(),
          transcription: transcriptionShape.exactOptional(),
          turn_detection: turnDetectionShape.exactOptional(),
        })
        .nullish(),
      output: z
        .object({
          format: formatShape.nullish(),
          voice: voiceShape.nullish(),
          speed: z.number().min(0.25).max(4).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  input_audio_format: formatShape.nullish(),
  output_audio_format: formatShape.nullish(),
  input_audio_transcription: transcriptionShape.exactOptional(),
  turn_detection: turnDetectionShape.exactOptional(),
  speed: z.number().min(0.25).max(4).nullish(),
  capture: z.object({ streamId: id() }).nullable().exactOptional(),
});

export type SessionUpdate = z.output<typeof sessionShape>;
export type TurnDetectionUpdate = z.output<typeof turnDetectionShape>;

/** Of the older shape: it had no type. */
export const OLDER_NAMES = [
  'modalities',
  'input_audio_format',
  'output_audio_format',
  'input_audio_transcription',
  'turn_detection',
  'max_response_output_tokens',
  'voice',
] as const;

const metadata = z.record(z.string().max(64), z.string().max(512)).nullable();

export const responseShape = z.object({
  ...asked,
  input: z.null('is what is in the conversation of the session').nullish(),
  conversation: z.literal('auto', 'is answered in the conversation of the session alone').nullish(),
  audio: z.object({ output: z.object({ voice: voiceShape.nullish() }).nullish() }).nullish(),
  metadata: metadata.exactOptional(),
});

export type ResponseRequest = z.output<typeof responseShape>;
