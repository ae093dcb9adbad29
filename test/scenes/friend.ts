import assert from 'node:assert/strict';
import type { Answer } from '../../src/demo/model/rules.ts';
import { calls, type Item, says } from '../../src/demo/model/script.ts';
import { McpByHand } from '../service/mcpClient.ts';
import { EventReader, type InProcessService } from '../support/service.ts';

interface Belief {
  readonly id: string;
  readonly text: string;
  readonly type: string;
  readonly confidence: number;
  readonly sources: readonly string[];
}

interface Waiting {
  readonly name: string;
  readonly nextRunAt: number;
}

interface Reply {
  readonly text: string;
  readonly error?: string;
  readonly metadata?: { readonly provider: string | null; readonly toolCallCount: number };
}

/** Somebody who talks to hark, by its public interfaces alone. */
export class Friend {
  readonly #service: InProcessService;
  readonly #headers: Record<string, string>;
  readonly mcp: McpByHand;

  constructor(service: InProcessService, user: string) {
    this.#service = service;
    this.#headers = { 'x-user-id': user };
    this.mcp = new McpByHand(service.mcpUrl, this.#headers);
  }

  /** The reply, and how the request was answered. */
  async tries(text: string, sessionId?: string) {
    const body = { text, ...(sessionId === undefined ? {} : { sessionId }) };
    return this.#service.ask<Reply>('POST', '/api/chat', { body, headers: this.#headers });
  }

  async says(text: string, sessionId?: string): Promise<Reply> {
    const { status, body } = await this.tries(text, sessionId);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  async beliefs(): Promise<readonly Belief[]> {
    const { body } = await this.#service.get<{ conclusions: Belief[] }>(
      '/api/memory/conclusions',
      this.#headers,
    );
    return body.conclusions;
  }

  /** What hark believes of them, in its words. */
  async isKnownFor(): Promise<readonly string[]> {
    return (await this.beliefs()).map(({ text }) => text).sort();
  }

  /** What made hark believe it. */
  async asksWhy(id: string): Promise<string> {
    return (await this.#service.get(`/api/memory/conclusions/${id}/why`, this.#headers)).text;
  }

  async states(text: string): Promise<string> {
    const asked = { body: { text }, headers: this.#headers };
    const { body } = await this.#service.ask<{ conclusion: Belief }>(
      'POST',
      '/api/memory/conclusions',
      asked,
    );
    return body.conclusion.id;
  }

  async prefers(preferences: object): Promise<void> {
    const asked = { body: preferences, headers: this.#headers };
    assert.equal(
      (await this.#service.ask('PUT', `/api/users/${this.#headers['x-user-id']}/preferences`, asked)).status,
      200,
    );
  }

  /** What is scheduled for them. */
  async isWaitingFor(): Promise<readonly Waiting[]> {
    const { body } = await this.#service.get<{ tasks: Waiting[] }>(
      '/api/scheduler/tasks?status=active',
      this.#headers,
    );
    return body.tasks;
  }

  /** After this time: what is said to them in a session without having been asked. */
  async hearsAfter(ms: number, sessionId: string): Promise<readonly string[]> {
    const isSaid = await this.#hearing('schedule.run.succeeded', '');
    await this.#service.advance(ms);
    await isSaid();
    const { body } = await this.#service.get<{
      messages: { role: string; content: string; origin?: string }[];
    }>(`/api/chat/history/${sessionId}`, this.#headers);
    const unasked = body.messages.filter(({ role, origin }) => role === 'assistant' && origin !== undefined);
    return unasked.map(({ content }) => content);
  }

  /** Leaves, and waits until what was said is dealt with. */
  async leaves(sessionId: string): Promise<void> {
    const isDealtWith = await this.#hearing('memory.conversation.consolidated', sessionId);
    await this.#service.ask('DELETE', `/api/chat/sessions/${sessionId}`, { headers: this.#headers });
    await isDealtWith();
  }

  /** Waits until a belief can be found by what it means: what is said within a second is embedded together. */
  async hasVectorOf(conclusionId: string): Promise<void> {
    const isEmbedded = await this.#hearing('memory.conclusion.embedded&after=0', conclusionId);
    await this.#service.advance(1_000);
    await isEmbedded();
  }

  /** Listens from now on; what it gives resolves when a message of the topic has this in it. */
  async #hearing(topic: string, text: string): Promise<() => Promise<void>> {
    const topics = `${this.#service.url}/api/events/stream?topics=${topic}`;
    const reader = await EventReader.open(topics, this.#headers);
    return async () => {
      for (;;) {
        const message = (await reader.next()) ?? assert.fail('The stream ended');
        if (message.data?.includes(text)) break;
      }
      reader.close();
    };
  }
}

/** A small model: it calls the tools that it is told to, copies what `next` says, and then says a few words. */
export function small(...turns: readonly (readonly Item[])[]): Answer {
  let step = 0;
  return () => {
    const items = turns[step++];
    return items ? says(...items) : says('Done.');
  };
}

/** What the last call of `memory.forget` said that it is to be called with. */
export function nextIn(body: unknown): unknown {
  const told = JSON.stringify(body).replaceAll('\\', '');
  const found = Array.from(told.matchAll(/"next":(\{[^{}]*\})/g)).at(-1)?.[1];
  return found === undefined ? {} : JSON.parse(found);
}

/** Calls `memory.forget` for this, and a second time with what the first said. */
export function forgets(query: string, last = 'It is forgotten.'): Answer {
  let step = 0;
  return ({ body }) => {
    step++;
    if (step === 1) return says(calls('memory_forget', { query }));
    if (step === 2) return says(calls('memory_forget', nextIn(body)));
    return says(last);
  };
}
