import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { slotNames } from '../vocabulary.ts';

/*
 * What a workflow file says. An execution keeps the definition that it began with, so that this is also a shape in
 * the log: what is added must be optional, and nothing may change its meaning.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: DAY_MS,
};

export const LONGEST_WAIT_MS = 366 * DAY_MS;
const LONGEST_ATTEMPT_MS = 60 * MINUTE_MS;
const MOST_STEPS = 200;
const DEEPEST = 10;

/** A whole number of milliseconds, or a text as `90s`, `1h30m` or `3d`; kept in milliseconds. */
function time(least: number, most: number) {
  const error = `must be a duration such as 30s, 1h30m or 3d, from ${least / 1_000} s to ${most / 1_000} s`;
  return z.preprocess(
    (given) => (typeof given === 'string' ? millisecondsIn(given) : given),
    z.number({ error }).int({ error }).min(least, { error }).max(most, { error }),
  );
}

function millisecondsIn(text: string): number | undefined {
  if (!/^(\d{1,9}(ms|s|m|h|d)){1,5}$/.test(text)) return undefined;
  return Array.from(text.matchAll(/(\d{1,9})(ms|s|m|h|d)/g)).reduce(
    (sum, [, digits = '', unit = '']) => sum + Number(digits) * (UNITS[unit] ?? Number.NaN),
    0,
  );
}

/** A condition, or what stands between `{{` and `}}`. */
const LONGEST_EXPRESSION = 2_000;
const expression = lazily(() => z.string().min(1).max(LONGEST_EXPRESSION));
const template = lazily(() => z.string().min(1).max(20_000));
const values = lazily(() => z.record(z.string().max(200), z.unknown()));
/** As JSON Schema has it. */
const schema = lazily(() => z.record(z.string(), z.unknown()));

