import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Routed } from '../../../src/application/models.ts';
import { waitsUntil } from '../../../src/application/workflows/executions.ts';
import { SettableClock } from '../../../src/clock.ts';
import { eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { isHarkError } from '../../../src/errors.ts';
import { workflowDefinition } from '../../../src/events/workflowDefinition.ts';
import type { CompletionPart } from '../../../src/gateways/models/gateway.ts';
import { readAll } from '../../store/contract.ts';
import { type Hold, SharedStore } from '../../support/sharedStore.ts';
import { WatchedAdapter } from '../../support/watchedAdapter.ts';
import { WorkflowProcess } from './process.ts';

type RunTool = Parameters<typeof WorkflowProcess.start>[0]['runTool'];

interface Setting {
  readonly steps: readonly object[];
  readonly more?: object;
  readonly runTool?: RunTool;
  readonly answers?: readonly string[];
}

interface Scene {
  readonly process: WorkflowProcess;
  readonly clock: SettableClock;
  readonly hold: Hold;
  readonly store: SharedStore;
  readonly again: () => Promise<WorkflowProcess>;
}

async function scene({ steps, more, runTool = async () => 'done', answers = [] }: Setting): Promise<Scene> {
  const store = new SharedStore();
  const clock = new SettableClock(1_000_000);
  const definition = workflowDefinition().parse({ name: 'w', ...more, steps });
  const left = [...answers];
  const models = { complete: () => speech(left.shift() ?? '') };
  const start = (hold: Hold) =>
    WorkflowProcess.start({ adapter: hold.adapter, clock, definition, runTool, models });
  const hold = store.hold();
  return { process: await start(hold), clock, hold, store, again: () => start(store.hold()) };
}

async function* speech(text: string): AsyncGenerator<Routed | CompletionPart> {
  yield { type: 'routed', slot: 'chat', provider: 'cloud-a', model: 'm', fallback: false };
  yield { type: 'text', text };
  yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } };
}

const isOver = ({ phase }: { readonly phase: string }) => phase !== 'running' && phase !== 'unknown';
const never = () => new Promise<never>(() => {});

async function outcome({ process }: Pick<Scene, 'process'>, input: Record<string, unknown> = {}) {
  await process.execute(input);
  const { phase, output, error } = await process.until(isOver);
  assert.deepEqual(process.failures, []);
  return { phase, output, error };
}

const failedWith = (error: string) => ({ phase: 'failed', output: null, error });
const completedWith = (output: object) => ({ phase: 'completed', output, error: null });
const call = { id: 'call', type: 'ACTION', tool: 'tool' };

