import { type ErrorCode, HarkError, isHarkError } from '../../errors.ts';

/** What Redis answers with, by the word that it begins with. */
const CODES: readonly (readonly [RegExp, ErrorCode, string?])[] = [
  [/^NOTEMPTY/, 'TARGET_EXISTS', 'Events are imported into an empty log, in order'],
  [
    /^DAMAGED|^WRONGTYPE/,
    'LOG_DAMAGED',
    'The log in Redis is damaged: it lost entries, or keys of it. It was left as it is; restore a backup into an empty Redis',
  ],
  [/^OOM|No space left/, 'STORAGE_FULL'],
  [
    /^(NOAUTH|WRONGPASS|NOPERM)|invalid password/,
    'KVSTORE_MISCONFIGURED',
    'Redis refuses the user or password of SERVICE_KVSTORE_URL, or one of the commands that a log needs',
  ],
];

/** Ours for Redis's and the client's errors. Commands, and so passwords, hang on theirs: those stay behind. */
export function toHarkError(error: unknown): HarkError {
  if (isHarkError(error)) return error;
  const said = error instanceof Error ? error.message : String(error);
  const cause = new Error(said);
  for (const [pattern, code, message] of CODES) {
    if (pattern.test(said)) return new HarkError(code, message ? { message, cause } : { cause });
  }
  return new HarkError('KVSTORE_UNAVAILABLE', { cause });
}

/** The answer shows that Redis is not what it was when it was last looked at. */
export function isFromAnother(error: unknown): boolean {
  return error instanceof Error && /^REPLACED|^DAMAGED|Function not found|^READONLY/.test(error.message);
}
