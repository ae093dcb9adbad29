import { HarkError } from '../../errors.ts';

/** What is wrong with a schedule is the whole answer. */
export function invalidSchedule(message: string): HarkError {
  return new HarkError('SCHEDULE_INVALID', { message, body: { error: message, message: undefined } });
}
