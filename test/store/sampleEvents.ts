import { z } from 'zod';
import { defineEvent, personal } from '../../src/events/definition.ts';
import type { Append } from '../../src/store/port.ts';

export const counted = defineEvent('sample.counter.counted', { data: () => z.object({ n: z.number() }) });

export const noted = defineEvent('sample.note.written', {
  data: () => z.object({ note: z.string(), text: personal(z.string()), words: z.number() }),
  subject: ({ note }) => note,
});

/** The first word on a note, as far as whoever writes it knows. */
export const begun = defineEvent('sample.note.begun', {
  data: () => z.object({ note: z.string(), text: personal(z.string()) }),
  subject: ({ note }) => note,
  beginsSubject: true,
});

export const forgotten = defineEvent('sample.note.forgotten', {
  data: () => z.object({ notes: z.array(z.string()) }),
  forgets: ({ notes }) => notes,
});

export const sampleCatalog = [counted, noted, begun, forgotten] as const;

export const AT = 1_700_000_000_000;

type Given = Partial<Append> & Pick<Append, 'events'>;

/** An append with everything that a test does not care about filled in. */
export function appendOf(stream: string, given: Given): Append {
  return {
    stream,
    expected: 'any',
    at: AT,
    userId: null,
    correlationId: 'cause',
    causationId: null,
    ...given,
  };
}

export function count(stream: string, n: number, given: Partial<Append> = {}): Append {
  return appendOf(stream, { events: [{ type: counted.type, data: { n } }], ...given });
}

export function note(userId: string, name: string, text: string, given: Partial<Append> = {}): Append {
  const data = { note: name, text, words: text.split(' ').length };
  return appendOf(`notes-${userId}`, { userId, events: [{ type: noted.type, data }], ...given });
}

export function begin(userId: string, name: string, text: string): Append {
  const events = [{ type: begun.type, data: { note: name, text } }];
  return appendOf(`notes-${userId}`, { userId, events });
}

export function forget(userId: string, ...notes: string[]): Append {
  return appendOf(`notes-${userId}`, { userId, events: [{ type: forgotten.type, data: { notes } }] });
}
