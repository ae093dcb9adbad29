/** How far the clock of this device is before that of the service (ms). */
let ahead = 0;

/** An answer tells its time in whole seconds, and was on its way for a moment. */
const LEAST_MS = 2_000;

/** Each answer says when it was given, unless something on the way took that out. */
export function hearTime(date: string | null): void {
  const difference = Date.now() - Date.parse(date ?? '');
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) > LEAST_MS ? difference : 0;
}

/** Now, by the clock of the service: what it says of the past and the future is told by that one. */
export const now = (): number => Date.now() - ahead;
