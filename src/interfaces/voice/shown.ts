import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HarkError } from '../../errors.ts';

/** What a client offers beside what it shows, and of which the server chooses one. */
const SPOKEN = { '/v1/realtime': 'realtime', '/ws/audio': 'hark.v1' } as const;

const KEY = 'service-key.';
const KEY_FOR_OPENAI = 'openai-insecure-api-key.';
const DEVICE_ID = 'device-id.';
const DEVICE_SECRET = 'device-secret.';

/** An address lies in histories, logs and referrers: nothing secret may. Names as they are without case and signs. */
const SECRET = /(key|secret|token|bearer|password|authorization)$/;

/**
 * The headers that the client would have sent if it could: browsers can set none for a WebSocket, so that what they show
 * comes among the protocols that they offer.
 */
export function headersOf(request: IncomingMessage): IncomingHttpHeaders {
  const { headers } = request;
  const { path, query } = addressOf(request);
  for (const name of query.keys())
    if (SECRET.test(name.toLowerCase().replace(/[^a-z]/g, '')))
      throw new HarkError('UNAUTHORIZED', {
        message:
          'A key in an address is refused: send it as a header, or as the subprotocol service-key.<key>',
      });
  const key =
    one(headers['x-api-key']) ??
    one(headers['api-key']) ??
    shownAs(KEY, headers) ??
    (path === '/v1/realtime' ? shownAs(KEY_FOR_OPENAI, headers) : undefined);
  const shown = {
    authorization: headers.authorization ?? (key === undefined ? undefined : `Bearer ${key}`),
    'x-device-id': headers['x-device-id'] ?? shownAs(DEVICE_ID, headers),
    'x-device-secret': headers['x-device-secret'] ?? shownAs(DEVICE_SECRET, headers),
  };
  return { ...headers, ...shown };
}

/** Never one that holds a secret. */
export function chosenProtocol(request: IncomingMessage, offered: ReadonlySet<string>): string | false {
  const { path } = addressOf(request);
  const own = path === '/v1/realtime' ? SPOKEN[path] : SPOKEN['/ws/audio'];
  return [own, ...Object.values(SPOKEN)].find((name) => offered.has(name)) ?? false;
}

export function addressOf({ url = '' }: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  return { path, query: new URLSearchParams(query) };
}

/** A protocol has fewer letters than a secret may have: what it lacks is written with percent signs. */
function shownAs(
  prefix: string,
  { 'sec-websocket-protocol': offered }: IncomingHttpHeaders,
): string | undefined {
  const found = offered
    ?.split(',')
    .map((name) => name.trim())
    .find((name) => name.startsWith(prefix))
    ?.slice(prefix.length);
  try {
    return found && decodeURIComponent(found);
  } catch {
    return found;
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined;
}