describe('a step', () => {
  it('that takes too long is given up, also where the tool does not heed it', async () => {
    const runTool: RunTool = (_name, _input, signal) => {
      signal.addEventListener('abort', () => undefined);
      return never();
    };
    assert.deepEqual(
      await outcome(await scene({ steps: [{ ...call, timeout: '20ms' }], runTool })),
      failedWith('call: Took longer than 0.02 s'),
    );
  });

  it('may be called what every object knows', async () => {
    const ids = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    const steps = ids.map((id, index) => ({
      ...{ id, type: 'ACTION', tool: 'tool', input: { after: `{{ size(steps) }}` } },
      ...(index % 2 === 0 ? { if: 'true' } : {}),
    }));
    const nested = { id: 'isPrototypeOf', type: 'PARALLEL', branches: [[steps[0]], [steps[1]]] };
    const all = [nested, ...steps.slice(2)];
    const runTool: RunTool = async (_name, input) => `${input.after} before`;
    assert.deepEqual(
      await outcome(
        await scene({ steps: all, runTool, more: { result: { of: '{{ steps.constructor }}' } } }),
      ),
      completedWith({ of: '"0 before"' }),
    );
    assert.throws(() => workflowDefinition().parse({ name: 'w', steps: [{ ...call, id: '__proto__' }] }));
  });

  it('is tried again after pauses that grow, and not more often than said', async () => {
    const began: number[] = [];
    const retry = { attempts: 4, delay: '1s', factor: 3, maxDelay: '5s' };
    const set = await scene({
      steps: [{ ...call, retry }],
      runTool: async () => {
        began.push(set.clock.read());
        throw new Error('No');
      },
    });
    await set.process.execute();
    for (const pause of [1_000, 3_000, 5_000]) {
      await set.process.until(({ steps }) => steps.call?.until === set.clock.read() + pause);
      set.clock.advance(pause);
    }
    const { error } = await set.process.until(isOver);
    assert.equal(error, 'call: No');
    assert.deepEqual(began, [1_000_000, 1_001_000, 1_004_000, 1_009_000]);
  });

  it('that may fail leaves its error to those after it', async () => {
    const steps = [
      { ...call, onError: 'continue' },
      { id: 'is_sorry', type: 'CONDITION', condition: 'errors.call == "No" && steps.call == null' },
    ];
    const runTool = () => Promise.reject(new Error('No'));
    assert.deepEqual(
      await outcome(await scene({ steps, runTool })),
      completedWith({ call: null, is_sorry: true }),
    );
  });

  it('with an expression that fails is not tried again', async () => {
    const steps = [{ ...call, input: { x: '{{ input.missing }}' }, retry: { attempts: 5 } }];
    assert.deepEqual(await outcome(await scene({ steps })), failedWith('call: No such key: missing'));
  });

  it('that gives megabytes fails, and what is in the log stays small', async () => {
    const set = await scene({ steps: [call], runTool: async () => 'x'.repeat(1_000_000) });
    assert.deepEqual(await outcome(set), failedWith('call: Its output is too long'));
    const bytes = (await readAll(set.process.context.store)).reduce((sum, event) => sum + event.bytes, 0);
    assert.ok(bytes < 20_000, String(bytes));
  });

  it('asks the model again when the answer has another shape', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const prompt = {
      id: 'ask',
      type: 'PROMPT',
      agent: false,
      prompt: 'How many?',
      schema,
      retry: { attempts: 2, delay: 0 },
    };
    const set = await scene({ steps: [prompt], answers: ['many', '{"n": 3}'] });
    assert.deepEqual(await outcome(set), completedWith({ ask: { n: 3 } }));
  });

  it('fails with the words of the shape when it does not come', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const set = await scene({
      steps: [{ id: 'ask', type: 'PROMPT', agent: false, prompt: 'How many?', schema }],
      answers: ['{}'],
    });
    const { error } = await outcome(set);
    assert.match(error ?? '', /^ask: The answer of the model does not fit the schema: n: /);
  });

  it('that gives little fails where all before it gave much', async () => {
    const steps = [call, { ...call, id: 'other' }];
    const set = await scene({ steps, runTool: async () => 'x'.repeat(150_000) });
    assert.deepEqual(await outcome(set), failedWith('other: Its output is too long'));
  });

  it('that waits for no moment fails', async () => {
    const steps = [{ id: 'moment', type: 'WAIT', until: '{{ input.at }}' }];
    const set = await scene({ steps });
    assert.deepEqual(
      await outcome(set, { at: 'soon' }),
      failedWith('moment: The end of the wait is not a time'),
    );
  });

  it('has the same id when it was cut off, and another one after it failed', async () => {
    const ids: string[] = [];
    const set = await scene({
      steps: [{ ...call, retry: { attempts: 2, delay: 0 } }],
      runTool: async (_name, _input, _signal, id) => {
        if (ids.push(id) === 1) return never();
        if (ids.length === 2) throw new Error('No');
      },
    });
    await set.process.execute();
    await set.process.until(() => ids.length === 1);
    const next = await set.again();
    await next.takeOver();
    assert.equal((await next.until(isOver)).phase, 'completed');
    const [first, second, third] = ids;
    assert.equal(second, first);
    assert.notEqual(third, first);
  });

  it('may fail more often than its process may end in it', async () => {
    let calls = 0;
    const set = await scene({
      steps: [{ ...call, retry: { attempts: 12, delay: 0 } }],
      runTool: async () => {
        if (++calls < 12) throw new Error('No');
        return 'done';
      },
    });
    assert.deepEqual(await outcome(set), completedWith({ call: '"done"' }));
  });

  it('whose process ends in it again and again is given up', async () => {
    const set = await scene({ steps: [call], runTool: never });
    await set.process.execute();
    let last = set.process;
    for (let times = 1; times <= 10; times++) {
      await last.until(({ steps }) => steps.call?.attempts === times);
      last = await set.again();
      await last.takeOver();
    }
    assert.equal((await last.until(isOver)).error, 'call: Interrupted too often');
  });
});

