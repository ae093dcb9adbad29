import { z } from 'zod';
import { showTime } from './output.ts';

/** An event as the service sends it. */
export const envelopeSchema = z.looseObject({
  position: z.number(),
  stream: z.string(),
  type: z.string(),
  at: z.number(),
  data: z.unknown(),
});

export type Envelope = z.output<typeof envelopeSchema>;

/** Wide enough for most, so that lines that come one at a time still stand in columns. */
export const envelopeWidths = [6, 24, 24, 20];

export function envelopeRow({ position, at, type, stream, data, erased }: Envelope): string[] {
  return [String(position), showTime(at), type, stream, erased ? '(erased)' : JSON.stringify(data)];
}
