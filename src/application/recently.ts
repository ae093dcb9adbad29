const KEPT_MS = 10_000;
const MOST = 64;

/** Answers of the last seconds: what was asked ahead is there when it is asked for, also while it is on its way. */
export class Recently<Answer> {
  readonly #answers = new Map<string, { readonly answer: Promise<Answer>; readonly at: number }>();

  /** Undefined where nobody asked lately, or the answer failed. */
  get(key: string): Promise<Answer> | undefined {
    const known = this.#answers.get(key);
    return known && performance.now() - known.at < KEPT_MS ? known.answer : undefined;
  }

  ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.get(key);
    if (known) return known;
    const answer = ask();
    this.#answers.delete(key);
    this.#answers.set(key, { answer, at: performance.now() });
    const forget = () => {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key);
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
}
