import { createHash } from 'node:crypto';
import { showImages } from '../../application/chat/messages.ts';
import type { TurnRequest } from '../../application/chat/request.ts';
import type { TurnHandle, Turns } from '../../application/chat/turns.ts';
import { outOfScope } from '../../application/deviceScope.ts';
import type { Clock } from '../../clock.ts';
import { type ErrorCode, HarkError } from '../../errors.ts';
import type { ExchangeEnd } from '../../projections/chat/exchange.ts';
import { chatSlots, type SlotName } from '../../vocabulary.ts';
import type { Caller } from '../operation.ts';
import { refusalOf } from '../operations/chatShapes.ts';

/** Asks whatever slot the text is for. */
export const ROUTED = 'hark';

export interface OpenAiDependencies {
  readonly turns: Turns;
  readonly clock: Clock;
  readonly seesImages: (slot: SlotName) => Promise<boolean>;
  /** Whether any name of a model is taken for hark. */
  readonly takesAnyModel: () => boolean;
}

const GONE = 'The answer under this Idempotency-Key was erased';

/** What a turn that is asked for in this protocol may be refused for. */
export const turnErrors: readonly ErrorCode[] = [
  'MODEL_UNKNOWN',
  'CHAT_FAILED',
  'REQUEST_REFUSED',
  'TURN_OVER',
  'MODEL_UNAVAILABLE',
  'BILLING_EXHAUSTED',
  'IMAGES_NOT_SEEN',
  'STORAGE_FULL',
  'KVSTORE_UNAVAILABLE',
];

interface Asked {
  readonly model: string;
  readonly user?: string | undefined;
}

type Asking = Pick<
  TurnRequest,
  'userId' | 'correlationId' | 'deviceId' | 'sessionId' | 'platform' | 'slot' | 'turnId'
>;

/** Who asks whom. */
export function askingOf(body: Asked, caller: Caller, { takesAnyModel }: OpenAiDependencies): Asking {
  const { commandId, correlationId } = caller;
  const userId = userOf(body, caller);
  const slot = chatSlots.find((name) => name === body.model);
  if (slot === undefined && body.model !== ROUTED && !takesAnyModel()) throw unknownModel(body.model);
  // The key came with the caller's own name; another user's turn is another turn.
  const turnId =
    commandId && createHash('sha256').update(`${commandId}\n${userId}`).digest('hex').slice(0, 32);
  const deviceId = caller.device?.deviceId;
  const place = { userId, correlationId, deviceId, sessionId: null, platform: 'openai' };
  return { ...place, ...(slot ? { slot } : {}), ...(turnId ? { turnId } : {}) };
}

/** Who put `X-User-Id` there may stand between the client and us: the client cannot say otherwise. */
function userOf({ user }: Asked, { userId, namesUser, device }: Caller): string {
  if (user === undefined || user === userId) return userId;
  if (device) throw outOfScope('A device asks for its own user alone');
  if (!namesUser) return user;
  const issue = { path: ['user'], message: 'X-User-Id names another user' };
  throw new HarkError('VALIDATION_FAILED', { body: { issues: [issue] } });
}

export function unknownModel(model: string): HarkError {
  const message = `There is no model ${JSON.stringify(model.slice(0, 100))}; see GET /v1/models`;
  return new HarkError('MODEL_UNKNOWN', { body: { issues: [{ path: ['model'], message }] } });
}

export function unknownResponse(id: string, param: string, what = 'Response'): HarkError {
  const message = `${what} with id ${JSON.stringify(id.slice(0, 100))} not found.`;
  return new HarkError('RESPONSE_UNKNOWN', { body: { issues: [{ path: [param], message }] } });
}

/** Clients of this protocol expect that going away stops what costs them, unless they have a key to come back with. */
export async function beginTurn(
  { turns, seesImages }: OpenAiDependencies,
  request: TurnRequest,
  { commandId, signal }: Caller,
): Promise<TurnHandle> {
  const hasImages = request.given !== undefined && showImages(request.given.messages ?? []);
  if (hasImages && !(await seesImages(request.slot ?? 'chat'))) throw new HarkError('IMAGES_NOT_SEEN');
  const handle = await turns.begin(request);
  if (handle.begun.text === null) throw new HarkError('TURN_OVER', { message: GONE });
  if (commandId === undefined) cancelWhenGone(turns, handle, request, signal);
  return handle;
}

function cancelWhenGone(
  turns: Turns,
  { turnId, ended }: TurnHandle,
  whose: TurnRequest,
  signal: AbortSignal,
): void {
  // It may be over by then.
  const cancel = () => void turns.cancel(whose, turnId).catch(() => undefined);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  void ended.then(() => signal.removeEventListener('abort', cancel));
}

export function isGood({ as }: ExchangeEnd): boolean {
  return as === 'replied' || as === 'delegated';
}

/** Clients of this protocol send again what failed with a 500: not what would be refused again. */
export function refusedAs(end: ExchangeEnd | null): HarkError {
  return end?.code === 'REQUEST_REFUSED' ? new HarkError(end.code) : refusalOf(end, 'CHAT_FAILED');
}
