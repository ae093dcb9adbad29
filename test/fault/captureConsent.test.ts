import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { CaptureClient } from '../service/captureClient.ts';
import { EventReader, ServiceProcess } from '../support/service.ts';

interface Streams {
  readonly streams: readonly {
    readonly streamId: string;
    readonly deviceId: string;
    readonly consentEventId: string;
  }[];
}
interface Events {
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly deviceId?: string; readonly streamId?: string };
  }[];
}

/** What is done, and at what it is killed: what was told by then may be on its way to the disk, or acknowledged. */
const moments = [
  { kill: 'when consent was asked to be given', after: '' },
  { kill: 'when consent was told of', after: 'capture.consent.given' },
  { kill: 'when the stream was told of', after: 'capture.stream.started' },
  { kill: 'when words were told of', after: 'capture.segment.kept' },
] as const;

describe('a process that is killed between consent and stream', () => {
  it('leaves no stream without the consent that it names, and no words without a stream', async (test) => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-consent-'));
    const environment = { SERVICE_DATA_DIR: directory, SERVICE_KVSTORE_URL: 'embedded' };
    const outcomes: string[] = [];
    try {
      for (const [index, { kill, after }] of moments.entries()) {
        const deviceId = `device-${index}`;
        const doomed = new ServiceProcess(environment);
        const before = await doomed.ready();
        const user = new CaptureClient(before, 'ann');
        const news = await EventReader.open(
          `${before.url}/api/events/stream?topics=${after || 'capture.*'}`,
          {
            'x-user-id': 'ann',
          },
        );
        let acknowledged = 0;
        const doing = (async () => {
          await user.consent(deviceId, 'passive');
          acknowledged++;
          const body = { deviceId, modalities: ['audio'] };
          const { streamId } = (await user.post('/api/capture/start', body)).body;
          acknowledged++;
          await user.segment(String(streamId), { text: 'Something dull.' });
          acknowledged++;
        })().catch(() => undefined);
        if (after !== '') await news.next();
        await doomed.stop('SIGKILL');
        await doing;

        const next = new ServiceProcess(environment);
        const service = await next.ready();
        const as = { 'x-user-id': 'ann' };
        const { streams } = (await service.get<Streams>('/api/capture/streams', as)).body;
        const { events } = (await service.get<Events>('/api/events?limit=1000', as)).body;
        const of = (type: string) => events.filter((event) => event.type === type);
        const given = of('capture.consent.given');
        const consents = new Set(given.map(({ id }) => id));
        for (const { consentEventId } of streams) assert.ok(consents.has(consentEventId), consentEventId);
        const [stream] = streams.filter((one) => one.deviceId === deviceId);
        const isThere = [
          given.some(({ data }) => data.deviceId === deviceId),
          stream !== undefined,
          of('capture.segment.kept').some(({ data }) => data.streamId === stream?.streamId),
        ];
        assert.deepEqual(isThere, isThere.toSorted().reverse(), 'nothing without what it stands on');
        assert.ok(isThere.slice(0, acknowledged).every(Boolean), 'what was acknowledged is gone');
        outcomes.push(`${kill}: ${acknowledged} acknowledged`);
        await next.stop();
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    await test.annotate(outcomes.join('; '));
  });
});
