import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { VoiceEvent } from '../../src/application/voice/conversation.ts';
import { addDevice, changeDevice } from '../support/devices.ts';
import { knock } from '../support/handshake.ts';
import { ScriptedRooms } from '../support/scriptedRooms.ts';
import { InProcessService } from '../support/service.ts';
import { VoiceClient } from '../support/voiceClient.ts';

const rooms = new ScriptedRooms();
let service: InProcessService;
beforeAll(async () => {
  service = await InProcessService.start({}, { voiceRooms: async () => rooms });
});
afterAll(() => service.stop());

const onRealtime = (path = '/v1/realtime') => VoiceClient.open(service.voicePort, path);
const onFrames = (path = '/ws/audio') => VoiceClient.open(service.voicePort, path);
const update = (session: object) => ({ type: 'session.update', session: { type: 'realtime', ...session } });

function frame(
  sequence: number,
  offset: number,
  samples: number,
  { flags = 0, stream = 0, version = 1 }: { flags?: number; stream?: number; version?: number } = {},
): Buffer {
  const bytes = Buffer.alloc(12 + samples * 2, 1);
  bytes.writeUInt8(version, 0);
  bytes.writeUInt8(stream, 1);
  bytes.writeUInt16BE(flags, 2);
  bytes.writeUInt32BE(sequence, 4);
  bytes.writeUInt32BE(offset, 8);
  return bytes;
}

/** The last thousandth of a second comes with what follows it. */
function near(samples: number, expected: number): void {
  assert(samples <= expected && samples > expected - 40, `${samples} of ${expected}`);
}

describe('a session', () => {
  test('begins with all that it is', async () => {
    const client = await VoiceClient.open(service.port, '/v1/realtime?model=gpt-realtime', {
      protocols: ['realtime'],
    });
    assert.equal(client.socket.protocol, 'realtime');
    client.send(update({}));
    const { event_id, session } = await client.told('session.updated');
    assert.match(String(event_id), /^event_[0-9a-f]{16}[0-9a-z]{4}$/);
    assert.deepEqual(session, {
      type: 'realtime',
      object: 'realtime.session',
      id: rooms.last.sessionId,
      model: 'gpt-realtime',
      output_modalities: ['audio'],
      instructions: '',
      tools: [],
      tool_choice: 'auto',
      max_output_tokens: 'inf',
      tracing: null,
      truncation: 'auto',
      prompt: null,
      expires_at: 0,
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          transcription: null,
          noise_reduction: null,
          turn_detection: {
            type: 'server_vad',
            threshold: 0.5,
            prefix_padding_ms: 300,
            silence_duration_ms: 500,
            idle_timeout_ms: null,
            create_response: true,
            interrupt_response: true,
          },
        },
        output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'default', speed: 1 },
      },
      include: null,
    });
    assert.deepEqual((await client.told('hark.state')).state, 'listening');
    client.close();
  });

  test('is changed in what is named, and nothing else', async () => {
    const client = await onRealtime();
    client.send(
      update({
        instructions: 'Be brief.',
        output_modalities: ['text'],
        max_output_tokens: 100,
        tools: [
          { type: 'function', name: 'weather', description: 'Tells it', parameters: { type: 'object' } },
        ],
        tool_choice: { type: 'function', name: 'weather' },
        audio: {
          input: {
            format: { type: 'audio/pcmu' },
            transcription: { model: 'any', language: 'en' },
            turn_detection: { type: 'semantic_vad', eagerness: 'low', interruption_ms: 0 },
            noise_reduction: { type: 'near_field' },
          },
          output: { voice: { id: 'ann' }, speed: 1.5 },
        },
        tracing: 'auto',
      }),
    );
    await client.told('session.updated');
    client.send(update({ audio: { input: { turn_detection: null } } }));
    const session = Object((await client.told('session.updated')).session);
    assert.deepEqual(
      [session.instructions, session.output_modalities, session.max_output_tokens, session.tool_choice],
      ['Be brief.', ['text'], 100, 'required'],
    );
    assert.deepEqual(session.audio.input.format, { type: 'audio/pcmu' });
    assert.equal(session.audio.input.turn_detection, null);
    assert.deepEqual(session.audio.input.transcription, { model: 'any', language: 'en' });
    assert.deepEqual([session.audio.output.voice, session.audio.output.speed], ['ann', 1.5]);
    const { options, calls } = rooms.last;
    assert.deepEqual([options.language, options.speechRate, options.detection], ['en', 24_000, null]);
    const [, first] = calls[0] ?? [];
    assert.equal(Object(first).detection.interruptionMs, 0);
    client.close();
  });

  test('is changed by older names too', async () => {
    const client = await onRealtime();
    client.send({
      type: 'session.update',
      session: {
        modalities: ['text', 'audio'],
        input_audio_format: 'g711_ulaw',
        output_audio_format: 'g711_alaw',
        input_audio_transcription: { model: 'whisper-1' },
        turn_detection: { type: 'server_vad', threshold: 0.7, silence_duration_ms: 200 },
        voice: 'alloy',
        max_response_output_tokens: 'inf',
      },
    });
    const session = Object((await client.told('session.updated')).session);
    assert.deepEqual(session.audio.input.format, { type: 'audio/pcmu' });
    assert.deepEqual(session.audio.output.format, { type: 'audio/pcma' });
    assert.deepEqual(session.output_modalities, ['audio']);
    assert.equal(session.audio.input.turn_detection.silence_duration_ms, 200);
    assert.equal(rooms.last.options.speechRate, 8_000);
    client.close();
  });

  const wrong = [
    ['no type', { instructions: 'x' }, 'missing_required_parameter', 'session.type'],
    ['another type', { type: 'transcription' }, 'invalid_value', 'session.type'],
    [
      'a threshold of 2',
      { type: 'realtime', turn_detection: { type: 'server_vad', threshold: 2 } },
      'invalid_value',
    ],
    [
      'a rate of 8000',
      { type: 'realtime', audio: { input: { format: { type: 'audio/pcm', rate: 8_000 } } } },
    ],
    [
      '16000 without frames',
      { type: 'realtime', audio: { input: { format: { type: 'audio/pcm', rate: 16_000 } } } },
    ],
    [
      'a tool of a server',
      { type: 'realtime', tools: [{ type: 'mcp', server_label: 'x' }] },
      'invalid_value',
    ],
    ['a voice that is refused', { type: 'realtime', voice: 'forbidden' }, 'bad_request'],
    ['no session', undefined, 'missing_required_parameter', 'session'],
  ] as const;
  for (const [name, session, code = 'invalid_value', param] of wrong)
    test(`is not changed by ${name}`, async () => {
      const client = await onRealtime();
      client.send({ type: 'session.update', event_id: 'mine', session });
      const error = Object(await client.refusal());
      assert.deepEqual([error.type, error.code, error.event_id], ['invalid_request_error', code, 'mine']);
      if (param !== undefined) assert.equal(error.param, param);
      client.close();
    });
});

