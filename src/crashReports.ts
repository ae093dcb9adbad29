/**
 * What the runtime writes of a crash, where it was told to, has no environment in it, and so no key. It counts for one
 * thread: each has to say so.
 */
export function keepEnvironmentOutOfCrashReports(): void {
  if (process.report) process.report.excludeEnv = true;
}
