import type { HarkError } from '../../../errors.ts';
import { isHarkError } from '../../../errors.ts';

/** What a client is told that did something wrong, in the words of OpenAI's Realtime API. */
export class WireError extends Error {
  readonly code: string;
  readonly param: string | null;
  readonly isOurs: boolean;

  constructor(code: string, message: string, { param = null, isOurs = false }: Partial<Where> = {}) {
    super(message);
    this.code = code;
    this.param = param;
    this.isOurs = isOurs;
  }
}

interface Where {
  readonly param: string | null;
  /** Nothing that the client could put right. */
  readonly isOurs: boolean;
}

/** Anything else is a fault: it is logged, and what it said stays here. */
export function wireErrorOf(thrown: unknown): WireError | undefined {
  if (thrown instanceof WireError) return thrown;
  return isHarkError(thrown) ? fromHark(thrown) : undefined;
}

function fromHark({ code, message, body }: HarkError): WireError {
  const { errorCode, param } = body;
  return new WireError(typeof errorCode === 'string' ? errorCode : code.toLowerCase(), message, {
    param: typeof param === 'string' ? param : null,
    isOurs: code === 'INTERNAL' || code.endsWith('_UNAVAILABLE'),
  });
}
