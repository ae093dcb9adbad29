import { cpus, loadavg } from 'node:os';
import { type Diagnosis, policies, ResourceGuard } from '../application/maintenance/resourceGuard.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import type { VoiceSessions } from '../interfaces/voiceSessions.ts';
import type { Metrics } from '../metrics.ts';
import type { Providers } from './providers.ts';

interface WiringOptions {
  readonly config: Config;
  readonly settings: Pick<RuntimeSettings, 'value'>;
  readonly providers: Pick<Providers, 'availability' | 'localRunner'>;
  readonly voiceSessions: VoiceSessions;
  readonly isChatting: () => boolean;
  readonly metrics: Pick<Metrics, 'backgroundWorkSafe' | 'guardDeferrals'>;
  readonly clock: Clock;
}

/** The wiring of who may ask models in the background. */
export class BackgroundWork {
  readonly guard: ResourceGuard;
  readonly #metrics: WiringOptions['metrics'];

  constructor(options: WiringOptions) {
    const { settings, providers, voiceSessions, isChatting, metrics, clock } = options;
    this.#metrics = metrics;
    this.guard = new ResourceGuard({
      readings: {
        policy: () => policies.find((policy) => policy === settings.value('backgroundWorkPolicy')) ?? 'auto',
        providersOf: (slots) => providers.availability.providersOf(slots),
        isRunnerRemote: () => !providers.localRunner.isHere,
        isChatting,
        activeVoiceSessions: () => voiceSessions.openCount(),
        lastVoiceEndedAt: () => voiceSessions.lastEndedAt(),
        load: () => ({ average: loadavg()[0] ?? 0, cpus: cpus().length }),
        // A runner that is not there has nothing loaded.
        keptUntil: () => providers.localRunner.keptUntil().catch(() => []),
        clock,
      },
      onAnswer: (answer) => {
        this.#show(answer);
        if (!answer.safe) metrics.guardDeferrals.inc({ reason: answer.reason });
      },
    });
  }

  /** How it is now, for who watches: it holds nobody up, and is no deferral. */
  async look(): Promise<Diagnosis> {
    const answer = await this.guard.diagnose(['maintenance']);
    this.#show(answer);
    return answer;
  }

  #show({ safe }: Diagnosis): void {
    this.#metrics.backgroundWorkSafe.set(safe ? 1 : 0);
  }
}
