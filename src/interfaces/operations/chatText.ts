import { z } from 'zod';

const MOST_CHARACTERS = 10_000;

/** What a user says. What cannot be kept as UTF-8 is replaced, and what no model reads is left out. */
export const chatText = z
  .string()
  .max(MOST_CHARACTERS)
  .transform((text) => text.toWellFormed().replaceAll('\0', ''))
  .refine((text) => text.trim() !== '', 'Must not be empty')
  .describe(`At most ${MOST_CHARACTERS} characters`);
