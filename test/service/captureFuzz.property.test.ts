import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { afterAll, beforeAll, describe } from 'vitest';
import { InProcessService } from '../support/service.ts';
import { CaptureClient, PICTURE, WAVE } from './captureClient.ts';

const names = [
  ...[
    'deviceId',
    'enabled',
    'jurisdiction',
    'consentLevel',
    'modalities',
    'captureMode',
    'streamId',
    'minutes',
  ],
  ...['modality', 'startedAt', 'durationMs', 'speaker', 'mimeType', 'content', 'text', 'values'],
  ...['limit', 'at', '__proto__', 'constructor'],
];
const values = fc.oneof(
  fc.constantFrom('kitchen', 'full', 'passive', 'none', 'ambient', 'audio', 'video', 'neural', 'own', 'user'),
  fc.constantFrom<unknown>(
    'audio/wav',
    'image/png',
    'audio/pcm',
    WAVE,
    PICTURE,
    'AA',
    '\u0000',
    '-1',
    '1e9',
    '',
  ),
  fc.constantFrom<unknown>(true, false, null, 0, -1, 1, 1.5, 60, 1e9, 2 ** 53, Number.MIN_VALUE),
  fc.constantFrom<unknown>(['audio'], ['audio', 'video', 'neural'], [1, 2.5], [], ['smell']),
  fc.jsonValue({ maxDepth: 2 }),
);
/** Mostly what could be meant, so that what comes after the first look is reached as well. */
const likely = fc.record(
  {
    deviceId: fc.constant('kitchen'),
    enabled: fc.constant(true),
    consentLevel: fc.constantFrom('none', 'passive', 'active', 'full'),
    modalities: fc.constantFrom(['audio'], ['audio', 'video', 'neural']),
    captureMode: fc.constantFrom('active-participant', 'passive-observation', 'ambient'),
    streamId: fc.constant('own'),
    modality: fc.constantFrom('audio', 'video', 'neural'),
    startedAt: fc.integer({ min: 0, max: 2 ** 48 }),
    durationMs: fc.nat({ max: 10_000 }),
    text: fc.string(),
    minutes: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: [] },
);
const fields = fc
  .tuple(likely, fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 4 }))
  .map(([meant, odd]): Record<string, unknown> => ({ ...meant, ...odd }));
const ids = fc.oneof(fc.constantFrom('own', 'own', 'unknown', '%00', '..%2f..', 'a'.repeat(129)), fc.uuid());
const asked = fc.record({
  route: fc.nat(),
  id: ids,
  fields,
  odd: fc.option(fc.constantFrom('{', '', 'null', '[]', '"text"'), { freq: 10 }),
});

describe('whatever is sent to a route of capture', () => {
  let service: InProcessService;
  let user: CaptureClient;
  let own = '';
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '1000000' });
    user = new CaptureClient(service, 'ann');
    own = await user.start('kitchen', 'full', ['audio', 'video', 'neural']);
  });
  afterAll(() => service.stop());

  it.prop([asked], { numRuns: 1_500 })('is answered, and never with a fault', async (request) => {
    const routes = service.operations.filter(({ area }) => area === 'capture');
    const { rest } = routes[request.route % routes.length] ?? assert.fail('There are no routes');
    const mine = (value: unknown) => (value === 'own' ? own : value);
    const sent = Object.fromEntries(
      Object.entries(request.fields).map(([name, value]) => [name, mine(value)]),
    );
    const hasBody = rest.method === 'POST' || rest.method === 'PUT';
    const written = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
    const query = Object.entries(sent).map(([name, value]): [string, string] => [name, written(value)]);
    const search = hasBody ? '' : `?${new URLSearchParams(query)}`;
    const path = rest.path.replace(':streamId', encodeURI(String(mine(request.id)))) + search;
    const { status, text, body } = await user.ask(
      rest.method,
      path,
      hasBody ? (request.odd ?? sent) : undefined,
    );
    // Nothing here hears, which is told as what is not there.
    const isExpected = status < 500 || (status === 503 && body.errorCode === 'CAPTURE_NOT_UNDERSTOOD');
    assert.ok(isExpected, `${rest.method} ${path} ${JSON.stringify(sent)}: ${status} ${text}`);
    if (status === 201 && typeof body.streamId === 'string') own = body.streamId;
  });
});
