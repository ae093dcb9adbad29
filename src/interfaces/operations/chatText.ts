import { z } from 'zod';

const MOST_CHARACTERS = 10_000;

/** What cannot be kept as UTF-8 is replaced, and what no model reads is left out. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** What a user says. */
export const chatText = z
  .string()
  .max(MOST_CHARACTERS)
  .transform(storable)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .describe(`At most ${MOST_CHARACTERS} characters`);
