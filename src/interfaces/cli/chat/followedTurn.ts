import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { z } from 'zod';
import { turnMessage } from '../../operations/chatShapes.ts';
import { EventStream, sayLost } from '../eventStream.ts';
import { CliFailure } from '../failure.ts';
import type { RestClient } from '../restClient.ts';

export type TurnMessage = z.output<ReturnType<typeof turnMessage>>;

/** A service that is being restarted is back by then. */
const TIMEOUT_MS = 60_000;

const cancelled = z.object({ cancelled: z.boolean() });

interface Said {
  readonly text: string;
  readonly sessionId?: string | undefined;
  /** The turn in whose place it stands. */
  readonly replaces?: string | undefined;
  /** Images that go along. */
  readonly files?: readonly { readonly mimeType: string; readonly content: string }[] | undefined;
}

/** One message and what it sets off, as the service tells it. A connection that breaks is taken up again. */
export class FollowedTurn {
  readonly #client: RestClient;
  readonly #said: Said;
  /** Should the message have to be sent again, it is known to be the same. */
  readonly #key = randomUUID();
  #turnId: string | undefined;
  #isUnwanted = false;

  constructor(client: RestClient, said: Said) {
    this.#client = client;
    this.#said = said;
  }

  /** Ends with `done`. */
  async *signals(): AsyncGenerator<TurnMessage> {
    const stream = new EventStream({
      connect: (headers, signal) => this.#connect(headers, signal),
      onLost: sayLost,
      timeoutMs: TIMEOUT_MS,
    });
    for await (const { data } of stream.messages()) {
      const signal = signalIn(data);
      if (signal) yield signal;
      if (signal?.type === 'done') return;
    }
  }

  /** Somebody here cancelled it. */
  get isUnwanted(): boolean {
    return this.#isUnwanted;
  }

  /** Takes effect as soon as the service has said which turn it is. */
  async cancel(): Promise<void> {
    this.#isUnwanted = true;
    if (this.#turnId === undefined) return;
    await this.#client.ask(`api/chat/stream/${this.#turnId}`, cancelled, { method: 'DELETE' });
  }

  async #connect(resume: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    if (this.#turnId !== undefined)
      return this.#client.request(`api/chat/stream/${this.#turnId}`, { headers: resume }, signal);
    const headers = { ...resume, 'idempotency-key': this.#key };
    const body = { ...this.#said, platform: 'cli' };
    const response = await this.#client.request('api/chat/stream', { method: 'POST', headers, body }, signal);
    this.#turnId = response.headers.get('x-turn-id') ?? undefined;
    if (this.#isUnwanted) await this.cancel();
    return response;
  }
}

/** What a newer service tells beside this is passed over. */
function signalIn(data: string): TurnMessage | undefined {
  try {
    return turnMessage().safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

/** As shells name the end by Ctrl-C. */
export const INTERRUPTED = 128 + constants.signals.SIGINT;

/** The turn's signals; Ctrl-C cancels the turn, and once more ends the process, whatever the service does. */
export async function* interruptible(turn: FollowedTurn): AsyncGenerator<TurnMessage> {
  const interrupt = () => {
    if (turn.isUnwanted) process.exit(INTERRUPTED);
    // Who is not heard can still be interrupted again.
    turn.cancel().catch(() => undefined);
  };
  process.on('SIGINT', interrupt);
  try {
    for await (const signal of turn.signals()) {
      if (turn.isUnwanted && signal.type === 'error') throw new CliFailure('Cancelled', INTERRUPTED);
      yield signal;
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}
