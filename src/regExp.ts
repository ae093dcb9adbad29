/**
 * A regular expression over several lines: a line break, and what the next line is set in by, is not of it. Break no
 * line beside a space that counts.
 */
export function regExp(flags = ''): (parts: TemplateStringsArray, ...pieces: readonly string[]) => RegExp {
  return (parts, ...pieces) => new RegExp(piece(parts, ...pieces), flags);
}

/** A part of such an expression. */
export function piece({ raw }: TemplateStringsArray, ...pieces: readonly string[]): string {
  return raw.map((part, place) => part.replace(/\n\s*/g, '') + (pieces[place] ?? '')).join('');
}
