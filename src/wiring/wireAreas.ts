import { askAgent } from '../application/chat/askAgent.ts';
import { allHeed } from '../application/chat/briefing.ts';
import { habitsOf } from '../application/timeHabits.ts';
import type { Logger } from '../logger.ts';
import type { Base } from './base.ts';
import { Benchmarks } from './benchmark.ts';
import { Capture } from './capture.ts';
import { Chat } from './chat.ts';
import { Contradictions } from './contradictions.ts';
import { wireDependencies } from './dependencies.ts';
import { Devices } from './devices.ts';
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
import { Voice } from './voice.ts';
import { Webhooks } from './webhooks.ts';
import { Workflows } from './workflows.ts';

export type WiredAreas = ReturnType<typeof wireAreas>;

/** Each area of the service, wired to what all share and to those that it needs. */
export function wireAreas(base: Base) {
  const { log } = base;
  const failedIn = tellsFailures(log);
  const onNews = (message: string, facts: object) => log.info(facts, message);
  const timeHabits = habitsOf(base.settings, () => base.kvstore.current?.views);

  const providers = new Providers({ ...base, ...failedIn('a provider') });
  const { router: models, slots, intents } = providers;
  const devices = new Devices({ ...base, ...failedIn('a device') });
  const tools = new Tools({
    ...base,
    habitsOf: timeHabits,
    models,
    slots,
    scopeOf: devices.scopeOf,
    ...failedIn('a tool'),
  });
  const toolServers = wireToolServers({
    ...base,
    registry: tools.registry,
    onFailure: (what, reason) => log.warn({ what, reason }, 'a tool server is not available'),
    onBadFile: (problem) => log.warn({ problem }, 'the tool servers are unchanged'),
  });
  const isChatting = () => !chat.turns.isIdle;
  const background = new BackgroundWork({ ...base, providers, isChatting });
  const { guard } = background;
  const countTokens = (text: string, userId: string) => tools.tokenizer.count([text], userId);
  const memory = new Memory({ ...base, models, slots, guard, countTokens, ...failedIn('memory') });
  const benchmarks = new Benchmarks({ engineOf: (id) => speech.engineOf(id) });
  const measure = (model: Parameters<Benchmarks['measure']>[0]) => benchmarks.measure(model);
  const speechModels = new SpeechModels({ ...base, onNews, measure, ...failedIn('models') });
  const contradictions = new Contradictions({
    ...base,
    downloads: speechModels,
    models,
    slots,
    guard,
    embedder: memory.embedder,
    onNews,
    ...failedIn('maintenance'),
  });
  const maintenance = new Maintenance({
    ...base,
    contradictions: contradictions.finder,
    guard,
    isChatting,
    ...failedIn('maintenance'),
  });
  const chat: Chat = new Chat({
    ...base,
    router: models,
    intents,
    tools,
    recall: (request) => memory.recall(request),
    habitsOf: timeHabits,
    heed: allHeed([(request) => memory.heed(request), (request) => scheduler.heed(request)]),
    leaveVoice: (userId, sessionId) => voice.leaveOff(userId, sessionId),
    ...failedIn('a turn'),
  });
  const speech = new Speech({ ...base, models: speechModels });
  const voice: Voice = new Voice({ ...base, speech, chat, ...failedIn('a voice session') });
  const scheduler: Scheduler = new Scheduler({
    ...base,
    habitsOf: timeHabits,
    ...failedIn('a scheduled task'),
  });
  const { actors } = scheduler;
  const workflows = new Workflows({
    ...base,
    agent: { ask: (question) => askAgent(chat.turns, question) },
    models,
    tools,
    actors,
    onFile: (file, problem) => tellOfFile(log, file, problem),
    ...failedIn('a workflow'),
  });
  const webhooks = new Webhooks({ ...base, ...failedIn('a webhook') });
  const notifications = new Notifications({
    ...base,
    habitsOf: timeHabits,
    ...failedIn('a notification'),
  });
  const telemetry = new Telemetry({
    ...base,
    lookAround: () => lookAround(base, background),
    onFailure: (what, error) => log.warn({ what, err: error }, 'telemetry was not sent'),
  });
  const settingUp = new SettingUp({ ...base, providers });
  const dependencies = wireDependencies({ ...base, speech, providers, contradictions, memory });
  const capture = new Capture({
    ...base,
    models,
    ears: speech.ears,
    guard,
    understanding: memory.understanding,
    ...failedIn('a capture'),
  });
  for (const area of [chat, memory, providers, maintenance, workflows]) actors.register(...area.actors());
  return {
    ...{
      providers,
      devices,
      tools,
      toolServers,
      background,
      memory,
      speechModels,
      contradictions,
      maintenance,
    },
    ...{
      chat,
      speech,
      voice,
      scheduler,
      workflows,
      webhooks,
      notifications,
      telemetry,
      settingUp,
      dependencies,
    },
    capture,
  };
}

/** Whoever is given this tells of its failures in the log, and where they were. */
export function tellsFailures(log: Logger) {
  return (where: string) => ({
    onFailure: (what: string, error: unknown, correlationId?: string) =>
      log.warn({ what, correlationId, err: error }, `failed in ${where}`),
  });
}

/** What is counted elsewhere, and measured when somebody looks, is among the metrics then. */
export async function lookAround(base: Base, background: BackgroundWork): Promise<void> {
  await background.look();
  const { metrics, voiceStatistics, voiceSessions, kvstore, config } = base;
  metrics.takeOver(voiceStatistics);
  metrics.voiceSessions.set(voiceSessions.activeCount());
  const store = kvstore.current?.store;
  // Where there is to be none, none is missed.
  const isNone = config.SERVICE_KVSTORE_URL === 'none';
  metrics.storeUp.set(isNone || (store && !store.isAway) ? 1 : 0);
  if (store) metrics.storePosition.set(store.delivered);
}

function tellOfFile(log: Logger, file: string, problem: string | null): void {
  if (problem === null) log.info({ file }, 'workflow read');
  else log.warn({ file, problem }, 'a workflow file cannot be used; its previous definition stays in use');
}
