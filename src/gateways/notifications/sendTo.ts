import type { EmailTarget } from './email.ts';
import type { DeliveryAttempt, Sent } from './message.ts';

/** What a channel reaches, by its type. */
type ReachedTarget =
  | ({ readonly type: 'email' } & EmailTarget)
  | { readonly type: 'ntfy'; readonly url: string; readonly topic: string }
  | { readonly type: 'telegram'; readonly chatId: string; readonly apiUrl?: string }
  | { readonly type: 'webhook'; readonly url: string };

/** Sends it the way of its type; what does so is loaded when it is first used. */
export async function sendTo(
  target: ReachedTarget,
  sending: DeliveryAttempt & { readonly sentAt: number },
): Promise<Sent> {
  if (target.type === 'email') return (await import('./email.ts')).sendByEmail(target, sending);
  const { sendToNtfy, sendToTelegram, sendToWebhook } = await import('./overHttp.ts');
  switch (target.type) {
    case 'ntfy':
      return sendToNtfy(target, sending);
    case 'telegram':
      return sendToTelegram(target, sending);
    case 'webhook':
      return sendToWebhook(target, { ...sending, secret: sending.secret ?? '' });
  }
}
