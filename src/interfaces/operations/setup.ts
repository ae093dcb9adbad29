import { z } from 'zod';
import { type Setup, setupSteps, stepStates } from '../../application/system/setup.ts';
import type { Config } from '../../config.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { providerIds } from '../../vocabulary.ts';
import { type AnyOperation, type Caller, defineOperation, id } from '../operation.ts';
import { providerAmong, providerLabel } from '../providerNaming.ts';
import { refuseFromElsewhere, requireClaim, type SetupTokens } from '../setupTokens.ts';
import { apiKey } from './credentials/changes.ts';

const area = 'setup';
const CLAIM = { 'X-Setup-Token': 'The token of /api/setup-token, while no API key is configured' } as const;

const status = lazily(() =>
  z.object({
    needed: z.boolean().describe('While the step `model` is open'),
    claimRequired: z.boolean().describe('While no API key is configured: changes need X-Setup-Token'),
    steps: z.array(z.object({ id: z.enum(setupSteps), state: z.enum(stepStates) })).readonly(),
  }),
);

const trial = lazily(() =>
  z.object({
    ok: z.boolean(),
    provider: z.enum(providerIds),
    label: providerLabel(),
    model: z.string().optional().describe('The model that was asked'),
    answer: z.string().optional().describe('What it said'),
    ms: z.int().optional().describe('How long it took'),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }).optional(),
    pricing: z
      .object({ inputPer1M: z.number(), outputPer1M: z.number() })
      .nullable()
      .optional()
      .describe('USD for a million tokens; null where the catalog names no price'),
    costUsd: z.number().nullable().optional().describe('Of this one answer; null where no price is known'),
    error: z.string().optional().describe('Why there is no answer, and what to do'),
  }),
);

type TrialResult = Omit<z.output<ReturnType<typeof trial>>, 'label' | 'provider'>;

/** A model that is to be tried, and with which key, if not with the one that counts. */
export interface TrialWish {
  readonly provider: (typeof providerIds)[number];
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
}

interface SetupDependencies {
  readonly config: Config;
  readonly setup: Setup;
  readonly setupTokens: SetupTokens;
  readonly tryModel: (wish: TrialWish, signal: AbortSignal) => Promise<TrialResult>;
  readonly labelOf: (provider: TrialWish['provider']) => string;
}

export function setupOperations(dependencies: SetupDependencies): readonly AnyOperation[] {
  const { setup } = dependencies;
  const admit = (caller: Caller) => requireClaim(dependencies, caller);
  return [
    defineOperation({
      name: 'setup.status',
      area,
      device: 'never',
      summary: 'How far the setup has come',
      description:
        '`model` is done once the `chat` slot can answer, `memory` once something is believed of the user, `reach` once ' +
        'an API key is set or somebody said so. Facts count more than what was said of a step.',
      rest: { method: 'GET', path: '/api/setup/status' },
      input: () => z.object({}),
      output: status,
      errors: [],
      example: { input: {} },
      run: (_input, { userId }) => setup.status(userId),
    }),
    defineOperation({
      name: 'setup.setStep',
      area,
      device: 'never',
      summary: 'Says that a step of the setup is done or skipped, or opens it again',
      description:
        'With the API key or, while none is configured, with `X-Setup-Token`. `done` is refused for `model` and `memory` ' +
        'where the facts do not say so. POST /api/system/reset-onboarding opens all that was said.',
      rest: { method: 'PUT', path: '/api/setup/steps/:id', isPowerful: true, headers: CLAIM },
      input: () => z.object({ id: id(), state: z.enum(stepStates) }),
      output: status,
      errors: ['UNAUTHORIZED', 'SETUP_STEP_UNKNOWN', 'KVSTORE_UNAVAILABLE'],
      example: { input: { id: 'reach', state: 'skipped' } },
      admit,
      run({ id: named, state }, caller) {
        const step = setupSteps.find((one) => one === named);
        if (!step) throw new HarkError('SETUP_STEP_UNKNOWN', { body: { step: named } });
        return setup.set(step, state, caller);
      },
    }),
    tryingOperation(dependencies, admit),
  ];
}

const MOST_TRIALS = 2;
const TRY_AGAIN_SECONDS = 5;

function tryingOperation(
  { tryModel, labelOf }: SetupDependencies,
  admit: (caller: Caller) => void,
): AnyOperation {
  let running = 0;
  return defineOperation({
    name: 'setup.try',
    area,
    device: 'never',
    summary:
      'Proves a model with a real, short completion, and says what it answered and cost; keeps nothing',
    description:
      'With the key that is sent or, without one, with the key that counts. Without `model` the one is asked that ' +
      'auto-configuration would choose for `chat`. A key is taken from the machine that hark runs on only. Whether it ' +
      'answered is in `ok`.',
    rest: { method: 'POST', path: '/api/setup/try', isPowerful: true, headers: CLAIM },
    input: () =>
      z.object({
        provider: providerAmong(providerIds),
        apiKey: apiKey().optional(),
        model: z.string().min(1).max(200).optional(),
      }),
    output: trial,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'PROVIDER_NOT_CONFIGURED'],
    example: { input: { provider: 'local-runner' } },
    admit,
    async run(wish, caller) {
      if (wish.apiKey !== undefined) refuseFromElsewhere(caller);
      if (running >= MOST_TRIALS)
        throw new HarkError('TOO_MANY_REQUESTS', {
          ...{ limit: MOST_TRIALS, body: { retryAfter: TRY_AGAIN_SECONDS } },
        });
      running++;
      try {
        const { provider } = wish;
        return { provider, label: labelOf(provider), ...(await tryModel(wish, caller.signal)) };
      } finally {
        running--;
      }
    },
  });
}
