import { wrongUsage } from './failure.ts';

/** What was given to an option as JSON. */
export function jsonOption(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage(`${name}: is not valid JSON`);
  }
}
