import type { OpenVoiceSessions } from '../application/voice/openSessions.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ProviderClients } from '../gateways/models/clients.ts';
import type { NliModel } from '../gateways/nli/models.ts';
import type { SpeechModel } from '../gateways/speechModels/model.ts';
import type { OwnState } from '../interfaces/kvstore.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import type { SetupTokens } from '../interfaces/setupTokens.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import type { VoiceStatistics } from '../voiceStatistics.ts';
import type { Backbone } from './backbone.ts';
import type { Topics } from './topics.ts';

/** What all areas share. */
export interface Base {
  readonly config: Config;
  readonly version: string;
  readonly log: Logger;
  readonly kvstore: Backbone;
  /** What of it stands in the process where there is to be no store. */
  readonly own: OwnState;
  readonly settings: RuntimeSettings;
  readonly clients: ProviderClients;
  readonly voiceSessions: OpenVoiceSessions;
  readonly voiceStatistics: VoiceStatistics;
  readonly topics: Topics;
  readonly nliModel: NliModel | undefined;
  readonly namedModels: readonly SpeechModel[];
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly setupTokens: SetupTokens;
  /** How long an answer is held up by a model that adds to it; each kind has its own where none is said. */
  readonly patienceMs: number | undefined;
}
