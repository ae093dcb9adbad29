import { isHarkError } from '../../errors.ts';
import {
  type ActionStep,
  type EventStep,
  type PromptStep,
  type Step,
  stepsBefore,
} from '../../events/workflowDefinition.ts';
import type { ExecutionView, StepRecord } from '../../projections/workflows/execution.ts';
import type { Problem } from '../../schemas/jsonSchema.ts';
import type { Definitions } from '../../workflowFiles/definitions.ts';
import type { Variables } from '../../workflowFiles/messages.ts';
import type { Models } from '../models.ts';
import { bounded } from '../timeout.ts';
import type { Occasion, TopicActors } from '../topicActors.ts';
import type { Agent, ToolRunner } from './ports.ts';

export interface StepParts {
  readonly definitions: Pick<Definitions, 'holds' | 'fill' | 'check'>;
  readonly tools: ToolRunner;
  readonly agent: Agent;
  readonly models: Pick<Models, 'complete'>;
  readonly actors: Pick<TopicActors, 'has' | 'check' | 'act'>;
  /** What went wrong in a step that is only told that something did. */
  readonly onFailure: (what: string, error: unknown) => void;
}

/** For whom a step works, and until when. */
export interface StepContext {
  readonly userId: string;
  readonly correlationId: string;
  readonly workflowId: string;
  /** Names this step of this execution, to whoever can tell a repeated call from another one. */
  readonly commandId: string;
  readonly variables: Variables;
  /** Writes down what is published, once. */
  readonly publish: (topic: string, payload: Record<string, unknown>) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Why an attempt failed, in words for whoever reads of the execution. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  /** Nothing would be different the next time. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}

const PROMPT_MS = 5 * 60_000;
/** Those who act have time limits of their own. */
const LONGEST_MS = 60 * 60_000;

/** One attempt at a step that does something: resolves with its output, or throws a `StepFailure`. */
export function attempt(
  parts: StepParts,
  step: ActionStep | PromptStep | EventStep,
  context: StepContext,
): Promise<unknown> {
  const ms = step.timeout ?? (step.type === 'PROMPT' ? PROMPT_MS : LONGEST_MS);
  const cancelled = context.signal;
  const reasonFor = (end: 'late' | 'cancelled') =>
    end === 'late' ? new StepFailure(`Took longer than ${ms / 1_000} s`) : cancelled.reason;
  return bounded({ ms, cancelled, reasonFor }, (signal) => {
    const inTime = { ...context, signal: signal() };
    if (step.type === 'ACTION') return act(parts, step, inTime);
    return step.type === 'PROMPT' ? ask(parts, step, inTime) : publish(parts, step, inTime);
  });
}

async function act(
  { definitions, tools }: StepParts,
  step: ActionStep,
  context: StepContext,
): Promise<unknown> {
  const { userId, correlationId, commandId, variables, signal } = context;
  const input = objectOr(
    givenBy(await definitions.fill(step.input ?? {}, variables, { owner: userId })),
    'The input of a tool',
  );
  const around = {
    context: { userId, sessionId: null, correlationId, commandId, origin: 'workflow' },
    signal,
  } as const;
  const { result, failed } = await tools.run({ id: commandId, name: step.tool, input }, around);
  if (failed) throw new StepFailure(result.replace(/^Error: /, ''));
  return structured(result);
}

async function ask(
  { definitions, agent, models }: StepParts,
  step: PromptStep,
  context: StepContext,
): Promise<unknown> {
  const { userId, correlationId, commandId: id, variables, signal } = context;
  const filled = givenBy(
    await definitions.fill([step.prompt, step.system ?? ''], variables, { owner: userId }),
  );
  const [text, system] = Array.isArray(filled) ? filled.map(asText) : [];
  if (!text) throw new StepFailure('The prompt is empty', true);
  const manner = {
    ...(system ? { system } : {}),
    ...(step.schema ? { schema: { name: step.id, schema: step.schema } } : {}),
  };
  const said =
    step.agent === false
      ? await bareAnswer(models, { slot: step.slot ?? 'chat', correlationId, signal }, { text, ...manner })
      : await agent.ask({
          ...{ userId, correlationId, id, source: sourceOf(step, context) },
          ...{ text, signal, timeUp: timeUpIn(signal), ...manner },
          ...(step.slot ? { slot: step.slot } : {}),
        });
  if (!step.schema) return said;
  return givenBy(
    await definitions.check(step.schema, jsonIn(said), { owner: userId }),
    'The answer of the model does not fit the schema',
  );
}

async function bareAnswer(
  models: StepParts['models'],
  asking: Parameters<Models['complete']>[0],
  { text, ...manner }: { readonly text: string } & Partial<Parameters<Models['complete']>[1]>,
): Promise<string> {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }];
  let said = '';
  for await (const part of models.complete(asking, { ...manner, messages, reasoning: false }))
    if (part.type === 'text') said += part.text;
  return said;
}

