import { HarkError } from '../../errors.ts';

/** Says what to do; files are called by their names in the data directory, never by their paths. */
export function unusable(message: string, cause?: unknown): HarkError {
  return new HarkError('CREDENTIALS_UNAVAILABLE', { message, cause });
}
