import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe } from 'vitest';
import { InProcessService } from '../support/service.ts';
import { VoiceClient } from '../support/voiceClient.ts';

/*
 * Whatever is sent, what comes back is well formed, the connection answers or is closed with a code that says why, and
 * nothing of it is a fault of ours.
 */

let service: InProcessService;
beforeAll(async () => {
  service = await InProcessService.start({ OLLAMA_HOST: 'http://127.0.0.1:9' });
});
afterAll(() => service.stop());

const types = [
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'input_audio_buffer.clear',
  'output_audio_buffer.clear',
  'conversation.item.create',
  'conversation.item.retrieve',
  'conversation.item.delete',
  'conversation.item.truncate',
  'response.create',
  'response.cancel',
  'hark.playback',
  'response.done',
];

const word = fc.constantFrom(
  'realtime',
  'item_1',
  'root',
  'user',
  'message',
  'server_vad',
  'audio/pcm',
  'auto',
  '',
  'x',
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small' },
  word,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(0, -1, 1e308, null, true, 24_000),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('base64')),
);

const item = fc.record(
  {
    id: word,
    type: fc.constantFrom('message', 'function_call', 'function_call_output', 'mcp_call'),
    role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
    content: fc.array(
      fc.record(
        {
          type: fc.constantFrom('input_text', 'input_audio', 'output_text', 'input_image', 'audio'),
          text: value,
          transcript: value,
        },
        { requiredKeys: ['type'] },
      ),
      { maxLength: 3 },
    ),
    call_id: word,
    output: value,
    name: value,
    arguments: value,
  },
  { requiredKeys: ['type'] },
);

const session = fc.record(
  {
    type: fc.constantFrom('realtime', 'transcription'),
    instructions: value,
    output_modalities: fc.array(fc.constantFrom('audio', 'text', 'smell'), { maxLength: 3 }),
    tools: fc.array(fc.record({ type: fc.constantFrom('function', 'mcp'), name: value, parameters: value }), {
      maxLength: 3,
    }),
    tool_choice: value,
    turn_detection: value,
    audio: fc.record(
      {
        input: fc.record(
          { format: value, transcription: value, turn_detection: value },
          { requiredKeys: [] },
        ),
        output: fc.record({ format: value, voice: value, speed: value }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
    capture: value,
  },
  { requiredKeys: [] },
);

const event = fc
  .record(
    {
      type: fc.constantFrom(...types),
      event_id: value,
      session: fc.oneof(session, value),
      audio: value,
      item: fc.oneof(item, value),
      previous_item_id: word,
      item_id: word,
      content_index: value,
      audio_end_ms: value,
      response: value,
      response_id: value,
      responseId: word,
      playedMs: value,
    },
    { requiredKeys: ['type'] },
  )
  .map((given) => JSON.stringify(given));

const frame = fc
  .record({
    version: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 2),
    stream: fc.constantFrom(0, 0, 0, 0, 0, 2, 1),
    flags: fc.nat(15),
    sequence: fc.oneof(fc.nat(20), fc.nat(2 ** 32 - 1)),
    offset: fc.oneof(fc.nat(2_000), fc.nat(2 ** 32 - 1)),
    audio: fc.uint8Array({ maxLength: 700 }),
  })
  .map(({ version, stream, flags, sequence, offset, audio }) => {
    const bytes = Buffer.alloc(12 + audio.length);
    bytes.writeUInt8(version, 0);
    bytes.writeUInt8(stream, 1);
    bytes.writeUInt16BE(flags, 2);
    bytes.writeUInt32BE(sequence, 4);
    bytes.writeUInt32BE(offset, 8);
    bytes.set(audio, 12);
    return bytes;
  });

const message = fc.oneof(
  { weight: 8, arbitrary: event },
  { weight: 4, arbitrary: frame },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
);

describe.each(['/ws/audio', '/v1/realtime'])('%s', (path) => {
  test.prop([fc.array(message, { minLength: 1, maxLength: 30 })], { numRuns: 60 })(
    'takes whatever is sent, or says what is wrong with it',
    async (messages) => {
      const client = await VoiceClient.open(service.voicePort, path);
      for (const one of messages) client.socket.send(one);
      const settled = client.settled().then(
        () => undefined,
        () => undefined,
      );
      const outcome = await Promise.race([settled, client.closed]);
      if (outcome) assert.equal(outcome.code, 1008);
      for (const { type, event_id, ...rest } of client.events) {
        assert.equal(typeof type, 'string');
        assert.match(String(event_id), /^event_/);
        if (type !== 'error') continue;
        const { error } = rest;
        assert.deepEqual(Object.keys(Object(error)), ['type', 'code', 'message', 'param', 'event_id']);
        assert.notEqual(Object(error).code, 'internal_error');
      }
      client.close();
      await client.closed;
    },
  );
});

test('nothing of it was a fault, and the service is well', async () => {
  assert.doesNotMatch(service.logged, /an event failed|a connection failed|"level":"(error|fatal)"/);
  assert.equal((await service.get('/health')).status, 200);
});

test('a million tiny frames are heard, and others are answered meanwhile', async () => {
  const flood = await VoiceClient.open(service.voicePort, '/ws/audio');
  const other = await VoiceClient.open(service.voicePort, '/v1/realtime');
  flood.send({ type: 'session.update', session: { audio: { input: { turn_detection: null } } } });
  await flood.told('session.updated');
  const tiny = (sequence: number) => {
    const bytes = Buffer.alloc(14);
    bytes.writeUInt8(1, 0);
    bytes.writeUInt32BE(sequence, 4);
    bytes.writeUInt32BE(sequence, 8);
    return bytes;
  };
  const frames = 1_000_000;
  let longest = 0;
  for (let sequence = 0; sequence < frames; sequence++) {
    flood.socket.send(tiny(sequence));
    if (sequence % 50_000 !== 0) continue;
    const asked = performance.now();
    await other.settled();
    longest = Math.max(longest, performance.now() - asked);
    while (flood.socket.bufferedAmount > 1_048_576) await new Promise((resolve) => setImmediate(resolve));
  }
  await flood.settled();
  assert(flood.events.every(({ type }) => type !== 'hark.gap'));
  assert(longest < 2_000, `${longest}`);
  flood.close();
  other.close();
});
