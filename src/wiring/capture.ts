import { join } from 'node:path';
import { changeConsent } from '../application/capture/consent.ts';
import { describePictures } from '../application/capture/describing.ts';
import { SegmentIntake } from '../application/capture/intake.ts';
import type { IntoWords, MakeSense, WordEngines } from '../application/capture/ports.ts';
import { hearRecordings } from '../application/capture/recordings.ts';
import type { BackgroundGuard, Understand } from '../application/memory/ports.ts';
import type { Models } from '../application/models.ts';
import type { SpeechIntoWords } from '../application/voice/speech.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { captureStream } from '../events/capture.ts';
import { capturesState } from '../folds/capture/captures.ts';
import type { Captures } from '../folds/capture/state.ts';
import { MediaFolder } from '../gateways/capture/mediaFolder.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { captureOperations } from '../interfaces/operations/capture.ts';
import { capturing } from '../projections/capture/capturing.ts';
import type { AnySaga } from '../sagas/saga.ts';
import type { SlotName } from '../vocabulary.ts';
import { secretBoxOf } from './credentials.ts';

/** How words are made sense of: with the models of these slots, and with none. */
export interface CaptureUnderstanding {
  readonly understand: Understand;
  readonly offline: Understand;
  readonly slots: () => readonly SlotName[];
  readonly retentionMs: () => number;
}

interface CaptureOptions {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly models: Models;
  readonly ears: SpeechIntoWords;
  readonly understanding: CaptureUnderstanding;
  readonly guard: BackgroundGuard;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about what is recorded around a user. */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #files: MediaFolder;
  readonly #engines: WordEngines;
  readonly intake: SegmentIntake;

  constructor(options: CaptureOptions) {
    const { config, kvstore, models, understanding, clock } = options;
    this.#options = options;
    this.#files = new MediaFolder({
      folder: join(config.SERVICE_DATA_DIR, 'capture'),
      box: secretBoxOf(config),
    });
    this.#engines = { audio: this.#hearing(), video: describePictures(models) };
    this.intake = new SegmentIntake({
      context: () => kvstore.connected(),
      files: this.#files,
      engines: this.#engines,
      clock,
      retentionMs: understanding.retentionMs,
    });
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const { keepCaptures } = await import('../sagas/capture/keepCaptures.ts');
    const { hearCaptures } = await import('../sagas/capture/hearCaptures.ts');
    const { followForgetting, stopGoneDevices, sweepFiles } = await import(
      '../sagas/capture/followForgetting.ts'
    );
    const { kvstore, understanding, clock, onFailure } = this.#options;
    const { offline, retentionMs } = understanding;
    const files = this.#files;
    const context = () => {
      const { store, runner, views } = kvstore.connected();
      return { store, runner, views, capturing: () => views.view(capturing) };
    };
    const liveOf = async (userId: string) => {
      const { runner } = kvstore.connected();
      const { media } = await runner.read<Captures>(capturesState, captureStream(userId), userId);
      return (segmentId: string) => Object.hasOwn(media, segmentId);
    };
    const capturingNow = () => context().capturing();
    return [
      keepCaptures({ context, makeSense: this.#makeSense, files, clock, retentionMs }),
      hearCaptures({ context, engines: this.#engines, files, clock, onFailure }),
      followForgetting({ context, makeSense: offline, files }),
      stopGoneDevices(context),
      sweepFiles({ files, capturing: capturingNow, liveOf }),
    ];
  }

  operations(): readonly AnyOperation[] {
    const { kvstore, clock } = this.#options;
    return captureOperations(kvstore, {
      clock,
      intake: this.intake,
      changeConsent: (wanted, { userId, correlationId, commandId }) =>
        changeConsent({ runner: kvstore.connected().runner, files: this.#files }, wanted, {
          userId,
          correlationId,
          ...(commandId === undefined ? {} : { commandId }),
        }),
      forget: async (caller, forgetId, since) => {
        const { forgetCaptures } = await import('../application/capture/forgetting.ts');
        const { store, runner, views } = kvstore.connected();
        const parts = {
          ...{ store, runner, views },
          files: this.#files,
          makeSense: this.#options.understanding.offline,
        };
        const { userId, correlationId, signal } = caller;
        return forgetCaptures(parts, { userId, correlationId, signal, forgetId, since });
      },
    });
  }

  #hearing(): IntoWords {
    return hearRecordings({
      ears: this.#options.ears,
      parts: async (...asked) => (await import('../gateways/speech/recordings.ts')).recordingParts(...asked),
    });
  }

  /** With models where they may be asked at the moment: nobody waits for what was captured. */
  readonly #makeSense: MakeSense = async (words, asking) => {
    const { guard, understanding } = this.#options;
    const { safe } = await guard.mayWork(understanding.slots());
    return (safe ? understanding.understand : understanding.offline)(words, asking);
  };
}
