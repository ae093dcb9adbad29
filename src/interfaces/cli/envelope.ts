import { z } from 'zod';
import { showTime } from './output.ts';

const shape = z.looseObject({
  position: z.number(),
  stream: z.string(),
  type: z.string(),
  at: z.number(),
  data: z.unknown(),
});

export type Envelope = z.output<typeof shape>;

/** An event as the service sends it; handed on as it came, with its fields in their order. */
export const envelopeSchema = z.custom<Envelope>((value) => shape.safeParse(value).success);

/** Wide enough for most, so that lines that come one at a time still stand in columns. */
export const envelopeWidths = [6, 24, 24, 20];

export function envelopeRow({ position, at, type, stream, data, erased }: Envelope): string[] {
  return [String(position), showTime(at), type, stream, erased ? '(erased)' : JSON.stringify(data)];
}
