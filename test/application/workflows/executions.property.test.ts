import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { planOf } from '../../../src/application/workflows/plan.ts';
import { SettableClock } from '../../../src/clock.ts';
import { type WorkflowDefinition, workflowDefinition } from '../../../src/events/workflowDefinition.ts';
import type { ExecutionView } from '../../../src/projections/workflows/execution.ts';
import type { StoreAdapter } from '../../../src/store/adapter.ts';
import { readAll } from '../../store/contract.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { WorkflowProcess } from './process.ts';

/*
 * An execution is disturbed: its process is killed at one of its writes, before it arrives or before the answer
 * does, and another goes on; or it is taken for lost, and goes on working beside the other.
 */

interface Disturbance {
  /** At which write of the process. */
  readonly at: number;
  readonly how: 'killed before' | 'killed after' | 'taken for lost';
}

/** A step of a test: ids are given when all are known. */
type Draft =
  | {
      readonly type: 'ACTION';
      readonly fails: number;
      readonly attempts: number;
      readonly goesOn: boolean;
      readonly if: string | null;
      readonly turns: number;
    }
  | { readonly type: 'EVENT' }
  | { readonly type: 'WAIT'; readonly seconds: number }
  | {
      readonly type: 'CONDITION';
      readonly condition: string;
      readonly do: readonly Draft[];
      readonly else: readonly Draft[];
    }
  | {
      readonly type: 'PARALLEL';
      readonly branches: readonly (readonly Draft[])[];
      readonly goesOn: boolean;
      readonly if: string | null;
    };

const plain = { noNullPrototype: true };
const condition = fc.constantFrom('input.n > 2', 'input.n + 1 == 3', 'size(errors) > 0', 'input.missing');
const maybe = fc.option(condition, { freq: 4 });
const { list } = fc.letrec<{ draft: Draft; list: readonly Draft[] }>((tie) => ({
  draft: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.record(
      {
        type: fc.constant('ACTION' as const),
        fails: fc.constantFrom(0, 0, 0, 1, 2),
        attempts: fc.integer({ min: 1, max: 3 }),
        goesOn: fc.boolean(),
        if: maybe,
        turns: fc.nat({ max: 3 }),
      },
      plain,
    ),
    fc.record({ type: fc.constant('EVENT' as const) }, plain),
    fc.record({ type: fc.constant('WAIT' as const), seconds: fc.integer({ min: 1, max: 200_000 }) }, plain),
    fc.record(
      { type: fc.constant('CONDITION' as const), condition, do: tie('list'), else: tie('list') },
      plain,
    ),
    fc.record(
      {
        type: fc.constant('PARALLEL' as const),
        branches: fc.array(tie('list'), { minLength: 1, maxLength: 3 }),
        goesOn: fc.boolean(),
        if: maybe,
      },
      plain,
    ),
  ),
  list: fc.array(tie('draft'), { minLength: 1, maxLength: 3 }),
}));

const disturbance: fc.Arbitrary<Disturbance> = fc.record(
  {
    at: fc.integer({ min: 1, max: 12 }),
    how: fc.constantFrom('killed before', 'killed after', 'taken for lost'),
  },
  plain,
);

describe('an execution that is disturbed at any of its writes', () => {
  const disturbances = fc.array(disturbance, { minLength: 1, maxLength: 6 });

  it.prop([list, fc.nat({ max: 4 }), disturbances], { numRuns: Number(process.env.RUNS ?? 200) })(
    'comes to what it would have come to, and does nothing again that was done',
    async (drafts, n, all) => {
      const definition = workflowOf(drafts);
      const calm = await outcome(definition, { n }, []);
      assert.deepEqual(await outcome(definition, { n }, all), calm);
    },
  );
});

function workflowOf(drafts: readonly Draft[]): WorkflowDefinition {
  let made = 0;
  const stepOf = (draft: Draft): Record<string, unknown> => {
    const id = `s${++made}`;
    const goesOn = 'goesOn' in draft && draft.goesOn ? { onError: 'continue' } : {};
    const only = 'if' in draft && draft.if !== null ? { if: draft.if } : {};
    const common = { id, type: draft.type, ...goesOn, ...only };
    switch (draft.type) {
      case 'ACTION':
        return {
          ...common,
          tool: 'echo',
          input: { id, fails: draft.fails, turns: draft.turns, n: '{{ input.n + 1 }}' },
          retry: { attempts: draft.attempts, delay: 1_000 },
        };
      case 'EVENT':
        return { ...common, topic: 'told', payload: { id } };
      case 'WAIT':
        return { ...common, duration: draft.seconds * 1_000 };
      case 'CONDITION':
        return {
          ...common,
          condition: draft.condition,
          do: draft.do.map(stepOf),
          else: draft.else.map(stepOf),
        };
      case 'PARALLEL':
        return { ...common, branches: draft.branches.map((branch) => branch.map(stepOf)) };
    }
  };
  return workflowDefinition().parse({ name: 'w', steps: drafts.map(stepOf) });
}

