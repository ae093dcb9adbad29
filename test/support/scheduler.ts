import assert from 'node:assert/strict';
import { EventReader, type InProcessService } from './service.ts';

interface Task {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly schedule: object;
  readonly action: { readonly eventTopic: string; readonly payload?: object };
  readonly nextRunAt?: number;
  readonly lastRunAt?: number;
  readonly runCount: number;
  readonly createdAt: number;
  readonly failures: number;
  readonly madeBy: string;
}

export interface SchedulerAnswer {
  readonly task: Task;
  readonly tasks: readonly Task[];
  readonly count: number;
  readonly next?: string;
  readonly error?: string;
  readonly issues?: readonly { path: string[]; message: string }[];
}

interface Published {
  readonly event: string;
  readonly data: {
    readonly type: string;
    readonly userId: string;
    readonly data: {
      readonly taskId: string;
      readonly occurrenceId: string;
      readonly payload: object;
      readonly late: boolean;
      readonly dueAt: number;
      readonly attempt: number;
      readonly code: string;
      readonly retryAt: number | null;
      readonly type: string;
      readonly origin: string;
      readonly source?: string;
      readonly skipped: string | null;
    };
  };
}

export const as = (user: string) => ({ 'x-user-id': user });

/** One user who has things done later. */
export class SchedulerClient {
  readonly #service: InProcessService;
  readonly #user: string;

  constructor(service: InProcessService, user: string) {
    this.#service = service;
    this.#user = user;
  }

  ask(method: string, path = '', body?: unknown) {
    const sent = { headers: as(this.#user), ...(body === undefined ? {} : { body }) };
    return this.#service.ask<SchedulerAnswer>(method, `/api/scheduler/tasks${path}`, sent);
  }

  async create(fields: object): Promise<Task> {
    const task = { name: 'a task', eventTopic: 'a.topic', ...fields };
    const { status, body, text } = await this.ask('POST', '', task);
    assert.equal(status, 201, text);
    return body.task;
  }

  async show(id: string): Promise<Task> {
    return (await this.ask('GET', `/${id}`)).body.task;
  }

  listen(query: string): Promise<EventReader> {
    return EventReader.open(`${this.#service.url}/api/events/stream?${query}`, as(this.#user));
  }
}

/** The next message, without the comments in between. */
export async function published(reader: EventReader): Promise<Published> {
  for (;;) {
    const next = await reader.next();
    assert.ok(next, 'the stream ended');
    if (next.data) return { event: next.event ?? '', data: JSON.parse(next.data) };
  }
}
