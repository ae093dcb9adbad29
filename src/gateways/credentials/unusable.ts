import { HarkError } from '../../errors.ts';

/** Says what to do; files are called by their names in the data directory, never by their paths. */
export function unusable(message: string, cause?: unknown): HarkError {
  return new HarkError('CREDENTIALS_UNAVAILABLE', { message, cause });
}

export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function hasNoRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');
}
