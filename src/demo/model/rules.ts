import type { ProviderId } from '../../vocabulary.ts';
import type { Endpoint, ModelRequest } from './request.ts';
import type { Reply } from './script.ts';

/** A hook: undefined leaves the request to other rules. */
export type Answer = (request: ModelRequest) => Reply | undefined;

/** To which requests a rule applies; to all chats when nothing is said. */
export interface When {
  readonly endpoint?: Endpoint;
  readonly provider?: ProviderId;
  readonly model?: string;
  /** In what the user, or a tool, said last. */
  readonly contains?: string;
  /** How often; always when not given. */
  readonly times?: number;
}

interface Rule {
  readonly when: When;
  readonly next: Answer;
  left: number;
}

/**
 * What is answered to what. Rules that apply a limited number of times come first, in the order in which they
 * were given; then those that apply always, the latest first, so that a test overrides what was set up for all.
 */
export class Rules {
  readonly #limited: Rule[] = [];
  readonly #always: Rule[] = [];

  /** Several replies are given one after the other, once each. */
  add(reply: Reply | readonly Reply[] | Answer, when: When = {}): void {
    if (isList(reply)) {
      for (const one of reply) this.add(one, { times: 1, ...when });
      return;
    }
    const next = typeof reply === 'function' ? reply : () => reply;
    const rule = { when, next, left: when.times ?? Number.POSITIVE_INFINITY };
    if (when.times === undefined) this.#always.unshift(rule);
    else this.#limited.push(rule);
  }

  clear(): void {
    this.#limited.length = 0;
    this.#always.length = 0;
  }

  /** How many replies have been scripted a limited number of times and not been asked for. */
  get left(): number {
    return this.#limited.reduce((sum, rule) => sum + rule.left, 0);
  }

  reply(request: ModelRequest): Reply | undefined {
    for (const rules of [this.#limited, this.#always]) {
      for (const rule of rules) {
        if (rule.left === 0 || !applies(rule.when, request)) continue;
        const reply = rule.next(request);
        if (reply === undefined) continue;
        rule.left--;
        return reply;
      }
    }
    return undefined;
  }
}

function applies(when: When, request: ModelRequest): boolean {
  return (
    request.endpoint === (when.endpoint ?? 'chat') &&
    (when.provider === undefined || when.provider === request.provider) &&
    (when.model === undefined || when.model === request.model) &&
    (when.contains === undefined || request.lastText.includes(when.contains))
  );
}

function isList(reply: Reply | readonly Reply[] | Answer): reply is readonly Reply[] {
  return Array.isArray(reply);
}
