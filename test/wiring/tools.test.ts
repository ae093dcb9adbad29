import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { settings as known, readConfig } from '../../src/config.ts';
import { HarkError } from '../../src/errors.ts';
import { HealthRegistry } from '../../src/interfaces/healthRegistry.ts';
import { healthOperations } from '../../src/interfaces/operations/health.ts';
import type { VoiceSession } from '../../src/interfaces/voiceSessions.ts';
import { RequestStatistics } from '../../src/requestStatistics.ts';
import { Tools } from '../../src/wiring/tools.ts';
import { tool } from '../support/tools.ts';

const clock = () => 1_700_000_000_000;
const context = { userId: 'ann', sessionId: null, correlationId: 'turn', origin: 'model' } as const;
const never = new AbortController().signal;

const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

/** The tools of the service, over health checks and voice sessions of the test. */
function start(
  test: Pick<TestContext, 'onTestFinished'>,
  sessions: Readonly<Record<string, readonly VoiceSession[]>> = {},
) {
  const failures: unknown[] = [];
  const voiceSessions = {
    of: (userId: string) => sessions[userId] ?? [],
    lastEndedAt: () => undefined,
    activeCount: () => Object.values(sessions).flat().length,
    openCount: () => assert.fail('Only the guard asks for those'),
  };
  const config = readConfig({});
  const value = (key: string) => known.get(key)?.startValue(config) ?? assert.fail(key);
  const settings = { value, number: (key: string) => Number(value(key)) };
  const health = new HealthRegistry();
  const statistics = new RequestStatistics(clock);
  const tools = new Tools({
    settings,
    models: { embed: () => assert.fail('Nothing is configured') },
    slots: { view: () => ({ slots: {}, strategy: 'none' }) },
    voiceSessions,
    habitsOf: async () => ({ timezone: 'Asia/Kathmandu', locale: 'en' }),
    kvstore: { onPresence: (listener) => listener(true) },
    scopeOf: () => undefined,
    clock,
    onFailure: (_what, error) => failures.push(error),
    patienceMs: undefined,
  });
  tools.offer(
    healthOperations({
      health,
      statistics,
      exposition: async () => '',
      clock,
      version: '1',
      notice: undefined,
      voiceSessions,
    }),
  );
  test.onTestFinished(() => tools.stop());
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const turn = await tools.selector.select({ userId: 'ann', text: 'hi', lately: [], signal: never });
    const { result } = await turn.run({ id: '1', name, input }, context, never);
    return { result, turn };
  };
  return { tools, health, statistics, call, failures };
}

describe('system.health', () => {
  it('tells how every part is, and the figures of the last minute', async (t) => {
    const session = { id: 'v', connectionId: 'c', isActive: true, isSpeaking: false, lastActivity: 1 };
    const { call, health, statistics } = start(t, { ann: [session], bob: [session] });
    health.register('kvstore', () => undefined);
    health.register('local-runner', () => {
      throw new HarkError('RUNNER_UNAVAILABLE');
    });
    for (const failed of [false, false, true]) statistics.record(4, failed);
    const { status, services, metrics, ...rest } = JSON.parse((await call('system.health')).result);
    assert.deepEqual([status, rest], ['degraded', {}]);
    assert.deepEqual(Object.keys(services).sort(), ['kvstore', 'local-runner']);
    assert.deepEqual(metrics, {
      requestsPerMinute: 3,
      errorsPerMinute: 1,
      activeSessions: 2,
      latency: { p50: 4, p95: 4, p99: 4 },
    });
  });
});

describe('session.status', () => {
  const session = { id: 'v1', connectionId: 'c1', isActive: true, isSpeaking: false, lastActivity: 5 };
  const sessions = {
    ann: [session, { ...session, id: 'v2', isActive: false }],
    bob: [{ ...session, id: 'v3' }],
  };

  it("lists the user's own sessions", async (t) => {
    const { result } = await start(t, sessions).call('session.status');
    const shown = [
      { id: 'v1', isActive: true },
      { id: 'v2', isActive: false },
    ];
    assert.deepEqual(JSON.parse(result), { sessions: shown, activeSessions: 1 });
    assert.equal((await start(t).call('session.status')).result, '{"sessions":[],"activeSessions":0}');
  });

  it('tells one of them in detail, and none of another user', async (t) => {
    const { call } = start(t, sessions);
    assert.deepEqual(JSON.parse((await call('session.status', { sessionId: 'v1' })).result), session);
    for (const sessionId of ['v3', '', 'no such'])
      assert.equal((await call('session.status', { sessionId })).result, 'Error: Session not found');
  });
});

describe('clock.now', () => {
  it('tells the time of the user', async (t) => {
    assert.deepEqual(JSON.parse((await start(t).call('clock.now')).result), {
      text: 'Wednesday, 15 November 2023, 03:58, Asia/Kathmandu (UTC+05:45)',
      iso: '2023-11-15T03:58:20+05:45',
      date: '2023-11-15',
      time: '03:58',
      weekday: 'Wednesday',
      timezone: 'Asia/Kathmandu',
      unixMs: clock(),
    });
  });
});

describe('discover_tools', () => {
  const home = (name: string, description: string) =>
    tool(`home.${name}`, { description, category: 'smart_home' });
  const many = [
    ...Array.from({ length: 10 }, (_, index) => home(`scene_${index}`, 'Sets a mood')),
    home('lamp', 'Turns a lamp on or off'),
  ];

  it('finds tools by what they do, and shows them', async (t) => {
    const { call, tools } = start(t);
    tools.registry.replace('home', many);
    const { result, turn } = await call('discover_tools', { query: 'switch the lamps off' });
    const found = [{ name: 'home.lamp', description: 'Turns a lamp on or off', category: 'smart_home' }];
    assert.deepEqual(JSON.parse(result), found);
    assert.deepEqual(names(turn.shown).slice(-2), ['discover_tools', 'home.lamp']);
  });

  it('keeps to a category, and shows what there is in it when nothing fits', async (t) => {
    const { call, tools } = start(t);
    tools.registry.replace('home', many);
    const found = async (input: Record<string, unknown>) =>
      names(JSON.parse((await call('discover_tools', input)).result));
    assert.deepEqual(await found({ query: 'health, mood', category: 'system' }), ['system.health']);
    assert.deepEqual(await found({ query: 'penguins', category: 'system' }), ['system.health']);
    assert.equal((await found({ query: 'penguins', category: 'smart_home' })).length, 8);
    assert.deepEqual(await found({ query: 'penguins' }), []);
  });

  it('has to be asked for something', async (t) => {
    const { result } = await start(t).call('discover_tools', {});
    assert.match(result, /^Error: The arguments do not fit: query: /);
  });
});

describe('a turn', () => {
  it('is shown all of the few tools that there are', async (t) => {
    const { call, failures } = start(t);
    const { turn } = await call('session.status');
    assert.deepEqual(names(turn.shown), [
      'clock.now',
      'session.status',
      'system.health',

      'discover_tools',
    ]);
    assert.ok(turn.tokens > 100 && turn.tokens < 600);
    assert.deepEqual(failures, []);
  });
});
