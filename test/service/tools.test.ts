import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { calls, callsBadly, says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';

interface Reply {
  readonly text: string;
  readonly metadata: { readonly toolCallCount: number; readonly toolTokens: number };
}

describe('the tools of a turn', () => {
  const set = modelledService({ SERVICE_TOOL_MAX_TOOLS: '20' });

  const say = async (text: string) => {
    const { status, body } = await set.service.ask<Reply>('POST', '/api/chat', { body: { text } });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  test('are shown to the model, and counted', async () => {
    set.models.script(says('Hello'));
    const { metadata } = await say('Hi');
    assert.deepEqual(set.models.requests.find(({ endpoint }) => endpoint === 'chat')?.tools, [
      'clock_now',
      'memory_ask_about_user',
      'memory_correct',
      'memory_forget',
      'memory_remember',
      'memory_search',
      'notify_send',
      'schedule_cancel',
      'schedule_create',
      'schedule_list',
      'session_status',
      'system_health',
      'voice_listen',
      'voice_speak',
      'workflow_list',
      'workflow_run',
      'discover_tools',
    ]);
    assert.ok(metadata.toolTokens > 100 && metadata.toolTokens < 2_000, String(metadata.toolTokens));
  });

  test('run, and tell the model what they found', async () => {
    set.models.script([says(calls('system_health')), says('All is well')]);
    const { text, metadata } = await say('How are you?');
    assert.deepEqual([text, metadata.toolCallCount], ['All is well', 1]);
    const { status, services, metrics } = JSON.parse(set.toldLast);
    assert.equal(status, 'healthy');
    assert.ok('event-log' in services);
    assert.deepEqual(Object.keys(metrics).sort(), [
      'activeSessions',
      'errorsPerMinute',
      'latency',
      'requestsPerMinute',
    ]);
  });

  for (const [what, call, error] of [
    ['an unknown session', calls('session_status', { sessionId: 'x' }), /^Error: Session not found$/],
    [
      'arguments that do not fit',
      calls('session_status', { sessionId: 7 }),
      /^Error: .*sessionId: .*must be a text/,
    ],
    [
      'arguments that are no JSON',
      callsBadly('session_status', '{"sess'),
      /^Error: The arguments must be a JSON object/,
    ],
    [
      'a tool that is not there',
      calls('make_coffee'),
      /^Error: There is no tool "make_coffee"\. There are: clock.now, memory/,
    ],
  ] as const)
    test(`tell the model of ${what}, which may go on`, async () => {
      set.models.script([says(call), says('I see')]);
      assert.equal((await say('Try it')).text, 'I see');
      assert.match(set.toldLast, error);
    });
});
