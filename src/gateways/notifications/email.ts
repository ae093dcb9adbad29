import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { isOffLimits, isPublic } from '../network/addresses.ts';
import { AddressRefused, lookupWhere } from '../network/lookup.ts';
import { resolvePublic } from '../network/publicNames.ts';
import { type DeliveryAttempt, oneLine, type Sent } from './message.ts';

export interface EmailTarget {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else by STARTTLS. */
  readonly secure: boolean;
  readonly from: string;
  readonly to: string;
  readonly user?: string;
}

interface EmailAttempt extends DeliveryAttempt {
  /** For tests: the authority that the server's certificate is of. */
  readonly ca?: string;
}

const TIMEOUT_MS = 15_000;

/** Sends a mail by the user's own server. A password goes over TLS alone, but to a machine in the same network. */
export async function sendByEmail(target: EmailTarget, sending: EmailAttempt): Promise<Sent> {
  const { message, secret, allowPrivate, signal, ca } = sending;
  const { host, port, secure, from, to, user } = target;
  let address: string;
  try {
    address = await addressOf(host, allowPrivate);
  } catch (error) {
    const isRefused = error instanceof AddressRefused;
    return { failed: isRefused ? 'TARGET_FORBIDDEN' : 'UNREACHABLE', isFinal: isRefused };
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: address,
    port,
    secure,
    requireTLS: !secure && isPublic(address),
    ...(user === undefined ? {} : { auth: { user, pass: secret ?? '' } }),
    // Judged by the name that the user gave, and not by the address that was found for it.
    tls: { ...(isIP(host) ? {} : { servername: host }), ...(ca === undefined ? {} : { ca }) },
    name: '[127.0.0.1]',
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  const mail = {
    from,
    to,
    subject: oneLine(message.title),
    text: message.text,
    messageId: `<${message.id}@hark.invalid>`,
    date: new Date(message.at),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
  const late = Promise.withResolvers<Sent>();
  const stop = () => late.resolve({ failed: 'TIMEOUT', isFinal: false });
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(2 * TIMEOUT_MS)]);
  timeout.addEventListener('abort', stop, { once: true });
  try {
    const sent = transport.sendMail(mail).then((): Sent => 'delivered', failureOf);
    return await Promise.race([sent, late.promise]);
  } finally {
    timeout.removeEventListener('abort', stop);
    transport.close();
  }
}

/** One that may be connected to; looked up here, so that no other answer can come in between. */
async function addressOf(host: string, allowPrivate: boolean): Promise<string> {
  const mayBe = allowPrivate ? (address: string) => !isOffLimits(address) : isPublic;
  if (isIP(host) !== 0) {
    if (mayBe(host)) return host;
    throw new AddressRefused();
  }
  const find = lookupWhere(mayBe, allowPrivate ? lookup : resolvePublic);
  return new Promise((resolve, reject) => {
    find(host, {}, (error, address) => {
      if (error) reject(error);
      else resolve(String(address));
    });
  });
}

/** What went wrong, without what anybody said about it: that may hold addresses and names. */
function failureOf(error: unknown): Sent {
  const { code, originalCode, responseCode } = Object(error);
  if (typeof responseCode === 'number')
    return { failed: `SMTP_${responseCode}`, isFinal: responseCode >= 500 };
  if (/CERT|SELF_SIGNED|TLS|SSL|UNABLE_TO|EPROTO/.test(`${code} ${originalCode}`))
    return { failed: 'TLS_FAILED', isFinal: false };
  switch (code) {
    case 'ETIMEDOUT':
      return { failed: 'TIMEOUT', isFinal: false };
    case 'EAUTH':
      return { failed: 'AUTH_REFUSED', isFinal: true };
    case 'EENVELOPE':
    case 'EMESSAGE':
      return { failed: 'MESSAGE_REFUSED', isFinal: true };
    default:
      return { failed: 'UNREACHABLE', isFinal: false };
  }
}
