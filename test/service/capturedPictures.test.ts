import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { CaptureClient, PICTURE } from './captureClient.ts';

describe('a picture that is captured', () => {
  const running = modelledService();
  const shown = { modality: 'video', mimeType: 'image/png', content: PICTURE };

  test('is described at once at `passive`, and not kept', async () => {
    const user = new CaptureClient(running.service, 'pictures-passive');
    const streamId = await user.start('hall', 'passive', ['video']);
    running.models.script(says('A green hall. My name is Tom, and a card says 4111 1111 1111 1111.'));
    const taken = await user.segment(streamId, shown);
    assert.equal(taken.status, 202, taken.text);
    assert.equal(taken.body.state, 'done');
    const { body } = await user.get('/api/events?type=capture.segment.kept');
    const [event] = body.events as { data: Record<string, unknown> }[];
    assert.equal(event?.data.described, true);
    assert.equal(event?.data.text, 'A green hall. My name is Tom, and a card says [card number].');
    const settled = await user.topic('capture.words.settled');
    await user.post('/api/capture/stop', { streamId });
    await settled();
    assert.deepEqual((await user.get('/api/memory/conclusions')).body.conclusions, []);
  });

  test('waits at `active` until it is described', async () => {
    const user = new CaptureClient(running.service, 'pictures-active');
    const streamId = await user.start('hall', 'active', ['video']);
    const described = await user.topic('capture.segment.transcribed');
    running.models.script(says('A bicycle leans at the wall.'));
    assert.equal((await user.segment(streamId, shown)).body.state, 'waiting');
    assert.equal((await described()).text, 'A bicycle leans at the wall.');
  });

  test('in which there is nothing to see is dropped', async () => {
    const user = new CaptureClient(running.service, 'pictures-empty');
    const streamId = await user.start('hall', 'passive', ['video']);
    running.models.script(says(' '));
    assert.equal((await user.segment(streamId, shown)).body.state, 'dropped');
  });
});
