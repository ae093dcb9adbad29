import type { SegmentIntake } from '../application/capture/intake.ts';
import type { Grace } from '../application/timeout.ts';
import type { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import type { Ports } from '../interfaces/operations/system.ts';
import type { Client } from '../interfaces/rest/client.ts';
import type { AnySaga } from '../sagas/saga.ts';
import type { Base } from './base.ts';
import type { Devices } from './devices.ts';
import { LateSagas } from './lateSagas.ts';
import type { BackgroundWork } from './resourceGuard.ts';
import type { Tools } from './tools.ts';
import type { Voice } from './voice.ts';
import { lookAround, tellsFailures, type WiredAreas, wireAreas } from './wireAreas.ts';

/** The areas of the service, and what is done with all of them. */
export class Areas {
  readonly #base: Base;
  readonly #all: WiredAreas;
  /** What is a matter of this process, with a store or without. */
  readonly #processSagas: LateSagas;

  constructor(base: Base) {
    this.#base = base;
    this.#all = wireAreas(base);
    const { providers, chat } = this.#all;
    const { clock, wake } = base;
    this.#processSagas = new LateSagas(async () => {
      const { ClockScheduler, ProcessSagas } = await import('../sagas/runtime.ts');
      const ofAreas = await Promise.all([providers.processSagas(), chat.processSagas()]);
      return new ProcessSagas({
        sagas: ofAreas.flat(),
        time: new ClockScheduler({ clock, wake }),
        ...tellsFailures(base.log)('a saga'),
      });
    });
  }

  get tools(): Tools {
    return this.#all.tools;
  }
  get voice(): Voice {
    return this.#all.voice;
  }
  get background(): BackgroundWork {
    return this.#all.background;
  }
  get devices(): Devices {
    return this.#all.devices;
  }

  /** For the process that holds their leases. */
  async sagas(): Promise<readonly AnySaga[]> {
    const areas = [
      this.#all.providers,
      this.#all.chat,
      this.#all.memory,
      this.#all.maintenance,
      this.#all.scheduler,
      this.#all.workflows,
      this.#all.webhooks,
      this.#all.notifications,
      this.#all.capture,
      this.#all.devices,
      this.#all.voice,
      this.#all.telemetry,
    ];
    const sagas = await Promise.all(areas.map(async (area): Promise<readonly AnySaga[]> => area.sagas()));
    return sagas.flat();
  }

  operations(ports: Readonly<Ports>): readonly AnyOperation[] {
    const areas = [
      this.#all.providers,
      this.#all.toolServers,
      this.#all.chat,
      this.#all.memory,
      this.#all.maintenance,
      this.#all.scheduler,
      this.#all.workflows,
      this.#all.webhooks,
      this.#all.notifications,
      this.#all.capture,
      this.#all.voice,
      this.#all.settingUp,
      this.#all.dependencies,
      this.#all.speechModels,
    ];
    const ofDevices = this.#all.devices.operations(() => ports.health);
    return [...areas.flatMap((area) => area.operations()), ...ofDevices];
  }

  /** See `lookAround`. */
  lookAround(): Promise<void> {
    return lookAround(this.#base, this.background);
  }

  get intake(): SegmentIntake {
    return this.#all.capture.intake;
  }

  /** Loads where it is asked for. */
  async listenToWyoming(port: number, mayAsk: (client: Client) => Promise<boolean>) {
    const { listenToWyoming } = await import('./wyoming.ts');
    return listenToWyoming({ ...this.#base, speech: this.#all.speech, chat: this.#all.chat }, port, mayAsk);
  }

  /** See `SettingUp`. */
  setupAddress(port: number): Promise<string | undefined> {
    return this.#all.settingUp.address(port);
  }

  registerChecks(health: HealthRegistry): void {
    for (const area of [
      this.#all.providers,
      this.#all.memory,
      this.#all.contradictions,
      this.#all.maintenance,
      this.#all.speech,
    ])
      area.registerChecks(health);
    health.register('resource-guard', async () => (await this.#all.background.look()).diagnosis);
  }

  /** Of these operations, and of what else there is, those that models and clients of MCP may call. */
  offerTools(operations: readonly AnyOperation[]): void {
    this.#all.tools.offer(operations, [
      ...this.#all.workflows.tools(),
      ...this.#all.scheduler.tools(),
      ...this.#all.memory.tools(),
      ...this.#all.voice.tools(),
    ]);
  }

  /** To be called before anything is asked. */
  async prepare(): Promise<void> {
    await this.#all.chat.start();
  }

  /** What goes on although nobody asks. */
  start(): void {
    const areas = [
      this.#all.providers,
      this.#all.toolServers,
      this.#all.maintenance,
      this.#all.contradictions,
      this.#all.workflows,
      this.#all.telemetry,
    ];
    for (const area of areas) area.start();
    void this.#all.tools.start();
    this.#processSagas.start();
  }

  /** Begins nothing by itself any more. */
  async stopActing(grace: Grace): Promise<void> {
    this.#all.maintenance.stop();
    await Promise.all([this.#processSagas.stop(), this.#all.workflows.stop(grace)]);
  }

  async stopTurns(grace: Grace): Promise<void> {
    await this.#all.voice.stop();
    await this.#all.chat.stop(grace);
  }

  /** To be called when no turn asks for anything any more. */
  async stop(): Promise<void> {
    await Promise.all([
      this.#all.devices.stop(),
      this.#all.contradictions.stop(),
      this.#all.memory.stop(),
      this.#all.speech.stop(),
      this.#all.toolServers.stop(),
      this.#all.tools.stop(),
      this.#all.speechModels.stop(),
      this.#all.telemetry.stop(),
    ]);
  }
}
