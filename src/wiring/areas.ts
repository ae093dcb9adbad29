import type { SegmentIntake } from '../application/capture/intake.ts';
import { askAgent } from '../application/chat/askAgent.ts';
import { habitsOf } from '../application/timeHabits.ts';
import type { Grace } from '../application/timeout.ts';
import type { OpenVoiceSessions } from '../application/voice/openSessions.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ProviderClients } from '../gateways/models/clients.ts';
import type { NliModel } from '../gateways/nli/models.ts';
import type { SpeechModel } from '../gateways/speechModels/model.ts';
import type { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { OwnState } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import type { Ports } from '../interfaces/operations/system.ts';
import type { Client } from '../interfaces/rest/client.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import type { SetupTokens } from '../interfaces/setupTokens.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import type { AnySaga } from '../sagas/saga.ts';
import type { VoiceStatistics } from '../voiceStatistics.ts';
import type { Backbone } from './backbone.ts';
import { Benchmarks } from './benchmark.ts';
import { Capture } from './capture.ts';
import { Chat } from './chat.ts';
import { Contradictions } from './contradictions.ts';
import { wireDependencies } from './dependencies.ts';
import { Devices } from './devices.ts';
import { LateSagas } from './lateSagas.ts';
import { Maintenance } from './maintenance.ts';
import { Memory } from './memory.ts';
import { Notifications } from './notifications.ts';
import { Providers } from './providers.ts';
import { BackgroundWork } from './resourceGuard.ts';
import { Scheduler } from './scheduler.ts';
import { SettingUp } from './setup.ts';
import { Speech } from './speech.ts';
import { SpeechModels } from './speechModels.ts';
import { Telemetry } from './telemetry.ts';
import { wireToolServers } from './toolServers.ts';
import { Tools } from './tools.ts';
import type { Topics } from './topics.ts';
import { Voice } from './voice.ts';
import { Webhooks } from './webhooks.ts';
import { Workflows } from './workflows.ts';

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
}

/** The areas of the service, wired to what they share and to each other. */
export class Areas {
  readonly #base: Base;
  readonly tools: Tools;
  readonly voice: Voice;
  readonly background: BackgroundWork;
  readonly devices: Devices;
  readonly #providers: Providers;
  readonly #toolServers: ReturnType<typeof wireToolServers>;
  readonly #memory: Memory;
  readonly #contradictions: Contradictions;
  readonly #maintenance: Maintenance;
  readonly #chat: Chat;
  readonly #scheduler: Scheduler;
  readonly #workflows: Workflows;
  readonly #webhooks: Webhooks;
  readonly #notifications: Notifications;
  readonly #capture: Capture;
  readonly #settingUp: SettingUp;
  readonly #telemetry: Telemetry;
  readonly #speech: Speech;
  readonly #speechModels: SpeechModels;
  readonly #dependencies: ReturnType<typeof wireDependencies>;
  /** What is a matter of this process, with a store or without. */
  readonly #processSagas: LateSagas;

