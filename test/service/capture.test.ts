import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { bytesOf, temporaryFolder } from '../support/dataDirectory.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';
import { CaptureClient, PICTURE, WAVE } from './captureClient.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const OPEN = { API_RATE_LIMIT: '1000000', CHAT_RATE_LIMIT: '1000000' };

let users = 0;

describe('capture', () => {
  const directory = temporaryFolder('capture');
  let service: InProcessService;
  beforeAll(async () => {
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    service = await InProcessService.start({ ...OPEN, SERVICE_VOICE_STT_MODEL: 'off', ...store });
  });
  afterAll(() => service.stop());
  const client = () => new CaptureClient(service, `cap-${++users}`);

  test('is not allowed to a device until the user says so', async () => {
    const user = client();
    const before = await user.get('/api/capture/consent?deviceId=kitchen');
    assert.deepEqual(before.body, {
      deviceId: 'kitchen',
      captureConsent: { enabled: false, jurisdiction: '', consentGivenAt: 0, consentLevel: 'none' },
    });
    const refused = await user.post('/api/capture/start', { deviceId: 'kitchen', modalities: ['audio'] });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.errorCode, 'CONSENT_MISSING');
    const given = await user.consent('kitchen', 'passive', { jurisdiction: 'DE-BE' });
    const captureConsent = given.body.captureConsent as Record<string, unknown>;
    assert.equal(given.status, 200);
    assert.equal(captureConsent.enabled, true);
    assert.equal(captureConsent.jurisdiction, 'DE-BE');
    assert.ok(Number(captureConsent.consentGivenAt) >= TEST_NOW);
    for (const modalities of [[], ['smell'], 'audio', undefined])
      assert.equal((await user.post('/api/capture/start', { deviceId: 'kitchen', modalities })).status, 400);
    const started = await user.post('/api/capture/start', { deviceId: 'kitchen', modalities: ['audio'] });
    assert.equal(started.status, 201);
    assert.equal(started.body.state, 'active');
    assert.equal(typeof started.body.correlationId, 'string');
    const { body: log } = await user.get('/api/events?type=capture.consent.given');
    assert.equal((log.events as { id: string }[])[0]?.id, started.body.consentEventId);
    const { body } = await user.get('/api/capture/streams');
    const [stream] = body.streams as Record<string, unknown>[];
    assert.equal(body.count, 1);
    assert.equal(stream?.consentEventId, started.body.consentEventId);
    assert.equal(stream?.consentLevel, 'passive');
    assert.equal(stream?.state, 'active');
  });

  test('stops a stream once, and knows no other', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive');
    const stopped = await user.post('/api/capture/stop', { streamId });
    assert.equal(stopped.status, 200);
    assert.equal(stopped.body.state, 'stopped');
    assert.equal(stopped.body.streamId, streamId);
    assert.equal(typeof stopped.body.durationMs, 'number');
    assert.equal((await user.post('/api/capture/stop', { streamId })).status, 404);
    assert.equal((await user.post('/api/capture/stop', { streamId: 'none' })).status, 404);
    assert.equal((await user.post('/api/capture/stop', {})).status, 400);
    const late = await user.segment(streamId, { text: 'too late' });
    assert.equal(late.status, 409);
    assert.equal(late.body.errorCode, 'CAPTURE_STREAM_STOPPED');
    assert.equal((await user.segment('none', { text: 'nowhere' })).status, 404);
  });

  test('makes an episode of the words of a stream that stops, with the way back to the segment', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive');
    const told = await user.segment(streamId, { text: 'I moved to Quedlinburg last month.' });
    assert.equal(told.status, 202);
    assert.equal(told.body.state, 'done');
    const kept = await user.topic('capture.words.settled');
    await user.post('/api/capture/stop', { streamId });
    await kept();
    const { body } = await user.get('/api/memory/episodes');
    const [episode] = body.episodes as Record<string, unknown>[];
    assert.equal(episode?.type, 'CAPTURE');
    const { body: known } = await user.get('/api/memory/conclusions');
    const [conclusion] = known.conclusions as { id: string; text: string }[];
    assert.match(conclusion?.text ?? '', /Quedlinburg/);
    const why = await user.get(`/api/memory/conclusions/${conclusion?.id}/why`);
    assert.match(why.text, new RegExp(`captured \\(segment ${told.body.segmentId} of stream ${streamId}\\)`));
  });

  test('makes an episode every ten minutes of a stream that goes on', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive');
    await user.segment(streamId, { text: 'We want to paint the hall in a dark green.' });
    const kept = await user.topic('capture.words.settled');
    for (let passed = 0; passed < 10 * MINUTE; passed += 50 * SECOND) {
      await service.advance(50 * SECOND);
      assert.equal((await user.segment(streamId, { text: `And then ${passed}` })).status, 202);
    }
    await kept();
    const { body } = await user.get('/api/capture/streams');
    assert.equal((body.streams as { state: string }[])[0]?.state, 'active');
  });

  test('stops a stream that gives no sign of life for a minute', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive');
    const stopped = await user.topic('capture.stream.stopped');
    await service.advance(59 * SECOND);
    assert.equal((await user.segment(streamId, { text: 'still here' })).status, 202);
    await service.advance(60 * SECOND);
    assert.deepEqual((await stopped()).because, 'silent');
    assert.equal((await user.segment(streamId, { text: 'back' })).status, 409);
  });

  test('refuses media at `passive` while nothing turns them into words, and keeps none', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive', ['audio', 'video', 'neural']);
    for (const media of [
      { modality: 'audio', mimeType: 'audio/wav', content: WAVE },
      { modality: 'video', mimeType: 'image/png', content: PICTURE },
    ]) {
      const refused = await user.segment(streamId, media);
      assert.equal(refused.status, 503, refused.text);
      assert.equal(refused.body.errorCode, 'CAPTURE_NOT_UNDERSTOOD');
    }
    const values = await user.segment(streamId, { modality: 'neural', values: [0.1, 0.2] });
    assert.equal(values.body.state, 'dropped');
    assert.deepEqual(mediaFiles(directory), []);
  });

  test('keeps media at `active` for a day at most', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active', ['audio', 'neural']);
    const sealed = await user.segment(streamId, { mimeType: 'audio/wav', content: WAVE });
    assert.equal(sealed.status, 202, sealed.text);
    assert.equal(sealed.body.state, 'waiting');
    await user.segment(streamId, { modality: 'neural', values: [1, 2, 3] });
    assert.equal(mediaFiles(directory).length, 2);
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes('RIFF'), name);
    const dropped = await user.topic('capture.segment.dropped');
    await service.advance(23 * HOUR);
    assert.equal(mediaFiles(directory).length, 2);
    await service.advance(HOUR + SECOND);
    assert.equal((await dropped()).because, 'not-in-time');
    await user.until(() => mediaFiles(directory).length === 0);
  });

  test('keeps media at `full` as `storeAudio` says', async () => {
    const user = client();
    await user.put(`/api/users/${user.id}/preferences`, { storeAudio: true });
    const streamId = await user.start('kitchen', 'full', ['audio', 'neural']);
    await user.segment(streamId, { mimeType: 'audio/wav', content: WAVE });
    const values = await user.segment(streamId, { modality: 'neural', values: [1] });
    assert.equal(values.body.state, 'done');
    await service.advance(25 * HOUR);
    assert.equal(mediaFiles(directory).length, 2);
    const erased = await user.topic('capture.media.erased');
    await user.ask('DELETE', '/api/memory', { confirm: true });
    await erased();
    await user.until(() => mediaFiles(directory).length === 0);
  });

  test('ends at once without consent, and drops what is not words yet', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active');
    const other = await user.start('hall', 'passive');
    await user.segment(streamId, { mimeType: 'audio/wav', content: WAVE });
    await user.segment(streamId, { text: 'I adore the town of Wernigerode.' });
    const kept = await user.topic('capture.words.settled');
    assert.equal(
      (await user.put('/api/capture/consent', { deviceId: 'kitchen', enabled: false })).status,
      200,
    );
    assert.deepEqual(mediaFiles(directory), []);
    assert.equal((await user.segment(streamId, { text: 'more' })).status, 409);
    assert.equal((await user.segment(other, { text: 'I still talk here' })).status, 202);
    await kept();
    const again = await user.post('/api/capture/start', { deviceId: 'kitchen', modalities: ['audio'] });
    assert.equal(again.status, 400);
    const none = await user.consent('hall', 'none');
    assert.equal((none.body.captureConsent as { enabled: boolean }).enabled, false);
    assert.equal((await user.segment(other, { text: 'more' })).status, 409);
  });

  test('keeps nothing of a segment that was on its way when consent was revoked', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active');
    const facts = { modality: 'audio', startedAt: 1, durationMs: 1_000 };
    for (const given of [
      { ...facts, text: 'I adore the town of Blankenburg.' },
      { ...facts, mimeType: 'audio/wav', content: WAVE },
    ]) {
      const body = Buffer.from(JSON.stringify(given));
      const sending = request(`${service.url}/api/capture/streams/${streamId}/segments`, {
        method: 'POST',
        headers: { 'x-user-id': user.id, 'content-type': 'application/json', 'content-length': body.length },
      });
      const answered = once(sending, 'response');
      // The service has begun to read it by the time at which it answers the next request of the same process.
      await new Promise((resolve) => sending.write(body.subarray(0, 20), resolve));
      await user.put('/api/capture/consent', { deviceId: 'kitchen', enabled: false });
      sending.end(body.subarray(20));
      const [answer] = await answered;
      assert.equal(answer.statusCode, 409);
      answer.resume();
      assert.deepEqual(mediaFiles(directory), []);
    }
    assert.ok(!(await user.get('/api/events?limit=1000')).text.includes('Blankenburg'));
  });

  test('has several streams of one device, each with what comes by it', async () => {
    const user = client();
    const streamIds = [await user.start('kitchen', 'passive'), await user.start('kitchen', 'passive')];
    const [first = '', second = ''] = streamIds;
    assert.notEqual(first, second);
    await user.segment(first, { text: 'I moved to Halberstadt.' });
    await user.segment(second, { text: 'I have a dog called Mops.' });
    await user.segment(second, { text: 'It likes the snow.' });
    const settled = await user.topic('capture.words.settled');
    assert.equal((await user.post('/api/capture/stop', { streamId: first })).status, 200);
    assert.equal((await settled()).streamId, first);
    assert.equal((await user.segment(first, { text: 'late' })).status, 409);
    assert.equal((await user.segment(second, { text: 'And the rain.' })).status, 202);
    const streams = async () =>
      (await user.get('/api/capture/streams')).body.streams as {
        streamId: string;
        state: string;
        segments: number;
      }[];
    const shown = (await streams()).map(({ streamId, state, segments }) => [streamId, state, segments]);
    assert.deepEqual(shown.sort(), [
      ...[[first, 'stopped', 1] as const, [second, 'active', 3] as const].sort(),
    ]);
    await user.put('/api/capture/consent', { deviceId: 'kitchen', enabled: false });
    assert.ok((await streams()).every(({ state }) => state === 'stopped'));
  });

  for (const preference of ['storeTranscripts', 'persistMemory'])
    test(`keeps nothing at any level where \`${preference}\` is off, as in conversations by voice`, async () => {
      const user = client();
      await user.put(`/api/users/${user.id}/preferences`, { [preference]: false });
      const streamId = await user.start('kitchen', 'full', ['audio', 'neural']);
      for (const given of [
        { text: 'I adore the town of Thale.' },
        { mimeType: 'audio/wav', content: WAVE },
        { modality: 'neural', values: [1, 2] },
      ])
        assert.equal((await user.segment(streamId, given)).body.state, 'dropped');
      assert.deepEqual(mediaFiles(directory), []);
      assert.ok(!(await user.get('/api/events?limit=1000')).text.includes('Thale'));
    });

  test('drops media that wait when consent is narrowed to words, and goes on', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active');
    const before = await user.get('/api/capture/streams');
    await user.segment(streamId, { mimeType: 'audio/wav', content: WAVE });
    await user.consent('kitchen', 'passive');
    assert.deepEqual(mediaFiles(directory), []);
    assert.equal((await user.segment(streamId, { text: 'words go on' })).body.state, 'done');
    const { body } = await user.get('/api/capture/streams');
    const idIn = (one: typeof before) =>
      (one.body.streams as { consentEventId: string }[])[0]?.consentEventId;
    const narrowed = await user.get('/api/events?type=capture.consent.narrowed');
    assert.notEqual(idIn(before), idIn({ ...before, body }));
    assert.equal((narrowed.body.events as { id: string }[])[0]?.id, idIn({ ...before, body }));
  });

  test('is paused for a while, whatever starts or comes', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active');
    const paused = await user.post('/api/capture/pause', {});
    assert.equal(paused.status, 200);
    for (const minutes of [0, -1, 10_081, 1.5, 'x'])
      assert.equal((await user.post('/api/capture/pause', { minutes })).status, 400);
    const { body } = await user.get('/api/capture/streams');
    assert.equal((body.streams as { state: string }[])[0]?.state, 'paused');
    assert.equal(body.pausedUntil, paused.body.pausedUntil);
    for (const refused of [
      await user.segment(streamId, { text: 'a secret' }),
      await user.segment(streamId, { mimeType: 'audio/wav', content: WAVE }),
      await user.post('/api/capture/start', { deviceId: 'kitchen', modalities: ['audio'] }),
    ]) {
      assert.equal(refused.status, 409);
      assert.equal(refused.body.errorCode, 'CAPTURE_PAUSED');
    }
    assert.equal((await user.consent('hall', 'full')).status, 200);
    const inHall = await user.post('/api/capture/start', { deviceId: 'hall', modalities: ['audio'] });
    assert.equal(inHall.status, 409);
    await service.advance(30 * MINUTE);
    assert.equal((await user.segment(streamId, { text: 'a secret' })).status, 409);
    const resumed = await user.post('/api/capture/resume', {});
    assert.deepEqual(resumed.body, { pausedUntil: null });
    const now = TEST_NOW + 100 * 24 * HOUR;
    assert.equal((await user.segment(streamId, { text: 'on air', startedAt: now })).body.state, 'done');
    assert.deepEqual(mediaFiles(directory), []);
    assert.ok(!(await user.get('/api/events?limit=1000')).text.includes('a secret'));
  });

  test('does not take later what was recorded in a pause', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive');
    const paused = await user.post('/api/capture/pause', { minutes: 60 });
    const from = Number(paused.body.pausedUntil) - HOUR;
    await service.advance(30 * MINUTE);
    await user.post('/api/capture/resume', {});
    const late = await user.segment(streamId, {
      text: 'overheard',
      startedAt: from + MINUTE,
      durationMs: MINUTE,
    });
    assert.equal(late.body.state, 'dropped');
    assert.ok(!(await user.get('/api/events?limit=1000')).text.includes('overheard'));
  });

  test('masks secrets, cards and ids before anything is written', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive');
    const text =
      'My password is hunter2, my card is 4111 1111 1111 1111 and my IBAN is DE89 3704 0044 0532 0130 00.';
    await user.segment(streamId, { text });
    const { body } = await user.get('/api/events?type=capture.segment.kept');
    const [event] = body.events as { data: Record<string, unknown> }[];
    assert.deepEqual(event?.data.masked, { secrets: 1, cards: 1, ids: 1 });
    assert.equal(
      event?.data.text,
      'My password is [secret], my card is [card number] and my IBAN is [id number].',
    );
  });

  test('looks at what content is, and not at what it is called', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active', ['audio', 'video', 'neural']);
    const wrong: readonly (readonly [object, number])[] = [
      [{ mimeType: 'audio/wav', content: PICTURE }, 400],
      [{ mimeType: 'image/png', content: PICTURE }, 400],
      [{ modality: 'video', mimeType: 'image/jpeg', content: PICTURE }, 400],
      [{ modality: 'video', mimeType: 'video/mp4', content: PICTURE }, 400],
      [{ mimeType: 'audio/pcm', content: PICTURE }, 400],
      [{ mimeType: 'text/html', content: WAVE }, 400],
      [{ content: WAVE }, 400],
      [{ mimeType: 'audio/wav', content: '***' }, 400],
      [{ mimeType: 'audio/wav', content: '' }, 400],
      [{ mimeType: 'audio/wav', content: WAVE, text: 'both' }, 400],
      [{ values: [1] }, 400],
      [{ modality: 'neural', values: ['x'] }, 400],
      [{ modality: 'neural', content: WAVE, mimeType: 'audio/wav' }, 400],
      [{}, 400],
      [{ text: 'x', startedAt: -1 }, 400],
      [{ text: 'x', durationMs: 10 ** 9 }, 400],
      [{ text: 'x', speaker: '<b>' }, 400],
    ];
    for (const [given, status] of wrong)
      assert.equal((await user.segment(streamId, given)).status, status, JSON.stringify(given));
    assert.deepEqual(mediaFiles(directory), []);
    const only = await user.start('hall', 'active');
    assert.equal((await user.segment(only, { modality: 'video', text: 'x' })).status, 400);
  });

  test('takes 1 MB and not one byte more', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active');
    const most = Buffer.alloc(1_048_576, 1);
    const more = Buffer.alloc(1_048_577, 1);
    for (const bytes of [most, more]) Buffer.from(WAVE, 'base64').copy(bytes);
    const content = (bytes: Buffer) => ({ mimeType: 'audio/wav', content: bytes.toString('base64') });
    assert.equal((await user.segment(streamId, content(most))).status, 202);
    assert.equal((await user.segment(streamId, content(more))).status, 413);
    assert.equal((await user.segment(streamId, content(Buffer.alloc(3_000_000, 1)))).status, 413);
    assert.equal(mediaFiles(directory).length, 1);
    await user.put('/api/capture/consent', { deviceId: 'kitchen', enabled: false });
  });

  test('keeps nothing of who wants nothing remembered', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'full');
    await user.put(`/api/users/${user.id}/preferences`, { persistMemory: false });
    const words = await user.segment(streamId, { text: 'I was never here' });
    assert.equal(words.body.state, 'dropped');
    assert.equal(
      (await user.segment(streamId, { mimeType: 'audio/wav', content: WAVE })).body.state,
      'dropped',
    );
    assert.deepEqual(mediaFiles(directory), []);
    assert.ok(!(await user.get('/api/events?limit=1000')).text.includes('never here'));
  });

  test('leaves another user alone', async () => {
    const one = client();
    const other = client();
    const streamId = await one.start('kitchen', 'passive');
    assert.equal((await other.segment(streamId, { text: 'x' })).status, 404);
    assert.equal((await other.post('/api/capture/stop', { streamId })).status, 404);
    assert.deepEqual((await other.get('/api/capture/streams')).body.streams, []);
  });

  test('forgets the last minutes with all that was drawn from them alone, in every file', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'active');
    const settled = await user.topic('capture.words.settled');
    await user.segment(streamId, { text: 'I moved to Tangermuende in spring.' });
    await user.post('/api/capture/stop', { streamId });
    await settled();
    await service.advance(30 * MINUTE);
    const next = await user.start('kitchen', 'active');
    const again = await user.topic('capture.words.settled');
    await user.segment(next, { text: 'I am allergic to zirkelnuts.' });
    await user.post('/api/capture/stop', { streamId: next });
    await again();
    const third = await user.start('kitchen', 'active');
    await user.segment(third, { text: 'I have a dog called Brumbelchen.' });
    await user.segment(third, { mimeType: 'audio/wav', content: WAVE });
    assert.ok((await user.get('/api/memory/conclusions')).text.includes('zirkelnuts'));
    const answer = await user.post('/api/capture/forget', { minutes: 5 });
    assert.equal(answer.status, 200);
    assert.deepEqual(
      { ...answer.body, conclusions: Number(answer.body.conclusions) > 0 },
      { segments: 3, episodes: 1, conclusions: true },
    );
    for (const [name, bytes] of bytesOf(directory)) {
      assert.ok(!bytes.includes('zirkelnuts'), name);
      assert.ok(!bytes.includes('Brumbelchen'), name);
    }
    assert.deepEqual(mediaFiles(directory), []);
    const all = await Promise.all(
      ['/api/memory/conclusions', '/api/memory/episodes', '/api/events?limit=1000'].map((path) =>
        user.get(path),
      ),
    );
    for (const { text } of all) assert.ok(!/zirkelnuts|Brumbelchen/.test(text));
    assert.ok((await user.get('/api/memory/conclusions')).text.includes('Tangermuende'));
    assert.equal((await user.segment(third, { text: 'It goes on.' })).status, 202);
    for (const minutes of [0, -5, 'x', undefined])
      assert.equal((await user.post('/api/capture/forget', { minutes })).status, 400);
  });

  test('keeps of an episode what was said before the minutes that are forgotten', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive');
    await user.segment(streamId, { text: 'I moved to Gernrode in spring.' });
    await service.advance(50 * SECOND);
    await user.segment(streamId, { text: 'Something dull.' });
    await service.advance(50 * SECOND);
    await user.segment(streamId, { text: 'I am allergic to klopsbeeren.' });
    const settled = await user.topic('capture.words.settled');
    await user.post('/api/capture/stop', { streamId });
    await settled();
    const answer = await user.post('/api/capture/forget', { minutes: 1.5 });
    assert.equal(answer.body.episodes, 1);
    const beliefs = (await user.get('/api/memory/conclusions')).text;
    assert.ok(beliefs.includes('Gernrode'));
    assert.ok(!beliefs.includes('klopsbeeren'));
    const { body } = await user.get('/api/memory/episodes');
    assert.equal((body.episodes as unknown[]).length, 1);
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes('klopsbeeren'), name);
  });

  test('sums up what is ambient, and drops its words', async () => {
    const user = client();
    const streamId = await user.start('kitchen', 'passive', ['audio'], 'ambient');
    await user.segment(streamId, {
      text: 'We talked about the new bridge in Thale for a while.',
      speaker: 'Anna',
    });
    await user.segment(streamId, { text: 'Somebody said that the tram is late.' });
    const settled = await user.topic('capture.words.settled');
    await user.post('/api/capture/stop', { streamId });
    assert.equal((await settled()).as, 'summary');
    const { body } = await user.get('/api/memory/episodes');
    assert.equal((body.episodes as { type: string }[])[0]?.type, 'CAPTURE');
    const { body: log } = await user.get('/api/events?limit=1000');
    const events = log.events as { type: string; data: { text?: string | null } }[];
    assert.ok(!events.some(({ type }) => type === 'memory.conversation.imported'));
    assert.deepEqual(
      events.flatMap(({ type, data }) => (type === 'capture.segment.kept' ? [data.text] : [])),
      [null, null],
    );
  });
});

function mediaFiles(directory: string): readonly string[] {
  const folder = join(directory, 'capture');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name);
}
