import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { calls, resets, says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { contextOf } from '../../src/tracing/context.ts';
import { type CollectedSpan, Collector } from '../support/collector.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { Receiver } from '../support/receiver.ts';
import { as, published, SchedulerClient } from '../support/scheduler.ts';
import { InProcessService } from '../support/service.ts';
import { tool } from '../support/tools.ts';
import { VoiceClient } from '../support/voiceClient.ts';
import { ChatClient, LIMITS } from './chatClient.ts';
import { assertConventional } from './telemetryConventions.ts';

interface Events {
  readonly events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}

describe('one id leads from what was asked to its events, its spans and the lines of the log', () => {
  let collector: Collector;
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    [collector, models] = await Promise.all([Collector.start(), ScriptedModels.start()]);
    const breaks = tool('oven.bake', { run: () => Promise.reject(new TypeError('private-recipe')) });
    const environment = { ...LIMITS, ...providersAt(models), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    service = await InProcessService.start(
      { ...environment, SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true' },
      { onTools: (tools) => tools.register('test', breaks) },
    );
    await unsetBackgroundSlots(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await Promise.all([collector.stop(), models.stop()]);
  });

  const bakes = () => says('I bake. ', calls('oven_bake', {}, 'call-1'));
  const eventsOf = async (correlationId: string, user = 'default') => {
    const path = `/api/events?correlationId=${encodeURIComponent(correlationId)}`;
    const { body } = await service.get<Events>(path, as(user));
    return body.events;
  };
  const spansOf = async (correlationId: string, last: string): Promise<readonly CollectedSpan[]> => {
    const { traceId } = contextOf(correlationId);
    const own = (spans: readonly CollectedSpan[]) => spans.filter((span) => span.traceId === traceId);
    const spans = await collector.spans.until((all) => own(all).some(({ name }) => name === last));
    return own(spans);
  };
  /** Of tools that broke. */
  const logged = (correlationId: string) =>
    service.logged
      .split('\n')
      .filter((line) => line.includes('oven.bake') && JSON.parse(line).correlationId === correlationId);

  const assertFound = async (correlationId: string, user?: string) => {
    const types = (await eventsOf(correlationId, user)).map(({ type }) => type);
    for (const type of ['chat.message.received', 'chat.tool.returned', 'chat.reply.sent'])
      assert.ok(types.includes(type), `${type} among ${types}`);
    const spans = await spansOf(correlationId, 'invoke_agent hark');
    const names = spans.map(({ name }) => name);
    assert.ok(
      names.includes('execute_tool oven.bake') || names.includes('execute_tool oven_bake'),
      `${names}`,
    );
    assert.equal(logged(correlationId).length, 1);
    return spans;
  };

  test('of chat, where a model that does not answer has a span of its own', async () => {
    models.script([bakes(), says('Done.')]);
    const chat = new ChatClient(service);
    const { headers } = await chat.say({ text: 'Bake' }, { 'x-correlation-id': 'asks-1' });
    assert.equal(headers.get('x-correlation-id'), 'asks-1');
    await assertFound('asks-1');
    models.script(resets(), { provider: 'cloud-a' }).script(says('Here.'), { provider: 'cloud-b' });
    await chat.say({ text: 'Again' }, { 'x-correlation-id': 'asks-2' });
    const spans = await spansOf('asks-2', 'invoke_agent hark');
    for (const span of spans) assertConventional(span);
    const turn = spans.find(({ name }) => name === 'invoke_agent hark');
    const asked = spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'chat');
    assert.deepEqual(
      asked.map(({ attributes, parentSpanId }) => [
        attributes['gen_ai.provider.name'],
        attributes['error.type'],
        parentSpanId === turn?.spanId,
      ]),
      [
        ['anthropic', 'network', true],
        ['openai', undefined, true],
      ],
    );
    const [failed, answered] = asked;
    assert.ok(Number(failed?.endTimeUnixNano) <= Number(answered?.startTimeUnixNano));
  });

  test('of a task that is due, whose run has the turn in it', async () => {
    models.script([bakes(), says('Done.')]);
    const ann = new SchedulerClient(service, 'ann');
    const reader = await ann.listen('topics=schedule.run.*');
    const said = { eventTopic: 'agent.prompt.requested', payload: { text: 'Bake' } };
    const { id } = await ann.create({ scheduleType: 'interval', intervalMs: 60_000, ...said });
    await service.advance(60_000);
    const { event, data } = await published(reader);
    assert.equal(event, 'schedule.run.succeeded');
    reader.close();
    await ann.ask('DELETE', `/${id}`);
    const { occurrenceId } = data.data;
    const ended = await eventsOf(occurrenceId, 'ann');
    assert.ok(ended.some(({ type }) => type === 'schedule.task.fired'));
    await spansOf(occurrenceId, 'invoke_workflow scheduled_task');
    const spans = await assertFound(occurrenceId, 'ann');
    const run = spans.find(({ name }) => name === 'invoke_workflow scheduled_task');
    const turn = spans.find(({ name }) => name === 'invoke_agent hark');
    assert.ok(run);
    assertConventional(run);
    assert.equal(run.attributes['hark.task.id'], id);
    assert.equal(turn?.parentSpanId, run.spanId);
  });

  test('of a voice session', async () => {
    models.script([bakes(), says('Done.')]);
    const headers = { 'x-correlation-id': 'speaks-1', 'x-user-id': 'ben' };
    const voice = await VoiceClient.open(service.voicePort, '/v1/realtime', { headers });
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Bake' }] };
    voice.send({ type: 'conversation.item.create', item });
    voice.send({ type: 'response.create', response: { output_modalities: ['text'] } });
    await voice.told('response.done');
    voice.socket.close();
    await assertFound('speaks-1', 'ben');
  });

  test('of a webhook, which is handed the trace of what it tells', async (t) => {
    const receiver = await Receiver.start();
    t.onTestFinished(() => receiver.stop());
    const asked = { body: { url: receiver.url, topics: ['config:changed'] } };
    assert.equal((await service.ask('POST', '/api/webhooks', asked)).status, 201);
    const changed = { body: { chatRateLimit: 99_999 }, headers: { 'x-correlation-id': 'sets-1' } };
    assert.equal((await service.ask('PUT', '/api/settings', changed)).status, 200);
    const [told] = await receiver.received.count(1);
    assert.equal(JSON.parse(told?.body ?? '').data.correlationId, 'sets-1');
    assert.equal(told?.headers.traceparent?.slice(3, 35), contextOf('sets-1').traceId);
    assert.equal((await eventsOf('sets-1')).length, 1);
  });

  test('of a saga, which goes on under the id of what set it off', async () => {
    models.script(() => says('Oslo is a fine town.'));
    const chat = new ChatClient(service);
    await chat.say({ text: 'I moved to Oslo in May and work as a baker.', sessionId: 'evening' });
    await chat.end('evening', { 'x-correlation-id': 'ends-1' });
    const spans = await spansOf('ends-1', 'invoke_workflow memory_consolidation');
    assert.ok(spans.length > 1);
    const types = (await eventsOf('ends-1')).map(({ type }) => type);
    for (const type of ['sessionEnded', 'memory.conversation.consolidated'])
      assert.ok(types.includes(type), `${type} among ${types}`);
  });
});
