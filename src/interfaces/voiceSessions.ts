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
  /** Those of all users that somebody is connected to. */
  activeCount(): number;
  /** Those of all users, one whose connection is lost among them until it is given up. */
  openCount(): number;
  /** When the last of all that have ended did. */
  lastEndedAt(): number | undefined;
}
