const KEPT_MS = 10_000;
const MOST = 64;

/** Answers that were asked for ahead: each is for whoever asks next within seconds, also while it is on its way. */
export class AskedAhead<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();

  ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const asked = this.#answers.get(key);
    if (asked) return asked;
    const answer = ask();
    this.#answers.set(key, answer);
    const forget = () => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key);
    };
    answer.catch(forget);
    // Nobody's words stay longer than they are of use.
    setTimeout(forget, KEPT_MS).unref();
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST) break;
      this.#answers.delete(oldest);
    }
    return answer;
  }

  /** Once: who asks after that is told what is so then. */
  take(key: string): Promise<Answer> | undefined {
    const answer = this.#answers.get(key);
    this.#answers.delete(key);
    return answer;
  }
}