  constructor(base: Base) {
    this.#base = base;
    const { log } = base;
    const failedIn = (where: string) => ({
      onFailure: (what: string, error: unknown, correlationId?: string) =>
        log.warn({ what, correlationId, err: error }, `failed in ${where}`),
    });
    this.#providers = new Providers({ ...base, ...failedIn('a provider') });
    const { router: models, slots, intents } = this.#providers;
    const timeHabits = habitsOf(base.settings, () => base.kvstore.current?.views);
    this.devices = new Devices({ ...base, ...failedIn('a device') });
    this.tools = new Tools({
      ...base,
      habitsOf: timeHabits,
      models,
      slots,
      scopeOf: this.devices.scopeOf,
      ...failedIn('a tool'),
    });
    this.#toolServers = wireToolServers({
      ...base,
      registry: this.tools.registry,
      onFailure: (what, reason) => log.warn({ what, reason }, 'a tool server is not available'),
      onBadFile: (problem) => log.warn({ problem }, 'the tool servers are unchanged'),
    });
    const isChatting = () => !this.#chat.turns.isIdle;
    this.background = new BackgroundWork({ ...base, providers: this.#providers, isChatting });
    const { guard } = this.background;
    const countTokens = (text: string, userId: string) => this.tools.tokenizer.count([text], userId);
    this.#memory = new Memory({ ...base, models, slots, guard, countTokens, ...failedIn('memory') });
    const onNews = (message: string, facts: object) => log.info(facts, message);
    const benchmarks = new Benchmarks({ engineOf: (id) => this.#speech.engineOf(id) });
    const measure = (model: Parameters<Benchmarks['measure']>[0]) => benchmarks.measure(model);
    this.#speechModels = new SpeechModels({ ...base, onNews, measure });
    this.#contradictions = new Contradictions({
      ...base,
      downloads: this.#speechModels,
      models,
      slots,
      guard,
      embedder: this.#memory.embedder,
      onNews,
      ...failedIn('maintenance'),
    });
    const contradictions = this.#contradictions.finder;
    this.#maintenance = new Maintenance({
      ...base,
      contradictions,
      guard,
      isChatting,
      ...failedIn('maintenance'),
    });
    this.#chat = new Chat({
      ...base,
      router: models,
      intents,
      tools: this.tools,
      recall: (request) => this.#memory.recall(request),
      habitsOf: timeHabits,
      heed: (request) => this.#memory.heed(request),
      leaveVoice: (userId, sessionId) => this.voice.leaveOff(userId, sessionId),
      ...failedIn('a turn'),
    });
    this.#speech = new Speech({ ...base, models: this.#speechModels });
    this.voice = new Voice({
      ...base,
      speech: this.#speech,
      chat: this.#chat,
      ...failedIn('a voice session'),
    });
    this.#scheduler = new Scheduler({ ...base, habitsOf: timeHabits, ...failedIn('a scheduled task') });
    const { actors } = this.#scheduler;
    this.#workflows = new Workflows({
      ...base,
      agent: { ask: (question) => askAgent(this.#chat.turns, question) },
      models,
      tools: this.tools,
      actors,
      onFile: (file, problem) => tellOfFile(log, file, problem),
      ...failedIn('a workflow'),
    });
    this.#webhooks = new Webhooks({ ...base, ...failedIn('a webhook') });
    this.#notifications = new Notifications({ ...base, habitsOf: timeHabits, ...failedIn('a notification') });
    this.#telemetry = new Telemetry({
      ...base,
      lookAround: () => this.lookAround(),
      onFailure: (what, error) => log.warn({ what, err: error }, 'telemetry was not sent'),
    });
    this.#settingUp = new SettingUp({ ...base, providers: this.#providers });
    this.#dependencies = wireDependencies({
      ...base,
      speech: this.#speech,
      providers: this.#providers,
      contradictions: this.#contradictions,
      memory: this.#memory,
    });
    this.#capture = new Capture({
      ...base,
      models,
      ears: this.#speech.ears,
      guard,
      understanding: this.#memory.understanding,
      ...failedIn('a capture'),
    });
    for (const area of [this.#chat, this.#memory, this.#providers, this.#maintenance, this.#workflows])
      actors.register(...area.actors());
    const { clock, wake } = base;
    this.#processSagas = new LateSagas(async () => {
      const { ClockScheduler, ProcessSagas } = await import('../sagas/runtime.ts');
      const ofAreas = await Promise.all([this.#providers.processSagas(), this.#chat.processSagas()]);
      return new ProcessSagas({
        sagas: ofAreas.flat(),
        time: new ClockScheduler({ clock, wake }),
        ...failedIn('a saga'),
      });
    });
  }

  /** For the process that holds their leases. */
  async sagas(): Promise<readonly AnySaga[]> {
    const areas = [
      this.#providers,
      this.#chat,
      this.#memory,
      this.#maintenance,
      this.#scheduler,
      this.#workflows,
      this.#webhooks,
      this.#notifications,
      this.#capture,
      this.devices,
      this.voice,
      this.#telemetry,
    ];
    const sagas = await Promise.all(areas.map(async (area): Promise<readonly AnySaga[]> => area.sagas()));
    return sagas.flat();
  }

  operations(ports: Readonly<Ports>): readonly AnyOperation[] {
    const areas = [
      this.#providers,
      this.#toolServers,
      this.#chat,
      this.#memory,
      this.#maintenance,
      this.#scheduler,
      this.#workflows,
      this.#webhooks,
      this.#notifications,
      this.#capture,
      this.voice,
      this.#settingUp,
      this.#dependencies,
      this.#speechModels,
    ];
    const ofDevices = this.devices.operations(() => ports.health);
    return [...areas.flatMap((area) => area.operations()), ...ofDevices];
  }

  /** What is counted elsewhere, and measured when somebody looks, is among the metrics then. */
  async lookAround(): Promise<void> {
    await this.background.look();
    const { metrics, voiceStatistics, voiceSessions, kvstore, config } = this.#base;
    metrics.takeOver(voiceStatistics);
    metrics.voiceSessions.set(voiceSessions.activeCount());
    const store = kvstore.current?.store;
    // Where there is to be none, none is missed.
    const isNone = config.SERVICE_KVSTORE_URL === 'none';
    metrics.storeUp.set(isNone || (store && !store.isAway) ? 1 : 0);
    if (store) metrics.storePosition.set(store.delivered);
  }

  get intake(): SegmentIntake {
    return this.#capture.intake;
  }

  /** Loads where it is asked for. */
  async listenToWyoming(port: number, mayAsk: (client: Client) => Promise<boolean>) {
    const { listenToWyoming } = await import('./wyoming.ts');
    return listenToWyoming({ ...this.#base, speech: this.#speech, chat: this.#chat }, port, mayAsk);
  }

  /** See `SettingUp`. */
  setupAddress(port: number): Promise<string | undefined> {
    return this.#settingUp.address(port);
  }

  registerChecks(health: HealthRegistry): void {
    for (const area of [this.#providers, this.#memory, this.#contradictions, this.#maintenance, this.#speech])
      area.registerChecks(health);
    health.register('resource-guard', async () => (await this.background.look()).diagnosis);
  }

  /** Of these operations, and of what else there is, those that models and clients of MCP may call. */
  offerTools(operations: readonly AnyOperation[]): void {
    this.tools.offer(operations, [
      ...this.#workflows.tools(),
      ...this.#scheduler.tools(),
      ...this.#memory.tools(),
      ...this.voice.tools(),
    ]);
  }

  /** To be called before anything is asked. */
  async prepare(): Promise<void> {
    await this.#chat.start();
  }

  /** What goes on although nobody asks. */
  start(): void {
    const areas = [
      this.#providers,
      this.#toolServers,
      this.#maintenance,
      this.#contradictions,
      this.#workflows,
      this.#telemetry,
    ];
    for (const area of areas) area.start();
    this.#processSagas.start();
  }

  /** Begins nothing by itself any more. */
  async stopActing(grace: Grace): Promise<void> {
    this.#maintenance.stop();
    await Promise.all([this.#processSagas.stop(), this.#workflows.stop(grace)]);
  }

  async stopTurns(grace: Grace): Promise<void> {
    await this.voice.stop();
    await this.#chat.stop(grace);
  }

  /** To be called when no turn asks for anything any more. */
  async stop(): Promise<void> {
    await Promise.all([
      this.devices.stop(),
      this.#contradictions.stop(),
      this.#memory.stop(),
      this.#speech.stop(),
      this.#toolServers.stop(),
      this.tools.stop(),
      this.#speechModels.stop(),
      this.#telemetry.stop(),
    ]);
  }
}

function tellOfFile(log: Logger, file: string, problem: string | null): void {
  if (problem === null) log.info({ file }, 'workflow read');
  else log.warn({ file, problem }, 'a workflow file cannot be used; its previous definition stays in use');
}
