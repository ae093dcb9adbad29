/** What steers a terminal, or shows a text in another order than it has: control characters, C1 and bidi among them. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Spells such characters out, as JSON and JavaScript do: in a document of JSON it means the same. */
export function spelledOut(text: string, but = ''): string {
  return text.replaceAll(STEERING, (character) =>
    but.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
