import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { afterAll, beforeAll, describe } from 'vitest';
import { addDevice, type ProvenDevice } from '../support/devices.ts';
import { InProcessService } from '../support/service.ts';

const words = [
  ...[
    'id',
    'type',
    'name',
    'capabilities',
    'publicKey',
    'nonce',
    'pairingCode',
    'secret',
    'signature',
    'userId',
  ],
  ...['status', 'limit', 'after', 'at', '__proto__', 'constructor'],
];
const values = fc.oneof(
  fc.constantFrom(
    'esp32',
    'active',
    'revoked',
    'default',
    'unknown',
    '',
    'A'.repeat(43),
    '\u0000',
    '-1',
    '1e9',
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.base64String().map((text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')),
);
const fields = fc.dictionary(fc.constantFrom(...words), values, { maxKeys: 6 });
const sent = fc.oneof(
  fields.map((body) => JSON.stringify(body)),
  fc.jsonValue({ maxDepth: 2 }).map((body) => JSON.stringify(body)),
  fc.constantFrom('{', '', 'null', '[]', '{"capabilities":{"audio":"yes"}}'),
);
const inHeader = fc.oneof(
  fc.constantFrom('own', 'other', 'unknown', '', 'a b', '127.0.0.1.evil', '::ffff:127.0.0.1'),
  fc.stringMatching(/^[\x21-\x7e]{0,200}$/),
);
const ids = fc.oneof(fc.constantFrom('own', 'unknown', '%00', '..%2f..', 'a'.repeat(129)), fc.uuid());

const asked = fc.record({
  route: fc.nat(),
  id: ids,
  body: sent,
  deviceId: fc.option(inHeader),
  secret: fc.option(inHeader),
  user: fc.option(inHeader),
  forwarded: fc.option(inHeader),
  query: fc.option(fields),
});

describe('whatever is sent to a route of devices', () => {
  let service: InProcessService;
  let own: ProvenDevice;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '1000000' });
    own = await addDevice(service);
  });
  afterAll(() => service.stop());

  it.prop([asked], { numRuns: 1_500 })('is answered, and never with a fault', async (request) => {
    const routes = service.operations.filter(({ area }) => area === 'devices');
    const { rest } = routes[request.route % routes.length] ?? assert.fail('There are no routes');
    const mine = (name: 'id' | 'secret', text: string) => (text === 'own' ? own[name] : text);
    const headers = Object.entries({
      'x-device-id': request.deviceId && mine('id', request.deviceId),
      'x-device-secret': request.secret && mine('secret', request.secret),
      'x-user-id': request.user,
      'x-forwarded-for': request.forwarded,
    }).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
    const query = Object.entries(request.query ?? {}).map(([name, value]): [string, string] => [
      name,
      JSON.stringify(value),
    ]);
    const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
    const path = rest.path.replace(':id', encodeURI(mine('id', request.id))) + search;
    const body = rest.method === 'POST' || rest.method === 'PUT' ? { body: request.body } : {};
    const { status, text } = await service.ask(rest.method, path, {
      headers: Object.fromEntries(headers),
      ...body,
    });
    assert.ok(status < 500, `${rest.method} ${path} ${request.body}: ${status} ${text}`);
  });
});
