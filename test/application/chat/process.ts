import { messagesOf } from '../../../src/application/chat/messages.ts';
import type { TurnRequest } from '../../../src/application/chat/request.ts';
import type { ChatContext } from '../../../src/application/chat/sessions.ts';
import type { CallerContext, ToolCallOutcome, TurnTools } from '../../../src/application/chat/tool.ts';
import { type TurnHandle, Turns, type TurnsOptions } from '../../../src/application/chat/turns.ts';
import type { Routed } from '../../../src/application/models.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { CompletionPart, CompletionRequest } from '../../../src/gateways/models/gateway.ts';
import { openSessions } from '../../../src/projections/chat/openSessions.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import type { Hold } from '../../support/sharedStore.ts';

type Asked = Omit<CompletionRequest, 'model'>;
/** What a model says to what it is asked, and when: it hears when nobody listens any more. */
export type Speech = (asked: Asked, signal: AbortSignal) => AsyncIterable<CompletionPart>;
type ToolRun = (name: string, signal: AbortSignal, context: CallerContext) => Promise<ToolCallOutcome>;

interface ProcessOptions {
  readonly speech: Speech;
  readonly runTool?: ToolRun;
  readonly mostSteps?: number;
  readonly mostUnsaved?: number;
  readonly now?: () => number;
}

export const finish: CompletionPart = {
  type: 'finish',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
};

export function text(said: string): CompletionPart {
  return { type: 'text', text: said };
}

export function call(id: string, name = 'clock.read'): CompletionPart {
  return { type: 'tool-call', call: { id, name, input: {} } };
}

/** One process with turns at work, on a log that others may share. Models and tools do what a test says. */
export class ChatProcess {
  readonly turns: Turns;
  readonly context: ChatContext;
  readonly failures: unknown[];
  /** With whose rights each turn was prepared: a device's, or the user's. */
  readonly rights: readonly (string | undefined)[];
  static #made = 0;

  private constructor(
    turns: Turns,
    context: ChatContext,
    { failures, rights }: Pick<ChatProcess, 'failures' | 'rights'>,
  ) {
    this.turns = turns;
    this.context = context;
    this.failures = failures;
    this.rights = rights;
  }

  static async start(hold: Pick<Hold, 'adapter'>, options: ProcessOptions): Promise<ChatProcess> {
    const { now = () => 1, mostSteps = 5, mostUnsaved } = options;
    const store = await Log.open(hold.adapter, eventCatalog);
    const newId = () => `turn-${++ChatProcess.#made}`;
    const runner = new StoreCommandRunner({ store, clock: now, newId });
    const views = new ProjectionRuntime(store, [openSessions]);
    await views.start();
    const context = { store, runner, views, instanceId: `process-${++ChatProcess.#made}` };
    const failures: unknown[] = [];
    const rights: (string | undefined)[] = [];
    const briefing = briefingOf(options.runTool);
    const turns = new Turns({
      context: () => context,
      router: { complete: (asking, asked) => answer(options.speech(asked, asking.signal)) },
      briefing: (request) => {
        rights.push(request.deviceId);
        return briefing(request);
      },
      clock: now,
      newId,
      mostSteps: () => mostSteps,
      onFailure: (_what, error) => failures.push(error),
      ...(mostUnsaved === undefined ? {} : { mostUnsaved }),
    });
    return new ChatProcess(turns, context, { failures, rights });
  }

  say(text: string, request: Partial<TurnRequest> = {}): Promise<TurnHandle> {
    const whose = { userId: 'ann', correlationId: 'cause', platform: 'web', origin: 'user' } as const;
    return this.turns.begin({ ...whose, images: [], sessionId: null, text, ...request });
  }
}

/** The earlier turns and all tools, and no more. */
function briefingOf(runTool: ToolRun | undefined): TurnsOptions['briefing'] {
  const tools: TurnTools = {
    shown: [],
    tokens: 0,
    run: async ({ name }, context, signal) =>
      runTool ? runTool(name, signal, context) : { result: `of ${name}`, failed: false, durationMs: 1 },
  };
  return async ({ exchanges, given }) => ({
    slot: 'chat',
    intent: null,
    system: 'You are tested.',
    history: exchanges.flatMap(messagesOf),
    tools,
    ...(given ? { given } : {}),
  });
}

async function* answer(parts: AsyncIterable<CompletionPart>): AsyncGenerator<Routed | CompletionPart> {
  yield { type: 'routed', slot: 'chat', provider: 'cloud-a', model: 'model-a', fallback: false };
  yield* parts;
}
