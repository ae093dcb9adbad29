import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';
import { VoiceClient } from '../support/voiceClient.ts';
import { CaptureClient } from './captureClient.ts';

const SECOND = 16_000;

/** Frames of stream 2, a second in all. */
function second(from: number, { ends }: { ends: boolean }): Buffer[] {
  return Array.from({ length: 50 }, (_, at) => {
    const bytes = Buffer.alloc(12 + 640);
    bytes.writeUInt8(1, 0);
    bytes.writeUInt8(2, 1);
    bytes.writeUInt16BE(ends && at === 49 ? 2 : 0, 2);
    bytes.writeUInt32BE(from * 50 + at, 4);
    bytes.writeUInt32BE(from * SECOND + at * 320, 8);
    return bytes;
  });
}

describe('what is captured over a WebSocket', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', OLLAMA_HOST: 'http://127.0.0.1:9' });
  });
  afterAll(() => service.stop());
  const open = (user: string) =>
    VoiceClient.open(service.voicePort, '/ws/audio', { headers: { 'x-user-id': user } });
  const capture = (streamId: string | null) => ({
    type: 'session.update',
    session: { type: 'realtime', capture: streamId === null ? null : { streamId } },
  });

  test('is a segment for each utterance, and one for what is left at the end', async () => {
    const ann = new CaptureClient(service, 'ann');
    const streamId = await ann.start('phone', 'active');
    const taken = await ann.topic('capture.segment.sealed');
    const client = await open('ann');
    client.send(capture(streamId));
    assert.deepEqual(Object((await client.told('session.updated')).session).capture, { streamId });
    for (const frame of second(0, { ends: true })) client.socket.send(frame);
    const first = await taken();
    assert.deepEqual([first.streamId, first.modality, first.durationMs], [streamId, 'audio', 1_000]);
    const last = await ann.topic('capture.segment.sealed');
    for (const frame of second(1, { ends: false })) client.socket.send(frame);
    await client.settled();
    client.close();
    assert.equal((await last()).durationMs, 1_000);
  });

  test('is refused as it is over REST', async () => {
    const ben = new CaptureClient(service, 'ben');
    const streamId = await ben.start('phone', 'active');
    await ben.post('/api/capture/pause', {});
    const client = await open('ben');
    client.send(capture(streamId));
    for (const frame of second(0, { ends: true })) client.socket.send(frame);
    assert.equal((await client.refusal()).code, 'CAPTURE_PAUSED');
    client.send(capture('unknown'));
    for (const frame of second(1, { ends: true })) client.socket.send(frame);
    const { code, type } = await client.refusal();
    assert.deepEqual([type, code], ['invalid_request_error', 'CAPTURE_STREAM_UNKNOWN']);
    client.send(capture(null));
    await client.settled();
    const [frame] = second(2, { ends: true });
    client.socket.send(frame ?? '');
    assert.equal((await client.refusal()).code, 'invalid_frame');
    client.close();
  });
});
