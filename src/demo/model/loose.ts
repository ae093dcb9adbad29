/* Reading JSON of which nothing is known: what is not as expected is as if it were missing. */

export function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON where it is any, and otherwise the text itself. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
