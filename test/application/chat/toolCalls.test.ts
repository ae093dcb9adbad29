import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { CallerContext, Tool, ToolContext } from '../../../src/application/chat/tool.ts';
import { type Around, ToolCalls } from '../../../src/application/chat/toolCalls.ts';
import { ToolRegistry } from '../../../src/application/chat/toolRegistry.ts';
import type { DeviceScope } from '../../../src/application/deviceScope.ts';
import { HarkError } from '../../../src/errors.ts';
import { counting, tool } from '../../support/tools.ts';

const context = { userId: 'ann', sessionId: 's', correlationId: 'turn', origin: 'model' } as const;

/** Devices as they are at the moment. */
const devices = new Map<string, DeviceScope>();
const speaker = { deviceId: 'speaker', userId: 'ann', trustLevel: 2, capabilities: {} };

/** Calls on these tools, and what they failed of. */
function callsOn(...tools: readonly Tool[]) {
  const failures: { readonly what: string; readonly error: unknown }[] = [];
  const onFailure = (what: string, error: unknown) => failures.push({ what, error });
  const registry = new ToolRegistry(onFailure);
  registry.register('test', ...tools);
  const scopeOf = (deviceId: string) => devices.get(deviceId);
  const bounds = { timeoutMs: 20, mostCharacters: 300 };
  const calls = new ToolCalls({ registry, scopeOf, onFailure, ...bounds });
  const run = async (name: string, input: Record<string, unknown> = {}, around: Partial<Around> = {}) => {
    const whole = { context, signal: new AbortController().signal, ...around };
    const { durationMs, output: _, ...outcome } = await calls.run({ id: '1', name, input }, whole);
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
    return outcome;
  };
  return { calls, run, failures };
}

const failed = (result: string) => ({ result: `Error: ${result}`, failed: true });
const gave = (result: string) => ({ result, failed: false });

describe('a call of a tool', () => {
  it('gives its text, or its JSON', async () => {
    const { run } = callsOn(tool('a.text'), counting('count'));
    assert.deepEqual(await run('a.text'), gave('a.text'));
    assert.deepEqual(await run('count', { n: 1 }), gave('{"n":1,"next":2}'));
  });

  it('gives what the tool gave beside it, to who is no model', async () => {
    const { calls } = callsOn(counting('count'));
    const whole = { context, signal: new AbortController().signal };
    const { output } = await calls.run({ id: '1', name: 'count', input: { n: 1 } }, whole);
    assert.deepEqual(output, { n: 1, next: 2 });
  });

  it('is told for whom it is, and is not aborted by having ended', async () => {
    let seen: unknown;
    let signal: AbortSignal | undefined;
    const { run } = callsOn(
      tool('who', {
        run: async ({ signal: given, ...rest }) => {
          seen = rest;
          signal = given;
        },
      }),
    );
    assert.deepEqual(await run('who'), gave('(no output)'));
    assert.deepEqual([seen, signal?.aborted], [{ ...context, callId: '1' }, false]);
  });

  it('for a device does no more than the device may at that moment', async () => {
    const seen: unknown[] = [];
    const run = async ({ device }: ToolContext) => void seen.push(device);
    const { run: call } = callsOn(
      tool('a.free', { run }),
      tool('a.never', { device: 'never', run }),
      tool('a.memory', { device: 'inChat', run }),
    );
    const by = (more: Partial<CallerContext> = {}) => ({
      context: { ...context, deviceId: 'speaker', ...more },
    });
    const refused = failed('This device may not use this tool');
    assert.deepEqual(await call('a.free', {}, by()), refused);
    devices.set('speaker', speaker);
    assert.deepEqual(await call('a.free', {}, by()), gave('(no output)'));
    assert.deepEqual(await call('a.free', {}, by({ userId: 'ben' })), refused);
    assert.deepEqual(await call('a.never', {}, by()), refused);
    assert.deepEqual(await call('a.memory', {}, by()), refused);
    const turn = { turnId: 't', conversationId: 'c', said: null, earlier: () => [] };
    assert.deepEqual(await call('a.memory', {}, by({ turn })), gave('(no output)'));
    devices.delete('speaker');
    assert.deepEqual(await call('a.memory', {}, by({ turn })), refused);
    assert.deepEqual(await call('a.never'), gave('(no output)'));
    assert.deepEqual(seen, [speaker, speaker, undefined]);
  });

  it('of a tool that is not there names those that are', async () => {
    const { run } = callsOn(tool('a'));
    assert.deepEqual(await run('b'), failed('There is no tool "b"'));
    const known = [tool('a'), tool('c')];
    assert.deepEqual(await run('b', {}, { known }), failed('There is no tool "b". There are: a, c'));
    const many = Array.from({ length: 50 }, (_, index) => tool(`t${index}`));
    const { result } = await run('x'.repeat(10_000), {}, { known: many });
    assert.match(result, /^.{100,250}, t19, …$/);
  });

  it('with arguments that do not fit is told where and why, and may try again', async () => {
    const { run, failures } = callsOn(counting('count'));
    assert.deepEqual(await run('count', { n: 'one' }), failed('n: expected a number'));
    assert.deepEqual(await run('count', { n: 1 }), gave('{"n":1,"next":2}'));
    assert.deepEqual(failures, []);
  });

  it('with arguments that are no JSON is not run', async () => {
    const { calls } = callsOn(tool('a', { run: async () => assert.fail('It ran') }));
    const call = { id: '1', name: 'a', input: {}, malformed: '{"n": ' };
    const { result } = await calls.run(call, { context, signal: new AbortController().signal });
    assert.equal(result, String.raw`Error: The arguments must be a JSON object, not "{\"n\": "`);
  });
});

