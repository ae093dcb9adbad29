const DENIED = /\b(?:not|never|no|without|neither|nor|cannot)\b|n['’]t\b/i;

/** Whether a sentence says that something is not so. */
export function isDenied(text: string): boolean {
  return DENIED.test(text);
}