async function outcome(
  definition: WorkflowDefinition,
  input: Record<string, unknown>,
  disturbances: readonly Disturbance[],
) {
  const world = new World(definition, input, disturbances);
  const state = await world.over();
  const { phase, output, error, steps, endTime } = state;
  const told = Object.fromEntries(
    Object.entries(steps).map(([id, step]) => [id, [step.state, step.failures, step.output, step.error]]),
  );
  await world.check();
  return { phase, output, error, endTime, steps: told };
}

class World {
  readonly #store = new SharedStore();
  readonly #clock = new SettableClock(1_000_000);
  readonly #definition: WorkflowDefinition;
  readonly #input: Record<string, unknown>;
  readonly #left: Disturbance[];
  readonly #onlooker = this.#store.hold();
  #standing: { readonly process: WorkflowProcess; readonly isLost: () => boolean } | undefined;
  readonly #processes: WorkflowProcess[] = [];
  #log: Promise<WorkflowProcess> | undefined;
  readonly #doneAgain: string[] = [];

  constructor(
    definition: WorkflowDefinition,
    input: Record<string, unknown>,
    disturbances: readonly Disturbance[],
  ) {
    this.#definition = definition;
    this.#input = input;
    this.#left = [...disturbances];
  }

  /** The execution, when it is over. */
  async over(): Promise<ExecutionView> {
    const onlooker = await this.#look();
    for (;;) {
      const standing = this.#standing ?? (await this.#begin());
      this.#standing = standing;
      const { process, isLost } = standing;
      if (isLost()) {
        this.#standing = undefined;
        continue;
      }
      const state = await onlooker.state();
      if (state.phase !== 'running' && state.phase !== 'unknown') return state;
      if (state.phase === 'running') this.#passTime(state);
      assert.deepEqual(process.failures, []);
      await nextTurn();
    }
  }

  async check(): Promise<void> {
    const { context } = await this.#look();
    const log = await readAll(context.store);
    for (const once of ['workflow.step.completed', 'workflow.topic.published']) {
      const ids = log.filter(({ type }) => type === once).map(({ data }) => Object(data).stepId);
      assert.equal(new Set(ids).size, ids.length, `${once} twice`);
    }
    assert.deepEqual(this.#doneAgain, []);
    for (const { failures } of this.#processes) assert.deepEqual(failures, []);
  }

  /** When there is nothing to do before some moment, it comes. */
  #passTime(state: ExecutionView): void {
    const now = this.#clock.read();
    const { ready } = planOf(state, this.#definition, { now, inFlight: new Set() });
    if (ready.length > 0) return;
    const moments = Object.values(state.steps).flatMap(({ state: at, until }) =>
      at === 'waiting' && until !== null ? [until] : [],
    );
    const next = Math.min(...moments);
    if (next > now && next < Number.POSITIVE_INFINITY) this.#clock.advance(next - now);
  }

  async #look(): Promise<WorkflowProcess> {
    this.#log ??= WorkflowProcess.start({
      adapter: this.#onlooker.adapter,
      clock: this.#clock,
      definition: this.#definition,
      runTool: async () => assert.fail('An onlooker does nothing'),
    });
    return this.#log;
  }

  async #begin() {
    const hold = this.#store.hold();
    const disturbance = this.#left.shift();
    let writes = 0;
    let isLost = false;
    const lost = Promise.withResolvers<void>();
    let isDead = false;
    const lose = (dies: boolean) => {
      isLost = true;
      isDead = dies;
      lost.resolve();
      if (dies) hold.kill();
    };
    const adapter = new Proxy<StoreAdapter>(hold.adapter, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name !== 'append' || typeof value !== 'function') return value;
        return async (...args: readonly unknown[]) => {
          const isIt = ++writes === disturbance?.at;
          if (isIt && disturbance?.how === 'killed before') lose(true);
          const answer: unknown = await value.apply(target, args);
          if (isIt && !isDead) lose(disturbance?.how === 'killed after');
          return isDead ? new Promise<never>(() => {}) : answer;
        };
      },
    });
    const process = await WorkflowProcess.start({
      adapter,
      clock: this.#clock,
      definition: this.#definition,
      runTool: (_name, input) => (isDead ? new Promise<never>(() => {}) : this.#echo(input, () => isLost)),
    });
    this.#processes.push(process);
    const begun = process.execute(this.#input).then(() => process.takeOver());
    // A process that dies meanwhile never says so.
    await Promise.race([begun, lost.promise]);
    return { process, isLost: () => isLost };
  }

  async #echo(input: Readonly<Record<string, unknown>>, isLost: () => boolean): Promise<unknown> {
    const { id, fails, turns, n } = input;
    const before = (await (await this.#look()).state()).steps[String(id)];
    // One that is only taken for lost may have begun before it was.
    if (before?.endedAt != null && !isLost()) this.#doneAgain.push(String(id));
    for (let turn = 0; turn < Number(turns); turn++) await nextTurn();
    if ((before?.failures ?? 0) < Number(fails)) throw new Error(`Not yet (${before?.failures ?? 0})`);
    return { id, n };
  }
}
