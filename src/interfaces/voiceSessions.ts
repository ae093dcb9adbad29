export interface VoiceSession {
  readonly id: string;
  readonly connectionId: string;
  readonly isActive: boolean;
  readonly isSpeaking: boolean;
  /** Unix milliseconds. */
  readonly lastActivity: number;
}

/** The voice sessions that are open, for whoever shows them. */
export interface VoiceSessions {
  of(userId: string): readonly VoiceSession[];
  /** Of all users. */
  activeCount(): number;
  /** When the last of all that have ended did. */
  lastEndedAt(): number | undefined;
}
