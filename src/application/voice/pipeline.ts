/** One part of what carries a conversation by voice, as it is now. */
export interface VoicePart {
  /** `sherpa`, `flite`, `pocketsphinx`, `cloud-b`, `silero` … */
  readonly engine: string;
  /** By its id; null for an engine that has none to choose from. */
  readonly model: string | null;
  /** `ready` also before the engine was loaded: it would be when it is first used. */
  readonly status: 'ready' | 'loading' | 'failed';
  readonly note?: string | undefined;
}

/** Null for what is not there. */
export interface VoicePipeline {
  readonly stt: VoicePart | null;
  readonly tts: VoicePart | null;
  readonly vad: VoicePart | null;
  readonly wake: VoicePart | null;
}

/** Whether anything of it can be used: to know that somebody speaks, or that they call, is of no use by itself. */
export function isUsable({ stt, tts }: Pick<VoicePipeline, 'stt' | 'tts'>): boolean {
  return [stt, tts].some((part) => part !== null && part.status !== 'failed');
}