describe('an execution', () => {
  it('goes on side by side, and waits for the slowest', async () => {
    const branches = [[call], [{ ...call, id: 'other' }]];
    const steps = [{ id: 'both', type: 'PARALLEL', branches }];
    const gate = Promise.withResolvers<string>();
    let begun = 0;
    const runTool = async () => {
      if (++begun === 2) gate.resolve('both');
      return gate.promise;
    };
    assert.deepEqual(
      await outcome(await scene({ steps, runTool })),
      completedWith({ call: '"both"', other: '"both"' }),
    );
  });

  it('whose output has another shape fails', async () => {
    const more = {
      output: { type: 'object', properties: { n: { type: 'integer' } } },
      result: { n: 'text' },
    };
    const { phase, error } = await outcome(await scene({ steps: [call], more }));
    assert.equal(phase, 'failed');
    assert.match(error ?? '', /^The output: n: /);
  });

  it('that is cancelled stops what it does at once', async () => {
    const stopped = Promise.withResolvers<void>();
    const runTool: RunTool = (_name, _input, signal) => {
      signal.addEventListener('abort', () => stopped.resolve());
      return never();
    };
    const set = await scene({ steps: [call], runTool });
    await set.process.execute();
    await set.process.until(({ steps }) => steps.call?.state === 'running');
    // By a process that does not run it.
    const other = await set.again();
    const { phase } = await other.executions.cancel({ userId: 'ann', executionId: 'e1', correlationId: 'c' });
    assert.equal(phase, 'cancelled');
    await stopped.promise;
    await assert.rejects(other.executions.cancel({ userId: 'ann', executionId: 'none', correlationId: 'c' }));
  });

  it('fails when what it works on is erased, and keeps nothing of what its step gave then', async () => {
    const gate = Promise.withResolvers<string>();
    const set = await scene({ steps: [call, { ...call, id: 'after' }], runTool: () => gate.promise });
    await set.process.execute({ secret: 'the secret' });
    await set.process.until(({ steps }) => steps.call?.state === 'running');
    const { runner, store } = set.process.context;
    await runner.run(eraseMemory, {}, { userId: 'ann', correlationId: 'c' });
    gate.resolve('made of the secret');
    await set.process.until(({ phase }) => phase === 'failed');
    assert.ok(!JSON.stringify(await readAll(store)).includes('secret'));
  });

  it('is over at once when what it works on is erased while it waits', async () => {
    const set = await scene({ steps: [{ id: 'moment', type: 'WAIT', duration: 1_000_000 }] });
    await set.process.execute();
    await set.process.until(({ steps }) => steps.moment?.state === 'waiting');
    await set.process.context.runner.run(eraseMemory, {}, { userId: 'ann', correlationId: 'c' });
    const { steps } = await set.process.until(({ phase }) => phase === 'failed');
    assert.equal(steps.moment?.state, 'cancelled');
  });

  it('goes on at its moment while a step beside it is still under way', async () => {
    const branches = [[call], [{ id: 'moment', type: 'WAIT', duration: 1_000 }]];
    const set = await scene({ steps: [{ id: 'both', type: 'PARALLEL', branches }], runTool: never });
    await set.process.execute();
    await set.process.until(
      ({ steps }) => steps.moment?.state === 'waiting' && steps.call?.state === 'running',
    );
    set.clock.advance(1_000);
    const { steps } = await set.process.until(({ steps: { moment } }) => moment?.state === 'completed');
    assert.equal(steps.call?.state, 'running');
  });

  it('is not forgotten when it is to go on in the moment in which its step ends', async () => {
    for (let turns = 0; turns < 40; turns++) {
      const set = await scene({ steps: [{ id: 'moment', type: 'WAIT', duration: 1_000 }] });
      const { executions, context } = set.process;
      const later = async (stream: string) => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        set.clock.advance(1_000);
        executions.goOn(stream);
      };
      context.store.onAppended((events) => {
        for (const { type, stream } of events) if (type === 'workflow.wait.begun') void later(stream);
      });
      assert.equal((await outcome(set)).phase, 'completed');
    }
  });

  it('loses nothing while the store is away: what a step gave is written down when it is back', async () => {
    const gate = Promise.withResolvers<string>();
    let calls = 0;
    const runTool = () => {
      calls++;
      return gate.promise;
    };
    const set = await scene({ steps: [call], runTool });
    await set.process.execute();
    await set.process.until(({ steps }) => steps.call?.state === 'running');
    set.hold.goAway();
    gate.resolve('kept');
    await new Promise(setImmediate);
    await set.hold.comeBack();
    assert.deepEqual((await set.process.until(isOver)).output, { call: '"kept"' });
    assert.equal(calls, 1);
  });

  it('goes on a minute after a fault that is nobody else’s', async () => {
    const clock = new SettableClock(1_000_000);
    const adapter = new WatchedAdapter();
    const definition = workflowDefinition().parse({ name: 'w', steps: [call] });
    const gate = Promise.withResolvers<string>();
    let calls = 0;
    const runTool = () => (++calls === 1 ? gate.promise : Promise.resolve('again'));
    const process = await WorkflowProcess.start({ adapter, clock, definition, runTool });
    await process.execute();
    await process.until(() => calls === 1);
    adapter.before = (name) => {
      if (name === 'append') throw new RangeError('A fault of ours');
    };
    gate.resolve('lost');
    while (process.failures.length === 0) await new Promise(setImmediate);
    adapter.before = () => {};
    clock.advance(59_999);
    await new Promise(setImmediate);
    assert.deepEqual([calls, (await process.state()).phase], [1, 'running']);
    clock.advance(1);
    assert.deepEqual((await process.until(isOver)).output, { call: '"again"' });
  });

  it('is begun once, however often it is asked for', async () => {
    let calls = 0;
    const set = await scene({ steps: [call], runTool: async () => ++calls });
    await Promise.all([set.process.execute(), set.process.execute(), (await set.again()).execute()]);
    await set.process.until(isOver);
    await set.process.execute();
    assert.equal(calls, 1);
  });

  it('is not begun by a process that stops', async () => {
    const set = await scene({ steps: [call] });
    await set.process.executions.stop();
    await assert.rejects(set.process.execute(), (error) => isHarkError(error, 'NOT_READY'));
  });

  it('is left after the step under way by a process that stops, and goes on in another', async () => {
    const gate = Promise.withResolvers<string>();
    let calls = 0;
    const runTool = () => (++calls === 1 ? gate.promise : Promise.resolve('second'));
    const set = await scene({ steps: [call, { ...call, id: 'after' }], runTool });
    await set.process.execute();
    await set.process.until(() => calls === 1);
    const stopped = set.process.executions.stop();
    gate.resolve('first');
    await stopped;
    assert.equal(calls, 1);
    const next = await set.again();
    await next.takeOver();
    assert.deepEqual((await next.until(isOver)).output, { call: '"first"', after: '"second"' });
  });

  it('is left in a step that does not end by a process that stops', async () => {
    let calls = 0;
    const set = await scene({ steps: [call], runTool: () => (++calls === 1 ? never() : Promise.resolve(2)) });
    await set.process.execute();
    await set.process.until(() => calls === 1);
    await set.process.executions.stop();
    assert.equal((await set.process.state()).phase, 'running');
    const next = await set.again();
    await next.takeOver();
    assert.deepEqual((await next.until(isOver)).output, { call: '2' });
  });
});

