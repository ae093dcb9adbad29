import mitt from 'mitt';
import type { z } from 'zod';
import { type EventDefinition, isEvent } from '../events/definition.ts';
import type { StoredEvent } from '../store/storedEvent.ts';

/**
 * What happens, by its topic, to whoever in this process wants to be told. It tells of durable events only, in
 * order, while they are delivered; nothing is kept for who was not listening. Who must not miss anything
 * follows the log instead.
 */
export class Topics {
  readonly #bus = mitt<Record<string, StoredEvent>>();
  readonly #onFailure: (topic: string, error: unknown) => void;

  constructor(onFailure: (topic: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  publish(events: readonly StoredEvent[]): void {
    for (const event of events) this.#bus.emit(event.type, event);
  }

  /** The listener hears the event's data in its newest shape. One that fails disturbs nobody else. */
  on<Data extends z.ZodType>(
    topic: EventDefinition<string, Data>,
    listener: (data: z.output<Data>, event: StoredEvent) => void,
  ): () => void {
    const hear = (event: StoredEvent) => {
      try {
        if (isEvent(event, topic)) listener(event.data, event);
      } catch (error) {
        this.#onFailure(topic.type, error);
      }
    };
    this.#bus.on(topic.type, hear);
    return () => {
      this.#bus.off(topic.type, hear);
    };
  }
}
