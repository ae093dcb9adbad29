import type { z } from 'zod';
import { HarkError } from '../errors.ts';
import type { TurnOrigin } from '../vocabulary.ts';
import { outOfScope } from './deviceScope.ts';

/** One time at which a topic is acted on. */
export interface Occasion {
  /** For whom. */
  readonly userId: string;
  /** The device by which it was asked for. */
  readonly deviceId?: string | undefined;
  /** The same when it is asked for again, as after a crash: what is begun under it is begun once. */
  readonly id: string;
  /** For whatever it sets off. */
  readonly correlationId: string;
  /** Whose wish it is, for whatever is said because of it. */
  readonly origin: Exclude<TurnOrigin, 'user' | 'import'>;
  /** What asks: the id of a task, or a workflow and its step. */
  readonly source: string;
  /** Where the user wants to be answered; null where that was not said. */
  readonly sessionId: string | null;
  /** It comes later than it should have. */
  readonly late: boolean;
  readonly signal: AbortSignal;
}

/** What is said to the user because of it, whatever else there is to it. */
export interface SaidToUser {
  readonly text: string;
  readonly sessionId: string | null;
}

/** Something that is done when a topic is published. */
export interface TopicActor {
  readonly topic: string;
  /** What it has to be told; checked when a task is made, and again when it fires. */
  readonly payload: z.ZodType;
  /** Says something to the user, which may be in a session. */
  readonly speaks?: true;
  /** Resolves when it is done. A HarkError says by its code why it could not be done. */
  act(payload: unknown, occasion: Occasion): Promise<SaidToUser | undefined>;
}

export function defineActor<Payload extends z.ZodType>(actor: {
  readonly topic: string;
  readonly payload: Payload;
  readonly speaks?: true;
  act(payload: z.output<Payload>, occasion: Occasion): Promise<SaidToUser | undefined>;
}): TopicActor {
  const { payload } = actor;
  return { ...actor, act: (given, occasion) => actor.act(payload.parse(given), occasion) };
}

/** Which topics are acted on, and by whom. Areas register theirs when the service is put together. */
export class TopicActors {
  readonly #actors = new Map<string, TopicActor>();

  register(...actors: readonly TopicActor[]): void {
    for (const actor of actors) {
      if (this.#actors.has(actor.topic)) throw new TypeError(`Two act on ${actor.topic}`);
      this.#actors.set(actor.topic, actor);
    }
  }

  readonly has = (topic: string): boolean => this.#actors.has(topic);

  /** Whether what it does is said to the user, in a session where there is one. */
  speaks(topic: string): boolean {
    return this.#actors.get(topic)?.speaks === true;
  }

  /** Beyond having something said, what is done on a topic is not for devices to set off. */
  refuseDevice(topic: string): void {
    if (this.has(topic) && !this.speaks(topic)) throw outOfScope('A device may not have this done');
  }

  /** Refuses what nobody could act on. Of a topic that nobody acts on, anything may be told. */
  check(topic: string, payload: unknown): void {
    const checked = this.#actors.get(topic)?.payload.safeParse(payload ?? {});
    if (!checked || checked.success) return;
    const issues = checked.error.issues.map(({ path, message }) => ({ path: ['payload', ...path], message }));
    throw new HarkError('VALIDATION_FAILED', { body: { issues } });
  }

  async act(topic: string, payload: unknown, occasion: Occasion): Promise<SaidToUser | undefined> {
    const actor = this.#actors.get(topic);
    if (!actor) throw new HarkError('TOPIC_UNATTENDED');
    if (occasion.deviceId !== undefined) this.refuseDevice(topic);
    this.check(topic, payload);
    return actor.act(payload ?? {}, occasion);
  }
}