/** So that an expression can name it: `steps.weather`. */
const stepId = lazily(() =>
  z.string().regex(/^(?!__proto__$)[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, {
    error: 'must be a letter or _, then at most 63 letters, digits or _, and not __proto__',
  }),
);

const common = lazily(() => ({
  id: stepId(),
  name: z.string().min(1).max(200).exactOptional(),
  /** The step is passed by where this is false. */
  if: expression().exactOptional(),
  /** After the last attempt that failed. */
  onError: z.enum(['fail', 'continue']).exactOptional(),
}));

const retry = lazily(() =>
  z.strictObject({
    attempts: z.int().min(1).max(20),
    delay: time(0, LONGEST_WAIT_MS).exactOptional(),
    factor: z.number().min(1).max(10).exactOptional(),
    maxDelay: time(0, LONGEST_WAIT_MS).exactOptional(),
  }),
);
const attempted = lazily(() => ({
  timeout: time(1, LONGEST_ATTEMPT_MS).exactOptional(),
  retry: retry().exactOptional(),
}));

const actionStep = lazily(() =>
  z.strictObject({
    ...common(),
    ...attempted(),
    type: z.literal('ACTION'),
    tool: z.string().min(1).max(128),
    input: values().exactOptional(),
  }),
);

const promptStep = lazily(() =>
  z.strictObject({
    ...common(),
    ...attempted(),
    type: z.literal('PROMPT'),
    prompt: template(),
    system: template().exactOptional(),
    slot: z.enum(slotNames).exactOptional(),
    /** False: asks the bare model, without memory and tools. */
    agent: z.boolean().exactOptional(),
    /** What the answer has to look like; it is then an object, and else a text. */
    schema: schema().exactOptional(),
  }),
);

const eventStep = lazily(() =>
  z.strictObject({
    ...common(),
    ...attempted(),
    type: z.literal('EVENT'),
    topic: z.string().regex(/^[a-zA-Z0-9_.:-]{1,128}$/, { error: 'must be the name of a topic' }),
    payload: values().exactOptional(),
  }),
);

const waitStep = lazily(() =>
  z
    .strictObject({
      ...common(),
      type: z.literal('WAIT'),
      duration: time(1, LONGEST_WAIT_MS).exactOptional(),
      /** A moment: Unix milliseconds, or a text as `2026-01-31T08:00:00Z`. */
      until: z.union([template(), z.int().nonnegative()]).exactOptional(),
    })
    .refine(({ duration, until }) => (duration === undefined) !== (until === undefined), {
      error: 'needs either duration or until',
    }),
);

const conditionStep = lazily(() =>
  z.strictObject({
    ...common(),
    type: z.literal('CONDITION'),
    condition: expression(),
    get do() {
      return z.array(step()).max(MOST_STEPS).readonly().exactOptional();
    },
    get else() {
      return z.array(step()).max(MOST_STEPS).readonly().exactOptional();
    },
  }),
);

const parallelStep = lazily(() =>
  z.strictObject({
    ...common(),
    type: z.literal('PARALLEL'),
    /** Each is a list of steps, one after the other; all lists go on side by side. */
    get branches() {
      return z.array(z.array(step()).min(1).max(MOST_STEPS).readonly()).min(1).max(20).readonly();
    },
  }),
);

const step: () => z.ZodType<Step> = lazily(() =>
  z.discriminatedUnion('type', [
    actionStep(),
    promptStep(),
    eventStep(),
    waitStep(),
    conditionStep(),
    parallelStep(),
  ]),
);

export type ActionStep = z.output<ReturnType<typeof actionStep>>;
export type PromptStep = z.output<ReturnType<typeof promptStep>>;
export type EventStep = z.output<ReturnType<typeof eventStep>>;
export type WaitStep = z.output<ReturnType<typeof waitStep>>;

interface Common {
  readonly id: string;
  readonly name?: string;
  readonly if?: string;
  readonly onError?: 'fail' | 'continue';
}
interface ConditionStep extends Common {
  readonly type: 'CONDITION';
  readonly condition: string;
  readonly do?: readonly Step[];
  readonly else?: readonly Step[];
}
export interface ParallelStep extends Common {
  readonly type: 'PARALLEL';
  readonly branches: readonly (readonly Step[])[];
}
export type Step = ActionStep | PromptStep | EventStep | WaitStep | ConditionStep | ParallelStep;

export const workflowDefinition = lazily(() =>
  z
    .strictObject({
      name: z.string().min(1).max(200),
      description: z.string().max(2_000).default(''),
      /** What the input has to look like: JSON Schema of an object. */
      input: schema().exactOptional(),
      /** What the output has to look like: JSON Schema of an object. */
      output: schema().exactOptional(),
      /** What it gives; the outputs of all its steps, where that is not said. */
      result: values().exactOptional(),
      steps: z.array(step()).min(1).max(MOST_STEPS).readonly(),
    })
    .superRefine(({ steps }, context) => {
      const complaint = complaintAbout(steps);
      if (complaint) context.addIssue({ code: 'custom', path: ['steps'], message: complaint });
    }),
);
export type WorkflowDefinition = z.output<ReturnType<typeof workflowDefinition>>;

function complaintAbout(steps: readonly Step[]): string | undefined {
  const all = allSteps(steps);
  if (all.length > MOST_STEPS) return `has more than ${MOST_STEPS} steps`;
  if (depthOf(steps) > DEEPEST) return `is nested more than ${DEEPEST} levels deep`;
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? undefined : `has two steps with the id ${twice}`;
}

/** Lists of steps that lie within a step. */
function listsIn(one: Step): readonly (readonly Step[])[] {
  if (one.type === 'PARALLEL') return one.branches;
  return one.type === 'CONDITION' ? [one.do ?? [], one.else ?? []] : [];
}

/** These and those within them, in the order in which they are written. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((one) => [one, ...listsIn(one).flatMap(allSteps)]);
}

/**
 * Ids of the steps that lie before a step, whatever the order in which lists go on side by side: what came of them is
 * known when it is reached. Undefined where there is no such step.
 */
export function stepsBefore(steps: readonly Step[], id: string): readonly string[] | undefined {
  const before: string[] = [];
  for (const one of steps) {
    if (one.id === id) return before;
    for (const list of listsIn(one)) {
      const within = stepsBefore(list, id);
      if (within) return [...before, one.id, ...within];
    }
    before.push(...allSteps([one]).map((each) => each.id));
  }
  return undefined;
}

function depthOf(steps: readonly Step[]): number {
  return 1 + Math.max(0, ...steps.flatMap(listsIn).map((list) => (list.length === 0 ? 0 : depthOf(list))));
}