describe('a tool that fails', () => {
  it('by a refusal tells why', async () => {
    const refuses = (error: Error) => tool('no', { run: () => Promise.reject(error) });
    const found = new HarkError('NOT_FOUND', { message: 'Task not found' });
    assert.deepEqual(await callsOn(refuses(found)).run('no'), failed('Task not found'));
    const issues = [{ path: ['schedule', 0, 'expression'], message: 'required' }, { message: 'odd' }, 7];
    const wrong = new HarkError('VALIDATION_FAILED', { body: { issues } });
    const told = failed('Validation failed: schedule.0.expression: required; odd');
    assert.deepEqual(await callsOn(refuses(wrong)).run('no'), told);
  });

  it('in any other way tells the model nothing of the machine, and us everything', async () => {
    const secret = new Error('ENOENT secret.key');
    const ways: readonly Partial<Parameters<typeof tool>[1]>[] = [
      { run: () => Promise.reject(secret) },
      {
        run: () => {
          throw secret;
        },
      },
      {
        prepare: () => {
          throw secret;
        },
      },
      { run: () => Promise.reject(new HarkError('INTERNAL', { message: 'at line 7', cause: secret })) },
    ];
    for (const way of ways) {
      const { run, failures } = callsOn(tool('bad', way));
      assert.deepEqual(await run('bad'), failed('The tool failed'));
      assert.deepEqual(
        failures.map(({ what }) => what),
        ['bad'],
      );
    }
  });

  it('by throwing what is no error is no different', async () => {
    const { run } = callsOn(tool('bad', { run: () => Promise.reject(undefined) }));
    assert.deepEqual(await run('bad'), failed('The tool failed'));
  });

  it('by giving what no JSON can hold is no different', async () => {
    const { run } = callsOn(tool('bad', { run: async () => ({ n: 1n }) }));
    assert.deepEqual(await run('bad'), failed('The tool failed'));
  });
});

describe('a tool that does not end', () => {
  const hangs = (onSignal: (signal: AbortSignal) => unknown) =>
    tool('hangs', {
      run: ({ signal }) => {
        onSignal(signal);
        return new Promise(() => undefined);
      },
    });

  it('is left behind when its time is over', async () => {
    let signal: AbortSignal | undefined;
    const { run } = callsOn(
      hangs((given) => {
        signal = given;
      }),
    );
    assert.deepEqual(await run('hangs'), failed('The tool took longer than 0.02 s'));
    assert.equal(signal?.aborted, true);
  });

  it('has the time that it asks for', async () => {
    const later = Promise.withResolvers<string>();
    const { run } = callsOn(
      tool('slow', { timeoutMs: 60_000, run: () => later.promise }),
      hangs(() => 0),
    );
    const slow = run('slow');
    await run('hangs');
    later.resolve('there');
    assert.deepEqual(await slow, gave('there'));
  });

  it('is left behind when the turn is cancelled, and not begun after that', async () => {
    const turn = new AbortController();
    let begun = 0;
    const { run } = callsOn(
      hangs(() => {
        begun++;
        turn.abort();
      }),
    );
    const cancelled = failed('The call was cancelled');
    assert.deepEqual(await run('hangs', {}, { signal: turn.signal }), cancelled);
    assert.deepEqual(await run('hangs', {}, { signal: turn.signal }), cancelled);
    assert.equal(begun, 1);
  });

  it('may fail or end later: nobody hears of it', async () => {
    const late = Promise.withResolvers<string>();
    const { run, failures } = callsOn(tool('late', { run: () => late.promise }));
    assert.equal((await run('late')).failed, true);
    late.reject(new Error('too late'));
    await late.promise.catch(() => undefined);
    assert.deepEqual(failures, []);
  });

  it('and heeds its signal tells the reason that counts', async () => {
    const heeds = tool('heeds', {
      run: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    });
    assert.deepEqual(await callsOn(heeds).run('heeds'), failed('The tool took longer than 0.02 s'));
  });
});

describe('megabytes', () => {
  it('are cut, with a word on how much was', async () => {
    const { run } = callsOn(tool('big', { run: async () => 'x'.repeat(5_000_000) }));
    const { result } = await run('big');
    assert.equal(result, `${'x'.repeat(300)}\n[Cut here: 4,999,700 more characters]`);
  });

  it('of an error too', async () => {
    const refusal = new HarkError('BAD_REQUEST', { message: 'y'.repeat(5_000_000) });
    const { run } = callsOn(tool('big', { run: () => Promise.reject(refusal) }));
    assert.equal((await run('big')).result.length, 307);
  });
});

const thing = fc.anything({ withBigInt: true, withMap: true, withSparseArray: true });

it.prop([thing, fc.boolean(), fc.string()])(
  'whatever a tool throws or gives, and whatever is asked of it, there is an answer',
  async (value, throws, name) => {
    const { run } = callsOn(
      tool('a', { run: () => (throws ? Promise.reject(value) : Promise.resolve(value)) }),
    );
    const { result, failed: isFailed } = await run('a');
    assert.ok(result.length <= 400 && result.isWellFormed());
    assert.ok(!throws || isFailed);
    assert.equal(typeof (await run(name)).result, 'string');
  },
);
