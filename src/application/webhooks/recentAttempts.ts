/** One try to deliver an event, or to deliver it again because somebody asked for it. */
export interface WebhookAttempt {
  /** Of the event. */
  readonly position: number;
  readonly at: number;
  readonly ms: number;
  /** Null where nobody answered. */
  readonly status: number | null;
  /** Why it did not arrive; null where it did. */
  readonly reason: string | null;
}

interface Tried extends WebhookAttempt {
  readonly attempts: number;
}

const MOST_OF_A_WEBHOOK = 100;
const MOST_WEBHOOKS = 500;

/**
 * The last try at each of the last events that this process delivered. It is no event: the log would hold each event
 * twice, and a webhook that is told of all would be told of that. It names events and holds nothing that they say.
 */
export class RecentAttempts {
  readonly #byStream = new Map<string, Map<number, Tried>>();

  note(stream: string, attempt: WebhookAttempt): void {
    const known = this.#byStream.get(stream) ?? new Map<number, Tried>();
    // Behind all others: the first is the one that nothing has happened to for longest.
    this.#byStream.delete(stream);
    this.#byStream.set(stream, known);
    const { position } = attempt;
    const attempts = (known.get(position)?.attempts ?? 0) + 1;
    known.delete(position);
    known.set(position, { ...attempt, attempts });
    dropFirst(known, MOST_OF_A_WEBHOOK);
    dropFirst(this.#byStream, MOST_WEBHOOKS);
  }

  of(stream: string, position: number): Tried | undefined {
    return this.#byStream.get(stream)?.get(position);
  }
}

function dropFirst(map: Map<unknown, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value);
}
