import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { setSetupStep } from '../../commands/system/setup.ts';
import { HarkError } from '../../errors.ts';
import { type SetupStep, setupSteps } from '../../events/system.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews, Views } from '../../projections/runtime.ts';
import { setup } from '../../projections/system/setup.ts';

export { setupSteps };
export const stepStates = ['open', 'done', 'skipped'] as const;
export type StepState = (typeof stepStates)[number];

export interface SetupStatus {
  readonly needed: boolean;
  readonly claimRequired: boolean;
  readonly steps: readonly { readonly id: SetupStep; readonly state: StepState }[];
}

interface SetupOptions {
  readonly hasKey: boolean;
  /** Whether a model would answer a message to the `chat` slot. */
  readonly canChat: () => Promise<boolean>;
  readonly kvstore: {
    readonly current: { readonly views: Views & UserViews } | undefined;
    connected(): { readonly runner: CommandRunner };
  };
}

/** How far the setup has come. Facts count more than what was said: a step that the facts show done is. */
export class Setup {
  readonly #options: SetupOptions;

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  async status(userId: string): Promise<SetupStatus> {
    const { hasKey, kvstore } = this.#options;
    const said = kvstore.current?.views.view(setup).said ?? {};
    const facts = await this.#facts(userId);
    const stateOf = (id: SetupStep): StepState => (facts[id] ? 'done' : (said[id] ?? 'open'));
    const steps = setupSteps.map((id) => ({ id, state: stateOf(id) }));
    const needed = steps.some(({ id, state }) => id === 'model' && state === 'open');
    return { needed, claimRequired: !hasKey, steps };
  }

  async set(step: SetupStep, state: StepState, context: CommandContext): Promise<SetupStatus> {
    if (state === 'done' && step !== 'reach' && !(await this.#facts(context.userId))[step])
      throw new HarkError('VALIDATION_FAILED', {
        body: { issues: [{ path: ['state'], message: MISSING[step] }] },
      });
    await this.#options.kvstore.connected().runner.run(setSetupStep, { step, state }, context);
    return this.status(context.userId);
  }

  async #facts(userId: string): Promise<Readonly<Record<SetupStep, boolean>>> {
    const [model, memory] = await Promise.all([this.#options.canChat(), this.#believesAnything(userId)]);
    return { model, memory, reach: this.#options.hasKey };
  }

  async #believesAnything(userId: string): Promise<boolean> {
    const views = this.#options.kvstore.current?.views;
    if (!views) return false;
    const { conclusions } = await views.of(remembered, userId);
    return Object.values(conclusions).some(({ status }) => status === 'active');
  }
}

const MISSING = {
  model: 'No model can answer for the chat slot yet: give it one, or skip this step',
  memory: 'Nothing is believed of this user yet: tell something first, or skip this step',
} as const;
