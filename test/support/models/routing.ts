import type { TestContext } from 'vitest';
import type { Asking } from '../../../src/application/models.ts';
import { Catalogs } from '../../../src/application/providers/catalogs.ts';
import { ModelRouter } from '../../../src/application/providers/modelRouter.ts';
import { SlotBook } from '../../../src/application/providers/slotBook.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { readConfig } from '../../../src/config.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { ModelRef } from '../../../src/events/providers.ts';
import { ProviderClients } from '../../../src/gateways/models/clients.ts';
import { Metrics } from '../../../src/metrics.ts';
import { projections } from '../../../src/projections/catalog.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { FallbackReason, Strategy } from '../../../src/vocabulary.ts';

const START = 1_700_000_000_000;

export const CLOUD: ModelRef = { provider: 'cloud-a', model: 'claude-haiku-4-5' };
export const BACKUP: ModelRef = { provider: 'cloud-b', model: 'gpt-5-mini' };
export const LOCAL: ModelRef = { provider: 'local-runner', model: 'llama3.2' };

/** A router over real gateways, a log in memory, and models that say what they are told to. */
export class Routing {
  readonly models: ScriptedModels;
  readonly store: Log;
  readonly runner: StoreCommandRunner;
  readonly views: ProjectionRuntime;
  readonly router: ModelRouter;
  readonly slots: SlotBook;
  readonly clients: ProviderClients;
  now = START;

  private constructor(models: ScriptedModels, store: Log, environment: Readonly<Record<string, string>>) {
    this.models = models;
    this.store = store;
    this.runner = new StoreCommandRunner({ store, clock: () => this.now, newId: () => 'unused' });
    this.views = new ProjectionRuntime(store, projections);
    const config = readConfig({
      ANTHROPIC_API_KEY: 'key-a',
      ANTHROPIC_BASE_URL: models.url('cloud-a'),
      OPENAI_API_KEY: 'key-b',
      OPENAI_BASE_URL: models.url('cloud-b'),
      OLLAMA_HOST: models.url('local-runner'),
      ...environment,
    });
    this.clients = new ProviderClients({
      config,
      storedKeys: async () => new Map(),
      gateways: async () => (await import('../../../src/gateways/models/createGateway.ts')).createGateway,
    });
    const shared = {
      context: { current: { runner: this.runner, views: this.views } },
      clients: this.clients,
      clock: () => this.now,
      instanceId: 'this-process',
    };
    const catalogs = new Catalogs({ ...shared, metrics: new Metrics(), ttlMs: () => 3_600_000 });
    const book = new SlotBook({ ...shared, catalogs, legacy: config });
    this.slots = book;
    this.router = new ModelRouter({
      ...shared,
      // Set by the test, and never by themselves.
      slots: {
        settle: async () => undefined,
        candidates: (name) => book.candidates(name),
        learnBackups: (name) => book.learnBackups(name),
      },
      onFailure: (what, error) => {
        throw new Error(`${what} was not recorded`, { cause: error });
      },
    });
  }

  static async start(
    test: Pick<TestContext, 'onTestFinished'>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Routing> {
    const models = await ScriptedModels.start();
    test.onTestFinished(() => models.stop());
    const routing = new Routing(models, await Log.open(new MemoryAdapter(), eventCatalog), environment);
    await routing.views.start();
    return routing;
  }

  async chain(strategy: Strategy, first: ModelRef, ...fallbacks: ModelRef[]): Promise<void> {
    const slots = { chat: { ...first, fallbacks } };
    await this.runner.run(changeSlots, { slots, strategy, catalogs: {} }, this.context);
  }

  /** What was said to the end, and by whom. */
  async ask(
    text: string,
    asking: Partial<Asking> = {},
  ): Promise<{ said: string; by: string; fallback: boolean; fallbackReason?: FallbackReason }> {
    const answer = { said: '', by: 'nobody', fallback: false };
    const signal = AbortSignal.timeout(20_000);
    const whole: Asking = { slot: 'chat', correlationId: 'test', signal, ...asking };
    const messages = [{ role: 'user', parts: [{ type: 'text', text }] }] as const;
    for await (const part of this.router.complete(whole, { messages })) {
      if (part.type === 'routed') {
        const { provider: by, fallback, fallbackReason } = part;
        Object.assign(answer, { by, fallback }, fallbackReason === undefined ? {} : { fallbackReason });
      }
      if (part.type === 'text') answer.said += part.text;
    }
    return answer;
  }

  /** The types of all events so far, but for the slots'. */
  async happened(): Promise<string[]> {
    const types: string[] = [];
    for await (const { events } of this.store.readAll({ after: 0 }))
      types.push(...events.map(({ type }) => type));
    return types.filter((type) => type !== 'provider.slots.changed');
  }

  get context() {
    return { userId: '', correlationId: 'test' };
  }
}
