import { type Posted, post } from '../network/post.ts';
import { signatureHeaders } from '../webhooks/signing.ts';
import { cutTo, type DeliveryAttempt, type Sent } from './message.ts';

/** Enough for what a service says of one message. */
const MOST_ANSWER_BYTES = 65_536;
const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60_000;
/** It was answered with something that is not the service's: nobody knows whether it arrived. */
const notUnderstood: Sent = { failed: 'ANSWER_NOT_UNDERSTOOD', isFinal: false };

/* https://docs.ntfy.sh/publish/#publish-as-json */

/** What is longer, ntfy makes a file of. */
const MOST_OF_NTFY = 4_000;
const MOST_OF_TITLE = 200;

export function sendToNtfy(
  { url, topic }: { readonly url: string; readonly topic: string },
  sending: DeliveryAttempt,
): Promise<Sent> {
  const { message, secret } = sending;
  const title = cutTo(MOST_OF_TITLE, message.title);
  const body = JSON.stringify({ topic, title, message: cutTo(MOST_OF_NTFY, message.text) });
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  return postOnce({ url, headers, body }, sending, (answer) => {
    const { id, http } = Object(answer);
    if (typeof http === 'number') return statusFailure(http);
    return typeof id === 'string' ? 'delivered' : notUnderstood;
  });
}

/* https://core.telegram.org/bots/api#sendmessage */

const USUAL_API = 'https://api.telegram.org';
/** Of 4096 characters, which a text of so many bytes does not exceed. */
const MOST_OF_TELEGRAM = 4_000;

export function sendToTelegram(
  { chatId, apiUrl = USUAL_API }: { readonly chatId: string; readonly apiUrl?: string },
  sending: DeliveryAttempt,
): Promise<Sent> {
  const { message, secret } = sending;
  const { title, text } = message;
  const said = title === '' || title === text ? text : `${title}\n\n${text}`;
  const body = JSON.stringify({ chat_id: chatId, text: cutTo(MOST_OF_TELEGRAM, said) });
  const url = `${apiUrl.replace(/(?<!\/)\/+$/, '')}/bot${secret ?? ''}/sendMessage`;
  return postOnce({ url, body }, sending, (answer) => {
    const { ok, error_code: code, parameters } = Object(answer);
    if (ok === true) return 'delivered';
    if (typeof code !== 'number') return notUnderstood;
    const failure = statusFailure(code);
    const { retry_after: seconds } = Object(parameters);
    return !failure.isFinal && typeof seconds === 'number'
      ? { ...failure, retryAfterMs: seconds * 1_000 }
      : failure;
  });
}

/** Posts it, signed as Standard Webhooks have it. */
export function sendToWebhook(
  { url }: { readonly url: string },
  sending: DeliveryAttempt & { readonly secret: string; readonly sentAt: number },
): Promise<Sent> {
  const { message, secret, sentAt } = sending;
  const { id, title, text, at } = message;
  const timestamp = new Date(at).toISOString();
  const body = JSON.stringify({ type: 'notification', timestamp, data: { id, title, text } });
  const headers = signatureHeaders({ id: `msg_${id}`, sentAt, body }, secret);
  return postOnce({ url, headers, body }, sending);
}

interface Request {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts JSON once. What the service says of it is looked at, where a status alone does not tell. */
async function postOnce(
  { url, headers = {}, body }: Request,
  { allowPrivate, version, signal }: Omit<DeliveryAttempt, 'message' | 'secret'>,
  verdictOf: (answer: unknown) => Sent = () => 'delivered',
): Promise<Sent> {
  const told = { 'content-type': 'application/json', 'user-agent': `hark/${version}`, ...headers };
  const posted = await post({ url, headers: told, body, allowPrivate, signal, mostBytes: MOST_ANSWER_BYTES });
  if ('failed' in posted) return { failed: posted.failed, isFinal: posted.failed === 'TARGET_FORBIDDEN' };
  const { status } = posted;
  const verdict = verdictOf(jsonIn(posted.body));
  if (status >= 200 && status < 300) return verdict;
  // Telegram says in the body alone how long it wants to be left alone.
  const { retryAfterMs } = Object(verdict);
  return typeof retryAfterMs === 'number' ? verdict : failureOf(posted);
}

/** What was refused is refused again; what is only too much, too early or broken there is not. */
function statusFailure(status: number): Exclude<Sent, 'delivered'> {
  const passes = status === 408 || status === 425 || status === 429 || status >= 500 || status < 300;
  return { failed: `HTTP_${status}`, isFinal: !passes };
}

function failureOf({ status, retryAfter = '' }: Exclude<Posted, { failed: unknown }>): Sent {
  const failure = statusFailure(status);
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  if (failure.isFinal || !(ms > 0)) return failure;
  return { ...failure, retryAfterMs: Math.min(ms, LONGEST_RETRY_AFTER_MS) };
}

/** Undefined where it is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
