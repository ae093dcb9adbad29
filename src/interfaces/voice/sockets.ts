import { HarkError } from '../../errors.ts';
import type { Handshake, Upgrades } from '../rest/upgrades.ts';
import { addressOf, headersOf } from './shown.ts';

/** The WebSockets over which people speak with hark, on whichever port they come in. */
export class VoiceSockets implements Upgrades {
  readonly paths = ['/ws/audio', '/v1/realtime'];
  readonly headersOf = headersOf;

  readonly open = async (handshake: Handshake): Promise<void> => {
    refuseMalformed(handshake);
    const sessionId = addressOf(handshake.request).query.get('session');
    if (sessionId !== null) throw new HarkError('SESSION_UNKNOWN');
    throw new HarkError('NOT_READY', { message: 'Nothing here hears or speaks yet' });
  };
}

/** What is wrong with it is said in JSON, as all else is. */
function refuseMalformed({ request, visit }: Handshake): void {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version } = request.headers;
  if (version !== '13') {
    visit.headers['sec-websocket-version'] = '13';
    throw new HarkError('UPGRADE_REQUIRED', { message: 'Sec-WebSocket-Version must be 13' });
  }
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key))
    throw new HarkError('BAD_REQUEST', { message: 'Sec-WebSocket-Key is missing or malformed' });
}
