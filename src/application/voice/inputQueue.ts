import type { SessionInput } from './sessionState.ts';

/** What comes into a session, one after the other: what is put in meanwhile waits until that is done. */
export class InputQueue {
  readonly #inputs: SessionInput[] = [];
  readonly #take: (input: SessionInput) => void;
  readonly #onFailure: (what: string, error: unknown) => void;
  #isTaking = false;

  constructor(take: (input: SessionInput) => void, onFailure: (what: string, error: unknown) => void) {
    this.#take = take;
    this.#onFailure = onFailure;
  }

  /** Throws what a client is to be told of its own input; all else has nobody to tell. */
  put(input: SessionInput): void {
    this.#inputs.push(input);
    if (this.#isTaking) return;
    this.#isTaking = true;
    let refused: { readonly error: unknown } | undefined;
    for (let one = this.#inputs.shift(); one; one = this.#inputs.shift())
      try {
        this.#take(one);
      } catch (error) {
        if (one === input && isOfClient(one)) refused = { error };
        else this.#onFailure('voice session', error);
      }
    this.#isTaking = false;
    if (refused) throw refused.error;
  }
}

function isOfClient({ type }: SessionInput): boolean {
  switch (type) {
    case 'added':
    case 'removed':
    case 'truncated':
    case 'respond':
    case 'cancelled':
    case 'silenced':
    case 'cleared':
    case 'configured':
    case 'say':
      return true;
    default:
      return false;
  }
}
