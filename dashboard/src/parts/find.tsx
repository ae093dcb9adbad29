import type { Ref } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { search } from '../state/place.ts';

/** Somebody who types is not held up by what they find: the letters stand at once, the list follows. */
const PAUSE_MS = 120;

interface FindProps {
  readonly label: string;
  readonly hint: string;
  /** The `q` of the address. */
  readonly value: string;
  readonly field: Ref<HTMLInputElement>;
}

/** A field whose text becomes the `q` of the address. */
export function Find({ label, hint, value, field }: FindProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const asked = useRef(value);
  // Another address, as by going back: what stands in the field is that.
  useEffect(() => {
    if (value !== asked.current) setText(value);
    asked.current = value;
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = wanted;
      search({ q: wanted });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="field find">
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        type="search"
        autocomplete="off"
        placeholder={hint}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}
