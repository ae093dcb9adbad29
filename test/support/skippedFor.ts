declare module 'vitest' {
  interface TaskMeta {
    /** What this machine lacks for a test that was skipped. */
    lacks?: string;
  }
}

/** Options of a test that this machine may lack something for: the last lines of a run show the reason. */
export function skippedFor(reason: string | boolean): { skip: boolean; meta: { lacks?: string } } {
  return { skip: reason !== false, meta: typeof reason === 'string' ? { lacks: reason } : {} };
}
