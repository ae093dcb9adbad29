import { useState } from 'preact/hooks';
import { parts } from '../words/parts.ts';

const SHOWN = 4_000;
/**
 * What is not seen but changes what is read: controls, marks of direction, characters of no width, tags. The joiner
 * inside of an emoji is part of what is seen.
 */
const UNSEEN =
  /(?![\n\t\u200d])[\p{Cc}\p{Cf}\u2028\u2029]|(?<!\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d/gu;

/** The text with what cannot be seen written out, as `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (one) => {
    const code = one.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** Which row a button acts on, for those who hear its name and do not see the row: to be said after the name. */
export function rowNamed(what: string) {
  return { 'aria-description': visible(what.slice(0, 80)) };
}

/**
 * A text that others wrote, a model or a device or a user: it stays in its own direction, says what it hides, and a
 * very long one is shown in part.
 */
export function Plain({ text, most = SHOWN }: { readonly text: string; readonly most?: number }) {
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > most;
  return (
    <>
      <bdi>{visible(isCut ? text.slice(0, most) : text)}</bdi>
      {isCut ? (
        <>
          {'… '}
          <button type="button" class="link" onClick={() => setWhole(true)}>
            {parts.showAll(text.length)}
          </button>
        </>
      ) : null}
    </>
  );
}
