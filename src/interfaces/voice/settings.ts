import {
  DEFAULT_DETECTION,
  type TurnDetection,
  type VoiceOptions,
} from '../../application/voice/conversation.ts';
import { type AudioFormat, rateOf } from './audio/formats.ts';
import {
  OLDER_NAMES,
  type ResponseRequest,
  type SessionUpdate,
  type TurnDetectionUpdate,
} from './events/sessionShapes.ts';
import { WireError } from './events/wireError.ts';

/** Which of both paths a client came by. */
export type Wire = 'frames' | 'realtime';

type Transcription = NonNullable<SessionUpdate['input_audio_transcription']> | null;

/** What a client has set of its connection. */
interface Own {
  readonly input: AudioFormat;
  readonly output: AudioFormat;
  readonly transcription: Transcription;
  /** Where frames of stream 2 belong. */
  readonly captureStreamId: string | undefined;
}

/** What a client has set of its connection; what it has set of the conversation is kept there. */
export class ConnectionSettings {
  readonly wire: Wire;
  readonly #model: string;
  #own: Own;

  constructor(wire: Wire, model: string) {
    this.wire = wire;
    this.#model = model;
    const format = { type: 'audio/pcm', rate: wire === 'frames' ? 16_000 : 24_000 } as const;
    this.#own = { input: format, output: format, transcription: null, captureStreamId: undefined };
  }

  get own(): Own {
    return this.#own;
  }

  /** What a conversation begins with. */
  get initial(): VoiceOptions {
    return {
      detection: DEFAULT_DETECTION,
      modality: 'audio',
      tools: [],
      toolChoice: 'auto',
      speechRate: rateOf(this.#own.output),
    };
  }

  get wantsTranscripts(): boolean {
    return this.wire === 'frames' || this.#own.transcription !== null;
  }

  /** Nothing of it holds until `take` is called: the conversation may refuse its part. */
  changed(asked: SessionUpdate, given: Readonly<Record<string, unknown>>) {
    const isOlder = OLDER_NAMES.some((name) => given[name] !== undefined);
    if (!asked.type && this.wire === 'realtime' && !isOlder)
      throw new WireError('missing_required_parameter', 'session.type is missing', { param: 'session.type' });
    const { audio, capture } = asked;
    const input = this.#format(audio?.input?.format ?? asked.input_audio_format);
    const output = this.#format(audio?.output?.format ?? asked.output_audio_format);
    const transcription = firstGiven(audio?.input?.transcription, asked.input_audio_transcription);
    const detection = firstGiven(audio?.input?.turn_detection, asked.turn_detection);
    const voice = audio?.output?.voice ?? asked.voice;
    const speed = audio?.output?.speed ?? asked.speed;
    const language = transcription?.language;
    const options: Partial<VoiceOptions> = {
      ...asOptions(asked),
      ...(detection === undefined ? {} : { detection: detectionOf(detection) }),
      ...(output ? { speechRate: rateOf(output) } : {}),
      ...(voice ? { voice } : {}),
      ...(speed ? { speed } : {}),
      ...(language ? { language } : {}),
    };
    const own: Own = {
      input: input ?? this.#own.input,
      output: output ?? this.#own.output,
      transcription: transcription === undefined ? this.#own.transcription : transcription,
      captureStreamId: capture === undefined ? this.#own.captureStreamId : capture?.streamId,
    };
    return { options, own };
  }

  take(own: Own): void {
    this.#own = own;
  }

  /** The session as clients see it. */
  view(id: string, options: VoiceOptions): Record<string, unknown> {
    const { input, transcription, captureStreamId } = this.#own;
    return {
      type: 'realtime',
      object: 'realtime.session',
      id,
      model: this.#model,
      output_modalities: [options.modality],
      instructions: options.instructions ?? '',
      tools: options.tools.map((tool) => ({ type: 'function', ...tool })),
      tool_choice: options.toolChoice,
      max_output_tokens: options.mostOutputTokens ?? 'inf',
      tracing: null,
      truncation: 'auto',
      prompt: null,
      expires_at: 0,
      audio: {
        input: {
          format: input,
          transcription,
          noise_reduction: null,
          turn_detection: options.detection && shownDetection(options.detection),
        },
        output: { ...this.speech(options), speed: options.speed ?? 1 },
      },
      include: null,
      ...(captureStreamId === undefined ? {} : { capture: { streamId: captureStreamId } }),
    };
  }

  speech({ voice }: VoiceOptions) {
    return { format: this.#own.output, voice: voice ?? 'default' };
  }

  #format(format: AudioFormat | null | undefined): AudioFormat | undefined {
    if (!format) return undefined;
    const isPcm = format.type === 'audio/pcm';
    if (this.wire === 'frames' ? isPcm : !isPcm || format.rate === 24_000) return format;
    const message =
      this.wire === 'frames'
        ? 'Frames are audio/pcm, at 16000 or 24000'
        : 'The rate of audio/pcm is 24000; audio/pcmu and audio/pcma have 8000';
    throw new WireError('invalid_value', message, { param: 'session.audio' });
  }
}

/** Null is something that was given. */
function firstGiven<Value>(newer: Value | undefined, older: Value | undefined): Value | undefined {
  return newer === undefined ? older : newer;
}

/** What the session and a single response have in common. */
export function asOptions(asked: SessionUpdate | ResponseRequest) {
  const modality = asked.output_modalities ?? asked.modalities;
  const tokens = asked.max_output_tokens ?? asked.max_response_output_tokens;
  const { instructions, tools, tool_choice: choice } = asked;
  return {
    ...(typeof instructions === 'string' ? { instructions } : {}),
    ...(modality ? { modality } : {}),
    ...(tools ? { tools: tools.map(({ type: _, ...tool }) => tool) } : {}),
    ...(choice ? { toolChoice: typeof choice === 'string' ? choice : ('required' as const) } : {}),
    ...(tokens ? { mostOutputTokens: tokens === 'inf' ? undefined : tokens } : {}),
  };
}

function detectionOf(asked: TurnDetectionUpdate): TurnDetection | null {
  if (asked === null) return null;
  return {
    type: asked.type,
    threshold: asked.threshold,
    prefixPaddingMs: asked.prefix_padding_ms,
    silenceMs: asked.silence_duration_ms,
    eagerness: asked.type === 'semantic_vad' ? asked.eagerness : 'auto',
    createResponse: asked.create_response,
    interruptResponse: asked.interrupt_response,
    ...(typeof asked.interruption_ms === 'number' ? { interruptionMs: asked.interruption_ms } : {}),
  };
}

function shownDetection(detection: TurnDetection): Record<string, unknown> {
  const { type, threshold, prefixPaddingMs, silenceMs, eagerness, interruptionMs } = detection;
  return {
    type,
    ...(type === 'semantic_vad'
      ? { eagerness }
      : {
          threshold,
          prefix_padding_ms: prefixPaddingMs,
          silence_duration_ms: silenceMs,
          idle_timeout_ms: null,
        }),
    create_response: detection.createResponse,
    interrupt_response: detection.interruptResponse,
    ...(interruptionMs === undefined ? {} : { interruption_ms: interruptionMs }),
  };
}