/** Whoever listens is told; where something is done about the topic, it is done before the step is over. */
async function publish(
  { definitions, actors }: StepParts,
  step: EventStep,
  context: StepContext,
): Promise<null> {
  const { topic, payload } = step;
  const { variables, publish: write, userId, commandId: id, correlationId, signal } = context;
  const filled = objectOr(
    givenBy(await definitions.fill(payload ?? {}, variables, { owner: userId })),
    'The payload',
  );
  if (actors.has(topic)) actors.check(topic, filled);
  await write(topic, filled);
  const asked = { origin: 'workflow', source: sourceOf(step, context), sessionId: null } as const;
  const occasion: Occasion = { userId, id, correlationId, ...asked, late: false, signal };
  if (actors.has(topic)) await actors.act(topic, filled, occasion);
  return null;
}

/** What is said by it says so. By its id, which the log has anyway: the name of a step may be personal. */
function sourceOf({ id }: Step, { workflowId }: StepContext): string {
  return `${workflowId}/${id}`;
}

/** What a condition says. */
export async function holds(
  { definitions }: Pick<StepParts, 'definitions'>,
  expression: string,
  variables: Variables,
  owner: string,
): Promise<boolean> {
  return givenBy(await definitions.holds(expression, variables, { owner })) === true;
}

/** Of what a helper of the definitions gave; what is wrong with it will be wrong the next time too. */
export function givenBy(answer: { readonly value: unknown } | Problem, what?: string): unknown {
  if ('value' in answer) return answer.value;
  // A model that is asked again may answer as it should.
  throw new StepFailure(what ? `${what}: ${answer.problem}` : answer.problem, what === undefined);
}

export function objectOr(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new StepFailure(`${what} is not an object`, true);
}

/**
 * What a step may name: what was given, and what came of the steps before it. Of those that go on beside it nothing
 * is known, or it would depend on who is quicker. Without a step, all of them.
 */
export function variablesOf(state: ExecutionView, step?: Step): Variables {
  const { executionId, workflowId, startTime, input, steps, definition } = state;
  const before = step && new Set(stepsBefore(definition?.steps ?? [], step.id));
  const records = Object.entries(steps).filter(([id]) => !before || before.has(id));
  const outputOf = ({ state: at, output }: StepRecord) => (at === 'completed' ? output : null);
  return {
    input: input ?? {},
    steps: Object.fromEntries(records.map(([id, record]) => [id, outputOf(record)])),
    errors: Object.fromEntries(records.flatMap(([id, { error }]) => (error === null ? [] : [[id, error]]))),
    execution: { id: executionId, workflowId, startTime },
  };
}

/** Of the ways in which an attempt is ended, the one after which nobody wants its result any more. */
function timeUpIn(signal: AbortSignal): AbortSignal {
  const timeUp = new AbortController();
  const onEnd = () => {
    if (signal.reason instanceof StepFailure) timeUp.abort();
  };
  signal.addEventListener('abort', onEnd, { once: true });
  return timeUp.signal;
}

/** As it is told of an attempt that failed. */
export function failureOf(
  error: unknown,
  step: Step,
  { onFailure }: Pick<StepParts, 'onFailure'>,
): StepFailure {
  if (error instanceof StepFailure) return error;
  if (isHarkError(error) && error.code !== 'INTERNAL') return new StepFailure(error.message);
  onFailure(`a step of type ${step.type}`, error);
  return new StepFailure('The step failed');
}

/** A result that is an object or a list of JSON is taken as one. */
function structured(result: string): unknown {
  return /^\s*[[{]/.test(result) ? (jsonIn(result) ?? result) : result;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
