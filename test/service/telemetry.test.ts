import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { calls, says, silent } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { hark, TemporaryFolder } from '../interfaces/cli/hark.ts';
import { type CollectedSpan, Collector } from '../support/collector.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { EventReader, InProcessService, ServiceProcess } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';
import { McpByHand } from './mcpClient.ts';
import { assertConventional } from './telemetryConventions.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;

const namesOf = (spans: readonly CollectedSpan[]) => spans.map(({ name }) => name).sort();
const named = (spans: readonly CollectedSpan[], name: string) => {
  const found = spans.find((span) => span.name === name);
  return found ?? assert.fail(`There is no span ${name} among ${namesOf(spans)}`);
};

describe('traces', () => {
  let collector: Collector;
  let models: ScriptedModels;
  let service: InProcessService;
  let chat: ChatClient;
  beforeAll(async () => {
    [collector, models] = await Promise.all([Collector.start(), ScriptedModels.start()]);
    service = await InProcessService.start({
      ...{ ...LIMITS, ...providersAt(models), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    await unsetBackgroundSlots(service);
    chat = new ChatClient(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await Promise.all([collector.stop(), models.stop()]);
  });

  test("of a turn with a tool and a recall have conventional names, and lie in the caller's trace", async () => {
    const stated = { text: 'I live in Oslo.', type: 'explicit' };
    const remembered = await service.ask('POST', '/api/memory/conclusions', { body: stated });
    assert.equal(remembered.status, 201, remembered.text);
    models.script([says('I look. ', calls('system_health', {}, 'call-1')), says('All is well in Oslo.')]);
    const said = { text: 'How is the machine in Oslo?', sessionId: 'kitchen' };
    const { status, headers, body } = await chat.say(said, { traceparent: TRACEPARENT });
    assert.equal(status, 200);
    assert.equal(headers.get('x-correlation-id'), TRACEPARENT);
    await collector.until('invoke_agent hark');
    const spans = collector.spans.items.filter(({ traceId }) => traceId === TRACE_ID);
    for (const span of spans) assertConventional(span);
    const model = String(body.metadata.model);
    assert.deepEqual(namesOf(spans), [
      ...[`chat ${model}`, `chat ${model}`, 'execute_tool system_health', 'invoke_agent hark'],
      ...['retrieval memory', 'search_memory memory'],
    ]);
    const turn = named(spans, 'invoke_agent hark');
    assert.equal(turn.parentSpanId, PARENT_ID);
    assert.equal(turn.attributes['gen_ai.conversation.id'], 'kitchen');
    const search = named(spans, 'search_memory memory');
    assert.equal(search.attributes['gen_ai.memory.record.count'], 1);
    assert.equal(named(spans, 'retrieval memory').parentSpanId, search.spanId);
    for (const span of spans.filter(({ name }) => !/^(invoke_agent|retrieval)/.test(name)))
      assert.equal(span.parentSpanId, turn.spanId, span.name);
    const [first, second] = spans.filter(({ name }) => name.startsWith('chat '));
    assert.deepEqual(first?.attributes['gen_ai.response.finish_reasons'], ['tool_call']);
    assert.deepEqual(second?.attributes['gen_ai.response.finish_reasons'], ['stop']);
    assert.equal(named(spans, 'execute_tool system_health').attributes['gen_ai.tool.call.id'], 'call-1');
    // The provider was told in which span it was asked.
    assert.deepEqual(
      models.requests.flatMap((request) => request.headers.traceparent ?? []),
      [first, second].map((span) => `00-${TRACE_ID}-${span?.spanId}-01`),
    );
    assert.doesNotMatch(collector.sent, /Oslo|All is well|I look/);
  });

  test('of a caller that records nothing are not sent', async () => {
    models.script([says('Yes.'), says('Yes.')]);
    const before = collector.spans.items.length;
    const unrecorded = `00-${'a'.repeat(32)}-${PARENT_ID}-00`;
    await chat.say({ text: 'Quietly?' }, { traceparent: unrecorded });
    await chat.say({ text: 'Loudly?' }, { 'x-correlation-id': 'loudly' });
    await collector.spans.until((items) =>
      items.slice(before).some(({ name }) => name === 'invoke_agent hark'),
    );
    assert.ok(collector.spans.items.every(({ traceId }) => traceId !== 'a'.repeat(32)));
  });

  test('tell what memory did, and where a call over MCP came from', async () => {
    const mcp = new McpByHand(service.mcpUrl);
    const traceparent = TRACEPARENT.replaceAll('4b', '5c');
    const params = { name: 'memory.search', arguments: { query: 'Oslo' }, _meta: { traceparent } };
    const answer = await mcp.post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    assert.equal(answer.messages[0]?.result?.isError ?? false, false, answer.text);
    await collector.until('tools/call memory.search');
    const served = named(collector.spans.items, 'tools/call memory.search');
    assertConventional(served);
    assert.deepEqual([served.traceId, served.parentSpanId], [traceparent.slice(3, 35), PARENT_ID]);
    assert.ok(
      collector.spans.items.some(
        ({ traceId, name }) => traceId === served.traceId && name === 'search_memory memory',
      ),
    );
    const { body } = await service.get<{ conclusions: readonly { id: string }[] }>('/api/memory/conclusions');
    const [{ id = '' } = {}] = body.conclusions;
    const correlation = { headers: { 'x-correlation-id': 'forgets' } };
    assert.equal((await service.ask('DELETE', `/api/memory/conclusions/${id}`, correlation)).status, 200);
    assert.equal((await service.ask('POST', '/api/memory/maintain', correlation)).status, 200);
    await collector.until('invoke_workflow memory_sweep');
    for (const name of ['create_memory memory', 'delete_memory memory', 'invoke_workflow memory_sweep'])
      assertConventional(named(collector.spans.items, name));
    assert.equal(
      named(collector.spans.items, 'delete_memory memory').attributes['gen_ai.memory.record.id'],
      id,
    );
  });
});

test('metrics are sent as /metrics shows them', async (t) => {
  const collector = await Collector.start();
  t.onTestFinished(() => collector.stop());
  const service = await InProcessService.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const shown = await service.get('/metrics');
  await service.stop();
  const names = new Set(collector.metrics.items.map(({ name }) => name));
  const declared = [...shown.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
  assert.deepEqual(
    declared.filter((name) => !names.has(name)),
    [],
  );
});

test('a turn whose process is killed has a whole trace, each span once; an export has the same, without what was erased', async (t) => {
  using folder = new TemporaryFolder();
  const [models, collector, again] = await Promise.all([
    ScriptedModels.start(),
    Collector.start(),
    Collector.start(),
  ]);
  t.onTestFinished(() => Promise.all([models.stop(), collector.stop(), again.stop()]).then(() => undefined));
  const environment = {
    ...{ ...LIMITS, ...providersAt(models), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    ...{ SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: folder.path },
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  };
  const first = new ServiceProcess(environment);
  const before = await first.ready();
  models.script([says('I look.', calls('system_health', {}, 'call-1')), silent()]);
  const steps = await EventReader.open(`${before.url}/api/events/stream?topics=chat.tool.returned`);
  const asked = before
    .ask('POST', '/api/chat', {
      body: { text: 'Tell of the herons.', sessionId: 'lake' },
      headers: { traceparent: TRACEPARENT },
    })
    .catch(() => undefined);
  while (!(await steps.next())?.data);
  first.child.kill('SIGKILL');
  await Promise.all([asked, first.exitCode()]);

  const second = new ServiceProcess(environment);
  const after = await second.ready();
  const spans = await collector.until('invoke_agent hark');
  const turn = named(spans, 'invoke_agent hark');
  assert.deepEqual([turn.attributes['error.type'], turn.status.code], ['interrupted', 2]);
  const whole = spans.filter(({ traceId }) => traceId === TRACE_ID);
  assert.deepEqual(
    namesOf(whole).map((name) => name.split(' ')[0]),
    ['chat', 'execute_tool', 'invoke_agent', 'search_memory'],
  );
  assert.equal(new Set(whole.map(({ spanId }) => spanId)).size, whole.length);
  assert.match(collector.sent, /herons/);
  assert.equal((await after.ask('DELETE', '/api/memory')).status, 200);
  await second.stop();

  const exported = await hark(['otel', 'export', '--since', '0', '--data-dir', folder.path], {
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: again.url,
  });
  assert.equal(exported.code, 0, exported.stderr);
  const idsOf = (all: readonly CollectedSpan[]) =>
    all
      .filter(({ traceId, name }) => traceId === TRACE_ID && name !== 'retrieval memory')
      .map(({ spanId }) => spanId);
  assert.deepEqual(idsOf(again.spans.items).sort(), idsOf(collector.spans.items).sort());
  assert.doesNotMatch(again.sent, /herons/);
});

test('what memory makes of a session lies in its consolidation', async (t) => {
  const [collector, models] = await Promise.all([Collector.start(), ScriptedModels.start()]);
  t.onTestFinished(() => Promise.all([models.stop(), collector.stop()]).then(() => undefined));
  const service = await InProcessService.start({
    ...{ ...LIMITS, ...providersAt(models), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  await unsetBackgroundSlots(service);
  const chat = new ChatClient(service);
  models.script(() => says('Oslo is a fine town.'));
  for (const text of ['I moved to Oslo in May and work as a baker.', 'My sister Anna lives in Bergen.'])
    await chat.say({ text, sessionId: 'evening' });
  await chat.end('evening', { traceparent: TRACEPARENT });
  const spans = await collector.until('invoke_workflow memory_consolidation');
  const whole = named(spans, 'invoke_workflow memory_consolidation');
  assertConventional(whole);
  assert.deepEqual([whole.traceId, whole.parentSpanId], [TRACE_ID, PARENT_ID]);
  assert.equal(whole.attributes['gen_ai.conversation.id'], 'evening');
  const made = spans.filter(({ name, traceId }) => name === 'create_memory memory' && traceId === TRACE_ID);
  assert.ok(made.length > 0);
  for (const span of made) assert.equal(span.parentSpanId, whole.spanId);
  await service.stop();
});