describe('events', () => {
  const bad = [
    ['not json', '{', 'invalid_json', null],
    ['a list', '[]', 'invalid_event', null],
    ['null', 'null', 'invalid_event', null],
    ['no type', '{"event_id":"e"}', 'missing_required_parameter', 'type'],
    ['an unknown type', '{"type":"response.jump"}', 'invalid_value', 'type'],
    ['a type of an object', '{"type":{}}', 'invalid_value', 'type'],
    ['no item', '{"type":"conversation.item.create"}', 'missing_required_parameter', 'item'],
    ['audio that is a number', '{"type":"input_audio_buffer.append","audio":7}', 'invalid_value', 'audio'],
    ['no audio', '{"type":"input_audio_buffer.append"}', 'invalid_value', 'audio'],
    [
      'audio that is no base64',
      '{"type":"input_audio_buffer.append","audio":"%%%%"}',
      'invalid_value',
      'audio',
    ],
    ['half a sample', '{"type":"input_audio_buffer.append","audio":"AAAA"}', 'invalid_value', 'audio'],
    [
      'depth',
      `{"type":"session.update","session":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'invalid_json',
      null,
    ],
    ['a prototype', '{"type":"session.update","__proto__":{}}', 'invalid_json', null],
    [
      'a far end',
      '{"type":"conversation.item.truncate","item_id":"i","content_index":0,"audio_end_ms":-1}',
      'invalid_value',
      'audio_end_ms',
    ],
  ] as const;
  for (const [name, text, code, param] of bad)
    test(`are refused with ${name}, and the connection stays`, async () => {
      const client = await onRealtime();
      client.send(text);
      const error = Object(await client.refusal());
      assert.deepEqual([error.type, error.code, error.param], ['invalid_request_error', code, param]);
      await client.settled();
      client.close();
    });

  test('reach the conversation', async () => {
    const client = await onRealtime();
    const { calls } = rooms.last;
    const item = {
      id: 'item_1',
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Hi' }],
    };
    client.send({ type: 'conversation.item.create', previous_item_id: 'root', item });
    client.send({ type: 'conversation.item.retrieve', item_id: 'item_1' });
    client.send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: 'call_1', output: '{}' },
    });
    client.send({ type: 'input_audio_buffer.commit' });
    client.send({ type: 'input_audio_buffer.clear' });
    client.send({ type: 'response.create' });
    client.send({ type: 'response.create', response: { output_modalities: ['text'], metadata: { a: 'b' } } });
    client.send({ type: 'response.cancel' });
    client.send({ type: 'response.cancel', response_id: 'resp_1' });
    client.send({ type: 'output_audio_buffer.clear' });
    client.send({ type: 'hark.playback', responseId: 'resp_1', playedMs: 120.4 });
    client.send({ type: 'conversation.item.truncate', item_id: 'item_1', content_index: 0, audio_end_ms: 0 });
    client.send({ type: 'conversation.item.delete', item_id: 'item_1' });
    await client.settled();
    const status = 'completed';
    const [first, second, ...others] = calls;
    assert.deepEqual(first, ['add', { ...item, status }, null]);
    assert.equal(second?.[0], 'add');
    assert.equal(second?.[2], undefined);
    assert.deepEqual(others, [
      ['commit', undefined],
      ['clear'],
      ['respond', {}],
      ['respond', { modality: 'text', metadata: { a: 'b' } }],
      ['cancel', undefined],
      ['cancel', 'resp_1'],
      ['stopSpeaking'],
      ['played', 'resp_1', 120],
      ['truncate', 'item_1', 0],
      ['remove', 'item_1'],
    ]);
    const shown = { id: 'item_1', object: 'realtime.item', type: 'message', status, role: 'user' };
    assert.deepEqual((await client.told('conversation.item.retrieved')).item, {
      ...shown,
      content: item.content,
    });
    const added = await client.told('conversation.item.added');
    assert.equal(added.previous_item_id, null);
    assert.equal(Object(await client.told('conversation.item.truncated')).audio_end_ms, 0);
    client.close();
  });

  test('of a response carry what a client said of it', async () => {
    const client = await onRealtime();
    const begins = async (id: string, metadata?: Record<string, string>) => {
      const response = { id, status: 'in_progress', output: [], metadata } as const;
      rooms.last.tell({ type: 'response_created', response });
      return Object((await client.told('response.created')).response).metadata;
    };
    assert.equal(await begins('resp_1'), null);
    assert.deepEqual(await begins('resp_2', { of: 'one' }), { of: 'one' });
    client.close();
  });

  test('of the conversation are told in their order, by the names of the API', async () => {
    const client = await onRealtime();
    client.send(update({ audio: { input: { transcription: { model: 'any' } } } }));
    await client.told('session.updated');
    const { tell } = rooms.last;
    const place = { responseId: 'resp_1', itemId: 'item_2', outputIndex: 0, contentIndex: 0 };
    const words = [{ word: 'Hello', start: 0, end: 0.4, confidence: 0.9 }];
    const content = [{ type: 'output_audio', transcript: 'Hello' }] as const;
    const item = { id: 'item_2', type: 'message', role: 'assistant', status: 'completed', content } as const;
    const response = { id: 'resp_1', status: 'completed', output: [item] } as const;
    client.events.length = 0;
    const told: readonly VoiceEvent[] = [
      { type: 'speech_started', itemId: 'item_1', atMs: 100 },
      { type: 'speech_stopped', itemId: 'item_1', atMs: 900 },
      { type: 'committed', itemId: 'item_1', previousItemId: null },
      { type: 'transcript_delta', itemId: 'item_1', delta: 'Hel' },
      { type: 'transcript', itemId: 'item_1', text: 'Hello', words },
      { type: 'transcript_failed', itemId: 'item_1', code: 'STT_UNAVAILABLE', message: 'Nobody hears' },
      { type: 'response_created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'output_item_added', responseId: 'resp_1', index: 0, item },
      { type: 'content_part_added', place, part: { type: 'output_audio', transcript: '' } },
      { type: 'speech_words', place, delta: 'Hello', words },
      { type: 'audio', place, samples: Int16Array.of(1, 2), isFirst: true, isLowered: false },
      { type: 'audio_done', place },
      { type: 'speech_words_done', place, text: 'Hello' },
      { type: 'content_part_done', place, part: { type: 'output_audio', transcript: 'Hello' } },
      { type: 'output_item_done', responseId: 'resp_1', index: 0, item },
      { type: 'arguments_delta', place, callId: 'call_1', name: 'weather', text: '{' },
      { type: 'arguments_done', place, callId: 'call_1', name: 'weather', text: '{}' },
      { type: 'response_done', response: { ...response, usage: { inputTokens: 3, outputTokens: 2 } } },
      { type: 'text_delta', place, delta: 'a' },
      { type: 'text_done', place, text: 'ab' },
      { type: 'error', code: 'turn_failed', message: 'It failed', eventId: 'mine' },
    ];
    for (const event of told) tell(event);
    await client.told('error');
    const at = { response_id: 'resp_1', item_id: 'item_2', output_index: 0, content_index: 0 };
    const { contentIndex: _, ...rest } = place;
    assert.equal(rest.outputIndex, 0);
    const events = client.events.map(({ event_id, ...event }) => event);
    assert.equal(new Set(client.events.map(({ event_id }) => event_id)).size, client.events.length);
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        'input_audio_buffer.committed',
        'conversation.item.input_audio_transcription.delta',
        'conversation.item.input_audio_transcription.completed',
        'conversation.item.input_audio_transcription.failed',
        'response.created',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_audio_transcript.delta',
        'response.output_audio.delta',
        'response.output_audio.done',
        'response.output_audio_transcript.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.done',
        'response.output_text.delta',
        'response.output_text.done',
      ],
    );
    const [started, , committed] = events;
    assert.deepEqual(started, {
      type: 'input_audio_buffer.speech_started',
      audio_start_ms: 100,
      item_id: 'item_1',
    });
    assert.equal(committed?.previous_item_id, null);
    assert.deepEqual(Object(events[4]).words, words);
    assert.deepEqual(events[8], {
      type: 'response.content_part.added',
      ...at,
      part: { type: 'audio', transcript: '' },
    });
    assert.deepEqual(events[10], { type: 'response.output_audio.delta', ...at, delta: 'AQACAA==' });
    const done = Object(Object(events[17]).response);
    assert.deepEqual(
      [done.status, done.usage.total_tokens, done.output[0].content],
      ['completed', 5, content],
    );
    client.close();
  });

  test('tell what was said where a transcription is wanted, and nothing of it elsewhere', async () => {
    const client = await onRealtime();
    const said = { type: 'transcript', itemId: 'item_1', text: 'Hello', words: [] } as const;
    rooms.last.tell(said);
    await client.settled();
    assert.deepEqual(
      client.events.map(({ type }) => type),
      ['hark.state'],
    );
    client.close();
    const framed = await onFrames();
    rooms.last.tell(said);
    assert.equal(
      (await framed.told('conversation.item.input_audio_transcription.completed')).transcript,
      'Hello',
    );
    framed.close();
  });
});

describe('audio', () => {
  const base64 = (samples: number) => Buffer.alloc(samples * 2, 1).toString('base64');

  test('is heard at 16000 whatever it comes in', async () => {
    const client = await onRealtime();
    client.send({ type: 'input_audio_buffer.append', audio: base64(2_400) });
    await client.settled();
    near(rooms.last.heard, 1_600);
    client.send(update({ audio: { input: { format: { type: 'audio/pcma' } } } }));
    client.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(800).toString('base64') });
    await client.settled();
    near(rooms.last.heard, 3_200);
    client.close();
  });

  test('of half a minute is taken in one event, and others are answered meanwhile', async () => {
    const client = await onRealtime();
    const other = await onRealtime();
    const [first] = rooms.conversations.slice(-2);
    const seconds = 30;
    client.send({ type: 'input_audio_buffer.append', event_id: 'long', audio: base64(24_000 * seconds) });
    await other.settled();
    await client.settled();
    near(first?.heard ?? 0, 16_000 * seconds);
    client.close();
    other.close();
  });

  test('that is not base64 somewhere in the middle is heard up to there', async () => {
    const client = await onRealtime();
    const audio = base64(24_000);
    client.send({
      type: 'input_audio_buffer.append',
      audio: `${audio.slice(0, 32_000)}%%%%${audio.slice(32_004)}`,
    });
    assert.equal((await client.refusal()).code, 'invalid_value');
    near(rooms.last.heard, 8_000);
    await client.settled();
    client.close();
  });

  test('that is too much for one message ends the connection', async () => {
    const client = await onRealtime();
    client.send({ type: 'input_audio_buffer.append', audio: base64(7_000_000) });
    assert.equal((await client.closed).code, 1009);
    assert.equal(await rooms.last.gone, false);
  });

  test('that never ends is kept within a bound, whoever sends it', async () => {
    const clients = await Promise.all(Array.from({ length: 40 }, () => onRealtime()));
    const part = Buffer.alloc(2_000_000, 0x20);
    for (const { socket } of clients) socket.send(part, { binary: false, fin: false });
    assert.equal((await Promise.race(clients.map(({ closed }) => closed))).code, 1009);
    const open = clients.filter(({ socket }) => socket.readyState === socket.OPEN);
    assert(open.length >= 25, `${open.length}`);
    for (const { socket } of clients) socket.terminate();
    const other = await onRealtime();
    await other.settled();
    other.close();
  });

  test('is told at the rate that was asked for, though others in the session have another', async () => {
    const one = await onFrames();
    const { tell } = rooms.last;
    const place = { responseId: 'resp_1', itemId: 'item_1', outputIndex: 0, contentIndex: 0 };
    rooms.last.options = { ...rooms.last.options, speechRate: 24_000 };
    tell({ type: 'audio', place, samples: new Int16Array(480), isFirst: true, isLowered: false });
    near(((await one.frame()).length - 12) / 2, 320);
    one.close();
  });
});

describe('frames', () => {
  test('are heard, and begin and end utterances', async () => {
    const client = await onFrames();
    const { calls } = rooms.last;
    client.socket.send(frame(0, 0, 320, { flags: 1 }));
    client.socket.send(frame(1, 320, 320));
    client.socket.send(frame(2, 640, 0, { flags: 2 }));
    await client.settled();
    assert.deepEqual([rooms.last.heard, calls], [640, [['commit', false]]]);
    client.send({ type: 'session.update', session: { audio: { input: { turn_detection: null } } } });
    client.socket.send(frame(3, 640, 0, { flags: 2 }));
    await client.settled();
    assert.deepEqual(calls.at(-1), ['commit', true]);
    client.close();
  });

  test('carry speech in return, in its order', async () => {
    const client = await onFrames();
    const place = { responseId: 'resp_1', itemId: 'item_1', outputIndex: 0, contentIndex: 0 };
    const audio = { type: 'audio', place, samples: Int16Array.of(1, -2), isLowered: false } as const;
    rooms.last.tell({ ...audio, isFirst: true });
    rooms.last.tell({ ...audio, isFirst: false });
    rooms.last.tell({ type: 'audio_done', place });
    const frames = [await client.frame(), await client.frame(), await client.frame()];
    assert.deepEqual(
      frames.map((bytes) => [...bytes]),
      [
        [1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xfe, 0xff],
        [1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0xfe, 0xff],
        [1, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 4],
      ],
    );
    await client.told('response.output_audio.done');
    client.close();
  });

  test('of what is captured are counted too where they are missing', async () => {
    const gaps = async () => (await service.ask<{ gaps: number }>('GET', '/api/voice/stats')).body.gaps;
    const before = await gaps();
    const client = await onFrames();
    client.send(update({ capture: { streamId: 'phone' } }));
    client.socket.send(frame(0, 0, 320, { stream: 2 }));
    client.socket.send(frame(2, 640, 320, { stream: 2 }));
    const { stream, from, to } = await client.told('hark.gap');
    assert.deepEqual([stream, from, to], [2, 320, 640]);
    assert.equal(await gaps(), before + 1);
    client.close();
  });

  test('that are missing are told, and heard as silence, ten seconds at most', async () => {
    const client = await onFrames();
    client.send({
      type: 'session.update',
      session: { audio: { input: { format: { type: 'audio/pcm', rate: 24_000 } } } },
    });
    client.socket.send(frame(0, 0, 480));
    client.socket.send(frame(2, 960, 480));
    const { stream, from, to } = await client.told('hark.gap');
    assert.deepEqual([stream, from, to], [0, 480, 960]);
    client.socket.send(frame(2, 960, 480));
    client.socket.send(frame(1, 480, 480));
    client.socket.send(frame(9, 2_000_000_000, 480));
    await client.settled();
    assert.equal(rooms.last.missed, 320 + 160_000);
    near(rooms.last.heard, 3 * 320);
    client.close();
  });

  const bad: readonly (readonly [string, Buffer])[] = [
    ['of another version', frame(0, 0, 1, { version: 2 })],
    ['of the stream of speech', frame(0, 0, 1, { stream: 1 })],
    ['of an unknown stream', frame(0, 0, 1, { stream: 9 })],
    ['for capture that nobody asked for', frame(0, 0, 1, { stream: 2 })],
    ['with half a sample', frame(0, 0, 1).subarray(0, 13)],
    ['without a header', Buffer.from([1, 0])],
    ['with nothing', Buffer.alloc(0)],
    ['over 64 KiB', frame(0, 0, 33_000)],
  ];
  for (const [name, bytes] of bad)
    test(`${name} are refused, and three of them end the connection`, async () => {
      const client = await onFrames();
      for (const times of [1, 2]) {
        client.socket.send(bytes);
        assert.equal((await client.refusal()).code, 'invalid_frame', `${times}`);
      }
      await client.settled();
      client.socket.send(bytes);
      assert.equal((await client.closed).code, 1008);
      assert.equal(await rooms.last.gone, false);
    });

  test('are nothing for /v1/realtime', async () => {
    const client = await onRealtime();
    client.socket.send(frame(0, 0, 1));
    assert.equal((await client.refusal()).code, 'invalid_frame');
    client.close();
  });
});

describe('a connection', () => {
  test('takes up a session that is known', async () => {
    const client = await onFrames('/ws/audio?session=known');
    assert.equal(rooms.last.sessionId, 'known');
    client.close();
    assert.equal((await knock(service.port, '/ws/audio?session=other')).status, 404);
  });

  const codes = [
    [1000, true],
    [undefined, true],
    [1001, false],
    [3000, false],
  ] as const;
  for (const [code, ends] of codes)
    test(`closed with ${code ?? 'nothing'} ${ends ? 'ends' : 'leaves'} the session`, async () => {
      const client = await onFrames();
      client.socket.close(code);
      assert.equal(await rooms.last.gone, ends);
    });

  test('that is cut off leaves the session', async () => {
    const client = await onFrames();
    client.socket.terminate();
    assert.equal(await rooms.last.gone, false);
  });

  test('is closed with the session', async () => {
    const client = await onFrames();
    rooms.last.tell({ type: 'ended' });
    assert.deepEqual(await client.closed, { code: 1000, reason: 'The session has ended' });
  });

  test('of a device ends as soon as that may speak no more', async () => {
    const ear = await addDevice(service, { capabilities: { microphone: true } });
    const client = await VoiceClient.open(service.voicePort, '/ws/audio', { headers: ear.headers });
    assert.equal(rooms.last.caller.deviceId, ear.id);
    await changeDevice(service, ear.id, { status: 'suspended' });
    assert.equal((await client.closed).code, 1008);
  });

  test('that does not read is closed, and costs no more than its bound', async () => {
    const client = await onRealtime();
    const { tell } = rooms.last;
    client.socket.pause();
    const place = { responseId: 'resp_1', itemId: 'item_1', outputIndex: 0, contentIndex: 0 };
    const samples = new Int16Array(24_000);
    const before = process.memoryUsage();
    for (let times = 0; times < 2_000 && !rooms.last.isOver; times++) {
      tell({ type: 'audio', place, samples, isFirst: false, isLowered: false });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    assert(grown < 64 * 1_048_576, `${grown}`);
    client.socket.resume();
    assert([1006, 1008].includes((await client.closed).code));
  });

  test('of which there are too many is refused', async () => {
    const many = await InProcessService.start({}, { voiceRooms: async () => new ScriptedRooms() });
    const clients: VoiceClient[] = [];
    for (let count = 0; count < 256; count++)
      clients.push(await VoiceClient.open(many.voicePort, '/ws/audio'));
    const { status, headers } = await knock(many.port, '/v1/realtime');
    assert.deepEqual([status, headers['retry-after']], [429, '10']);
    clients[0]?.close();
    await clients[0]?.closed;
    await VoiceClient.open(many.voicePort, '/ws/audio');
    const closing = clients.slice(1).map(({ closed }) => closed);
    await many.stop();
    for (const { code } of await Promise.all(closing)) assert.equal(code, 1001);
  });
});