describe('whoever waits for an execution', () => {
  const wanted = { userId: 'ann', executionId: 'e1' };
  const begun = async (step: object) => {
    const set = await scene({ steps: [step], runTool: never });
    await set.process.execute();
    return set;
  };

  it('is told how far it got when the time is up', async () => {
    const { process, clock } = await begun(call);
    const until = clock.read() + 60_000;
    const settled = process.executions.settled(wanted, until, new AbortController().signal);
    clock.advance(60_000);
    assert.equal((await settled).phase, 'running');
  });

  it('is told how far it got when they wait no longer', async () => {
    const { process, clock } = await begun(call);
    const end = new AbortController();
    const settled = process.executions.settled(wanted, clock.read() + 60_000, end.signal);
    end.abort();
    assert.equal((await settled).phase, 'running');
  });

  it('is told how far it got when the process stops', async () => {
    const { process, clock } = await begun({ id: 'pause', type: 'WAIT', duration: '30s' });
    await process.until(({ steps }) => steps.pause?.state === 'waiting');
    const signal = new AbortController().signal;
    const settled = process.executions.settled(wanted, clock.read() + 60_000, signal);
    await process.executions.stop();
    assert.equal((await settled).steps.pause?.state, 'waiting');
  });
});

describe('executions', () => {
  const waiting = { id: 'pause', type: 'WAIT', until: '{{ input.at }}' };
  const begin = ({ process }: Scene, executionId: string, at: number, correlationId = 'cause') => {
    const who = { userId: 'ann', correlationId };
    return process.executions.start({ ...who, executionId, workflowId: 'w', input: { at } });
  };

  it('that wait for several moments each go on at its own', async () => {
    const set = await scene({ steps: [waiting] });
    const { clock, process } = set;
    const now = clock.read();
    const all = { e0: now + 1_000, e1: now + 2_000 };
    for (const [executionId, at] of Object.entries(all)) {
      await begin(set, executionId, at);
      const wanted = { userId: 'ann', executionId };
      while (waitsUntil(await process.executions.find(wanted)) !== at) await new Promise(setImmediate);
    }
    const signal = new AbortController().signal;
    for (const [executionId, at] of Object.entries(all)) {
      const over = process.executions.settled({ userId: 'ann', executionId }, at + 60_000, signal);
      clock.advance(1_000);
      assert.equal((await over).phase, 'completed');
    }
  });

  it('that begin one another an hour apart may do so for long, and others side by side', async () => {
    const set = await scene({ steps: [waiting] });
    const late = set.clock.read() + 100 * 3_600_000;
    for (let count = 0; count < 20; count++) {
      await begin(set, `e${count}`, late);
      set.clock.advance(3_600_000);
    }
    await assert.rejects(begin(set, 'one-more', late), (error) => isHarkError(error, 'WORKFLOW_CIRCLE'));
    await begin(set, 'another', late, 'another cause');
  });
});
